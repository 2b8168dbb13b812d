"""BLEURT-20. Needs google-research's `bleurt` and its checkpoint; the folder of the checkpoint is the argument."""

import itertools
import json
import sys

from bleurt import score

scorer = score.BleurtScorer(sys.argv[1])
print(json.dumps({"scorer": "bleurt BLEURT-20", "protocol": 1}), flush=True)
rows = map(json.loads, sys.stdin)
while batch := list(itertools.islice(rows, 16)):
    found = scorer.score(references=[row["reference"] for row in batch], candidates=[row["text"] for row in batch])
    for row, value in zip(batch, found):
        print(json.dumps({"id": row["id"], "scores": {"bleurt": value}}), flush=True)
