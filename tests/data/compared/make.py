"""Makes values.json: what sacrebleu and rouge-score say of some pairs of texts.

    python3 -m venv ref && ref/bin/pip install sacrebleu==2.6.0 rouge-score==0.1.2
    ref/bin/python make.py > values.json

BLEU, chrF and chrF++ are sacrebleu's `sentence_score` (13a, exponential smoothing, effective order; of several references
together); ROUGE is rouge-score's (of several references the best). Exact match and token F1 follow the rules of SQuAD's
evaluation, edit distances the definition; both are written out below.
"""

import json
import random
import re
import string
from collections import Counter

from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU, CHRF

bleu = BLEU(effective_order=True)
chrf = CHRF()
chrf_pp = CHRF(word_order=2)
ROUGE = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-l": "rougeL"}
plain = RougeScorer(list(ROUGE.values()), use_stemmer=False)
stemmed = RougeScorer(list(ROUGE.values()), use_stemmer=True)


def normalised(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def exact(text, reference):
    return float(normalised(text) == normalised(reference))


def f1(text, reference):
    a, b = normalised(text), normalised(reference)
    if not a or not b:
        return float(a == b)
    same = sum((Counter(a) & Counter(b)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(a), same / len(b)
    return 2 * precision * recall / (precision + recall)


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def ratio(a, b):
    return distance(a, b) / max(len(a), len(b)) if a or b else 0.0


def values(text, references):
    made = {
        "identical": max(float(text == one) for one in references),
        "exact-match": max(exact(text, one) for one in references),
        "token-f1": max(f1(text, one) for one in references),
        "edit-distance": min(distance(text, one) for one in references),
        "edit-distance:words": min(distance(text.split(), one.split()) for one in references),
        "edit-ratio": min(ratio(text, one) for one in references),
        "edit-ratio:words": min(ratio(text.split(), one.split()) for one in references),
        "bleu": bleu.sentence_score(text, references).score,
        "chrf": chrf.sentence_score(text, references).score,
        "chrf++": chrf_pp.sentence_score(text, references).score,
    }
    for ours, theirs in ROUGE.items():
        made[ours] = max(plain.score(one, text)[theirs].fmeasure for one in references)
        made[ours + ":stem"] = max(stemmed.score(one, text)[theirs].fmeasure for one in references)
    return made


PAIRS = [
    ("", ""),
    ("", "A reference."),
    ("A text.", ""),
    ("word", "word"),
    ("word", "other"),
    ("The", "the"),
    ("Yes", "Yes."),
    ("the cat sat on the mat", "the cat sat on the mat"),
    ("The cat sat on the mat.", "the cat sat on the mat"),
    ("A cat was sitting on a mat.", "The cat sat on the mat."),
    ("cat", "The cat sat on the mat."),
    ("The cat sat on the mat.", "cat"),
    ("Paris, France", "Paris"),
    ("The answer is 42.", "42"),
    ("It costs $1,234.56 (about 1.1 thousand euros).", "It costs $1,234.56, about 1.1 thousand euros."),
    ("on 2020-05-01, at 10:30-11:00", "On 2020-05-01 at 10:30 - 11:00"),
    ("He said: \"It's, well... fine!\" - and left.", "He said 'it is fine' and left."),
    ("a &quot;b&quot; &amp; c &lt;d&gt;", "a \"b\" & c <d>"),
    ("hyphen-\nated word\nand lines\n", "hyphenated word and lines"),
    ("<skipped> a b", "a b"),
    ("don't can't won't", "do not can not will not"),
    (".,.,", ",.,."),
    ("3.14,15 .5 5.", "3.14, 15 0.5 5"),
    ("café naïve Ångström", "cafe naive Angstrom"),
    ("Straße in München", "Strasse in München"),
    ("ΟΔΟΣ και ΛΌΓΟΣ", "οδος και λόγος"),
    ("İstanbul is big", "istanbul is big"),
    ("今天天气很好。", "今天天气很好。"),
    ("今天天气很好。", "今日天気がいい。"),
    ("東京 は 大きい", "東京 は とても 大きい"),
    ("안녕하세요 세계", "안녕 세계"),
    ("مرحبا بالعالم", "مرحبا يا عالم"),
    ("Привет, мир!", "Привет мир"),
    ("👩‍👩‍👧 family", "👩 family"),
    ("e\u0301tude", "\u00e9tude"),
    ("a\u00a0b\u3000c", "a b c"),
    ("one\ttwo  three\r\nfour", "one two three four"),
    ("running runs runner easily", "run ran runners easy"),
    ("generalizations organization happily relational", "generalization organize happy relate"),
    ("dying lying tying skies flies news", "die lie tie sky fly new"),
    ("the the the the the", "the cat the"),
    ("!!!", "what"),
    ("what", "!!!"),
    ("a", "an"),
    ("a an the", ""),
    ("", "the"),
    ("_ under_score _x_", "under score x"),
    ("x" * 70, "x" * 64 + "y"),
    ("abc" * 50, "acb" * 45),
]

SEVERAL = [
    ("The cat sat.", ["A cat sat down.", "The cat was sitting.", "Cats sit."]),
    ("It is a guide to action which ensures that the military always obeys the commands of the party.",
     ["It is a guide to action that ensures that the military will forever heed Party commands.",
      "It is the guiding principle which guarantees the military forces always being under the command of the Party.",
      "It is the practical guide for the army always to heed the directions of the party."]),
    ("Yes", ["No", "yes", "Maybe so"]),
    ("short", ["a b c d", "short one"]),
]

WORDS = """ferry noon mill river stood still night came back nobody knew why lamp window letter wrote station
trains running quickly houses burned cities argued generally beautiful happiness conditional rational electricity
the a of and to in was it, her his. "well" (again) no-one it's 7 1,000 3.5""".split()


def some(draw, most):
    return " ".join(draw.choice(WORDS) for _ in range(draw.randint(0, most)))


def damaged(draw, text):
    words = text.split()
    for _ in range(draw.randint(0, 6)):
        at = draw.randint(0, len(words))
        if words and draw.random() < 0.5:
            words.pop(min(at, len(words) - 1))
        else:
            words.insert(at, draw.choice(WORDS))
    return " ".join(words)


draw = random.Random(7)
cases = [(text, [reference]) for text, reference in PAIRS] + SEVERAL
for _ in range(60):
    reference = some(draw, 40)
    cases.append((damaged(draw, reference), [reference]))
for _ in range(20):
    reference = some(draw, 25)
    cases.append((damaged(draw, reference), [reference, damaged(draw, reference), some(draw, 25)]))

print("[")
lines = [json.dumps({"text": t, "references": r, "values": values(t, r)}, ensure_ascii=True) for t, r in cases]
print(",\n".join(lines))
print("]")
