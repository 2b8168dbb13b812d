"""METEOR (Banerjee and Lavie 2005; parameters 0.9, 3, 0.5) as nltk computes it: exact words, Porter stems, and WordNet's synonyms.

Needs `pip install nltk` and `python3 -m nltk.downloader wordnet`; with `--no-synonyms` nltk alone.
"""

import json
import sys

from nltk.translate.meteor_score import meteor_score


class NoSynonyms:
    def synsets(self, word, pos=None):
        return []


if "--no-synonyms" in sys.argv:
    words, name = NoSynonyms(), "meteor nltk without synonyms"
else:
    from nltk.corpus import wordnet as words

    words.ensure_loaded()
    name = "meteor nltk wordnet-3.0"
print(json.dumps({"scorer": name, "protocol": 1}), flush=True)
for line in sys.stdin:
    row = json.loads(line)
    score = meteor_score([row["reference"].split()], row["text"].split(), wordnet=words)
    print(json.dumps({"id": row["id"], "scores": {"meteor": score}}), flush=True)
