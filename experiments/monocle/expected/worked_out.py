"""What the scripted judges must give, worked out from the planted qualities and the ratings alone: Spearman's rho for each set of hard
kinds that examples have taught, and what random choice gives on average. Given the chunks that were shown (shown.csv of Table 3), it writes the
expected tables: `python3 worked_out.py reports/monocle/table-3/shown.csv`. Standard library only.

The judge reads a section of a hard kind upside down (4 - q), unless one of the examples is of this kind. Rated papers teach it that a
contradiction costs 1.25. The direct judge goes by the last section.
"""

import csv
import itertools
import json
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent.parent / "data"
KINDS = ["formula", "table", "listing"]


def ranks(values):
    return [sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values]


def pearson(xs, ys):
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    top = sum((a - x) * (b - y) for a, b in zip(xs, ys))
    return top / math.sqrt(sum((a - x) ** 2 for a in xs) * sum((b - y) ** 2 for b in ys))


def read():
    papers = [json.loads(line) for line in open(FOLDER / "papers.jsonl")]
    sums = {}
    for row in csv.DictReader(open(FOLDER / "ratings.csv")):
        if row["part"] == "0":
            sums.setdefault(row["doc_id"], []).append(int(row["rating"]))
    return papers, {doc_id: sum(values) / len(values) for doc_id, values in sums.items()}


def seen(planted, taught):
    return [q if kind == "plain" or kind in taught else 4 - q for q, kind in zip(planted["qualities"], planted["kinds"])]


def hybrid(planted, taught, rated):
    value = round(sum(seen(planted, taught)) / 3, 2)
    return max(0, round(value - 1.25, 2)) if rated and planted["contradicts"] else value


def rho_of(chosen, by_kinds):
    return by_kinds[tuple(kind for kind in KINDS if kind in chosen)]


def main():
    papers, human = read()
    test = [paper for paper in papers if paper["role"] == "test"]
    people = [human[paper["doc_id"]] for paper in test]

    def rho(score):
        return pearson(ranks([score(paper["planted"]) for paper in test]), ranks(people))

    found = {"direct": rho(lambda p: seen(p, [])[-1]), "no examples": rho(lambda p: hybrid(p, [], False))}
    by_kinds = {}
    for size in range(4):
        for taught in itertools.combinations(KINDS, size):
            by_kinds[taught] = rho(lambda p: hybrid(p, taught, True))
            found["rated papers, and " + (" ".join(taught) or "no kind")] = by_kinds[taught]
            found["no rated paper, " + (" ".join(taught) or "no kind")] = rho(lambda p: hybrid(p, taught, False))
    # Which kinds five chunks of the pool teach, over all choices of five.
    pool = [kind for paper in papers if paper["role"] == "pool" for kind in paper["planted"]["kinds"]]
    choices = [rho_of(chosen, by_kinds) for chosen in itertools.combinations(pool, 5)]
    found["five at random, on average"] = sum(choices) / len(choices)
    for paper_kind in ["formula", "table", "listing"]:
        found[f"chunks of kind {paper_kind} in the pool"] = pool.count(paper_kind)
    for what, value in found.items():
        print(f"{what}: {value:.6f}")
    if len(sys.argv) > 1:
        write(sys.argv[1], papers, human, rho)


def fitted(papers, human, docs):
    """Least squares on four questions of which each implies those before it: the mean rating of the papers with the same answers, where
    questions that tell no two of them apart have no weight."""
    last = {paper["doc_id"]: seen(paper["planted"], [])[-1] for paper in papers}
    columns = [tuple(last[doc] > i for doc in docs) for i in range(4)]
    kept = [i for i, column in enumerate(columns) if len(set(column)) > 1 and column not in columns[:i]]

    def same(value):
        return tuple(value > i for i in kept)

    def score(planted):
        alike = [human[doc] for doc in docs if same(last[doc]) == same(seen(planted, [])[-1])]
        return round(sum(alike) / len(alike), 9)

    return score


def write(shown, papers, human, rho):
    kinds = {paper["doc_id"]: paper["planted"]["kinds"] for paper in papers}
    chosen = {}
    for row in csv.DictReader(open(shown)):
        chosen.setdefault(row["selection"], []).append((int(row["rank"]), row["doc_id"], kinds[row["doc_id"]][int(row["section"]) - 1]))

    def hybrid_after(rows, rated=True):
        taught = {kind for _, _, kind in rows}
        return rho(lambda p: hybrid(p, taught, rated and rows))

    best = sorted(chosen["uncertainty"])
    docs = list(dict.fromkeys(doc for _, doc, _ in best))
    endings = {kinds[doc][-1] for doc in docs}
    none = hybrid_after([])
    tables = {
        "table-1": ("judge,icl", [
            ("direct,no examples", rho(lambda p: seen(p, [])[-1])),
            ("direct,examples", rho(lambda p: seen(p, endings)[-1])),
            ("hybrid,no examples", none), ("hybrid,examples", hybrid_after(best))]),
        "table-2": ("demonstrations", [("none", none), ("local", hybrid_after(best, False)), ("local + global", hybrid_after(best))]),
        "table-3": ("selection", [("none", none)] + [(f'"{name}"', hybrid_after(rows)) for name, rows in chosen.items()]),
        "table-4": ("model", [
            ("judge", hybrid_after(best)), ("careful", rho(lambda p: hybrid(p, KINDS, True))), ("stubborn", rho(lambda p: hybrid(p, [], True)))]),
        # Likeness: Spearman's rho of scipy 1.17 over scores of sacrebleu 2.6.0 and rouge-score 0.1.2.
        "table-5": ("metric", [("bleu", 0.745698), ("rouge-l", 0.730009), ("chrf++", 0.690348), ("hybrid", hybrid_after(best)), ('"checklist, fitted"', rho(fitted(papers, human, docs)))]),
        "figure-6": ("shots", [(str(count), hybrid_after(best[:count])) for count in range(6)]),
    }
    for name, (fields, rows) in tables.items():
        lines = [f"{fields},what,printed"] + [f"{row},rho,{value:.6f}" for row, value in rows]
        (pathlib.Path(__file__).parent / f"{name}.csv").write_text("\n".join(lines) + "\n")


main()
