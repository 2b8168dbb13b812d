"""Predicts a score from yes/no answers by least squares on rated rows, which every row brings along: each row is scored by itself.

Rows: `answers` (a list of numbers), `rated` (a list of {"answers": […], "human": number}). Standard library only.
"""

import json
import sys


def solve(matrix, right):
    """Gaussian elimination with pivots; an answer that the others determine, or that never varies, gets the weight 0."""
    size = len(right)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    pivots, top = [], 0
    for column in range(size):
        best = max(range(top, size), key=lambda i: abs(rows[i][column]), default=None)
        if best is None or abs(rows[best][column]) < 1e-9:
            continue
        rows[top], rows[best] = rows[best], rows[top]
        lead = rows[top][column]
        rows[top] = [value / lead for value in rows[top]]
        for other in range(size):
            if other != top:
                factor = rows[other][column]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[top])]
        pivots.append(column)
        top += 1
    weights = [0.0] * size
    for row, column in enumerate(pivots):
        weights[column] = rows[row][size]
    return weights


def fit(rated):
    design = [[1.0] + [float(a) for a in row["answers"]] for row in rated]
    human = [float(row["human"]) for row in rated]
    width = len(design[0])
    normal = [[sum(row[i] * row[j] for row in design) for j in range(width)] for i in range(width)]
    right = [sum(row[i] * value for row, value in zip(design, human)) for i in range(width)]
    return solve(normal, right)


def main():
    print(json.dumps({"scorer": "least-squares 1", "protocol": 1}), flush=True)
    fitted = {}
    for line in sys.stdin:
        row = json.loads(line)
        answers, rated = row["answers"], row["rated"]
        if not rated or None in answers or any(None in other["answers"] or other["human"] is None for other in rated):
            print(json.dumps({"id": row["id"], "scores": {"fitted": None}, "reason": "an answer or a rating is missing"}), flush=True)
            continue
        key = json.dumps(rated)
        weights = fitted.setdefault(key, None) or fit(rated)
        fitted[key] = weights
        value = weights[0] + sum(w * float(a) for w, a in zip(weights[1:], answers))
        print(json.dumps({"id": row["id"], "scores": {"fitted": value}}), flush=True)


if __name__ == "__main__":
    main()
