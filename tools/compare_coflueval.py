"""Compares manipulated documents made by tribunal with the published ones: how much was changed, document by document.

    pip install pandas pyarrow
    tribunal run experiments/judgememo/cofluevallc.toml --set paths.judgememo=FOLDER
    python tools/compare_coflueval.py FOLDER/documents.parquet built=reports/judgememo/cofluevallc/coflueval.parquet

Prints two markdown tables: what was changed (medians and quartiles), and in how many documents the numbers of
operations are equal. `--rows changes.csv` writes the numbers of every document, which tools/compare_coflueval.toml
draws as distributions beside each other. Operations are those recorded, ours in `operations`, the published ones as spans in
`meta_json`. Words and characters are counted alike for every side, from nothing but the gold text and the
manipulated text: words (what blanks separate) that a diff takes out and puts in, and the characters of these words.
"""

import argparse
import difflib
import json

import pandas as pd

TASKS = {
    "17": "exchanged content",
    "24": "temporal inconsistencies",
    "32": "entity to term",
    "41": "typos",
    "42": "verb tenses",
    "43": "word order",
}
QUANTITIES = ["operations", "words", "characters"]
KEY = ["length", "task", "doc_id"]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("published", help="documents.parquet of the published data")
    options.add_argument("ours", nargs="+", metavar="NAME=FILE", help="an export of cofluevallc.toml and a name for it")
    options.add_argument("--rows", metavar="FILE", help="write the numbers of every document to this csv")
    options = options.parse_args()

    published = pd.read_parquet(options.published)
    published["operations"] = published["meta_json"].map(spans, na_action="ignore")
    sides = {"published": published}
    for named in options.ours:
        name, _, file = named.partition("=")
        sides[name] = pd.read_parquet(file)
    changed = {name: changes(documents) for name, documents in sides.items()}
    if options.rows:
        observations(changed).to_csv(options.rows, index=False)
    print(sizes(changed))
    print()
    print(agreement(changed))


def spans(meta):
    """How many operations the published metadata of a document record."""
    return len(json.loads(meta)["manipulated_char_spans"])


def changes(documents):
    """Operations, changed words and changed characters of every manipulated document, by length, task and id."""
    documents = documents.assign(task=documents["task"].astype(str), length=documents["length"].astype(str))
    gold = documents[documents["task"] == "gold"].set_index(["length", "doc_id"])["text"]
    rows = []
    for document in documents[documents["task"].isin(list(TASKS)) & documents["text"].notna()].itertuples():
        before = gold[document.length, document.doc_id]
        out, into = difference(before, document.text)
        rows.append(
            {
                "length": document.length,
                "task": document.task,
                "doc_id": document.doc_id,
                "operations": int(document.operations),
                "words": len(out) + len(into),
                "characters": sum(map(len, out)) + sum(map(len, into)),
                "gold words": len(before.split()),
                "gold characters": sum(map(len, before.split())),
            }
        )
    return pd.DataFrame(rows).set_index(KEY).sort_index()


def difference(before, after):
    """The words taken out and the words put in: a diff of lines, and one of words in the lines that differ."""
    out, into = [], []
    before, after = before.splitlines(), after.splitlines()
    for kind, a, b, c, d in matcher(before, after).get_opcodes():
        if kind != "equal":
            old, new = " ".join(before[a:b]).split(), " ".join(after[c:d]).split()
            for kind, a, b, c, d in matcher(old, new).get_opcodes():
                if kind != "equal":
                    out += old[a:b]
                    into += new[c:d]
    return out, into


def matcher(before, after):
    return difflib.SequenceMatcher(None, before, after, autojunk=False)


def observations(changed):
    """One row per corpus, document, task, length and quantity: how many words and characters were changed for every
    thousand words and characters of the gold text."""
    rows = []
    for name, side in changed.items():
        for quantity in ["words", "characters"]:
            share = 1000 * side[quantity] / side[f"gold {quantity}"]
            rows.append(side.assign(corpus=name, quantity=quantity, value=side[quantity], per_thousand=share))
    return pd.concat(rows).reset_index()[["corpus", *KEY, "quantity", "value", "per_thousand"]]


def sizes(changed):
    """A markdown table of medians and quartiles."""
    lines = [row(["length", "task", "per document", *changed]), row([":--"] * 3 + ["--:"] * len(changed))]
    for length in ["2000", "full"]:
        for task, title in TASKS.items():
            for quantity in QUANTITIES:
                cells = [spread(side.loc[length, task][quantity]) for side in changed.values()]
                lines.append(row([length, f"[{task}] {title}", quantity, *cells]))
    return "\n".join(lines)


def spread(values):
    low, middle, high = (f"{values.quantile(q):g}" for q in [0.25, 0.5, 0.75])
    return f"{middle} ({low} to {high})"


def agreement(changed):
    """A markdown table of how many documents have the published number of operations."""
    (_, published), *ours = changed.items()
    lines = [row(["length", "task", *(name for name, _ in ours)]), row([":--"] * 2 + ["--:"] * len(ours))]
    for length in ["2000", "full"]:
        for task, title in TASKS.items():
            theirs = published.loc[length, task]["operations"]
            counts = [side.loc[length, task]["operations"].eq(theirs).sum() for _, side in ours]
            lines.append(row([length, f"[{task}] {title}", *(f"{count} of {len(theirs)}" for count in counts)]))
    return "\n".join(lines)


def row(cells):
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
