"""The cells of scores that leave nothing to chance, in closed form."""

import csv
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENTS = 4  # a judge that always says the same stands still at once: the least of `until`


def write(name, head, rows):
    with open(os.path.join(HERE, name), "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


settings = [(hay, needle) for hay in ("orig", "rand") for needle in ("neg", "con", "ner")]
pairs = [(i, j) for i in range(10) for j in range(i)]
bias = sum(4 * (i - j) for i, j in pairs) / len(pairs)  # of 50 + 2 (i - j): s(i, j) - s(j, i) = 4 (i - j)
write(
    "halves.csv",
    ["model", "hay", "needle", "what", "printed"],
    [
        ("late", hay, needle, what, value)
        for hay, needle in settings
        for what, value in (("D", 1), ("EMD", f"{bias:.4f}"), ("bias", f"{bias:.4f}"), ("positions with p < 0.1", 45))
    ],
)
lengths = []
for hay, needle in settings:
    for k in range(1, 20):
        scores = [50 + 2 * (i - (k - 1 - i)) for i in range(10) if 0 <= k - 1 - i <= 9] * DOCUMENTS
        mean = sum(scores) / len(scores)
        sd = math.sqrt(sum((score - mean) ** 2 for score in scores) / (len(scores) - 1))
        places = min(k, 20 - k)  # the closed form of the same
        assert math.isclose(sd, 2 * math.sqrt((places**2 - 1) / 3 * len(scores) / (len(scores) - 1)), abs_tol=1e-9)
        lengths += [("late", hay, needle, k, "mean", f"{mean:.4f}"), ("late", hay, needle, k, "sd", f"{sd:.4f}")]
write("lengths.csv", ["model", "hay", "needle", "length", "what", "printed"], lengths)
comparisons = (("neg - con", 4), ("neg - ner", 2), ("ner - con", 2))
types = [
    ("late", hay, name, what, 0) for hay in ("orig", "rand") for name, _ in comparisons for what in ("D", "shift", "centred EMD")
]
for name, shift in comparisons:
    types += [("moody", "orig", name, what, value) for what, value in (("D", 1), ("shift", shift), ("centred EMD", 0))]
write("types.csv", ["model", "hay", "comparison", "what", "printed"], types)
write(
    "poles.csv",
    ["model", "hay", "k", "printed"],
    [(model, hay, k, 0) for model, hay in (("late", "orig"), ("late", "rand"), ("moody", "orig")) for k in (0, 2, 10, 25)],
)
