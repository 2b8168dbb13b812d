"""BERTScore (F1). Needs `pip install bert-score`, and a model of Hugging Face that transformers knows."""

import itertools
import json
import sys

from bert_score import BERTScorer

MODEL, LAYER = "answerdotai/ModernBERT-base", 22
scorer = BERTScorer(model_type=MODEL, num_layers=LAYER)
print(json.dumps({"scorer": f"bert-score {MODEL} layer {LAYER}", "protocol": 1}), flush=True)
rows = map(json.loads, sys.stdin)
while batch := list(itertools.islice(rows, 16)):
    _, _, f1 = scorer.score([row["text"] for row in batch], [row["reference"] for row in batch])
    for row, score in zip(batch, f1.tolist()):
        print(json.dumps({"id": row["id"], "scores": {"bert-score": score}}), flush=True)
