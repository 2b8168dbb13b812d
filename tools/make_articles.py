"""Writes made-up articles as JSON lines: a universe as large as one likes, to measure with.

    python3 tools/make_articles.py 40003 articles/universe.jsonl

Every article has 40 to 60 sentences of some 170 characters, with names, verbs and conjunctions. The same number gives the same bytes.

    python3 tools/make_articles.py 100000 documents.jsonl 300

Documents of 300 sentences (50 kB), which are drawn from a stock: 5 GB in a few minutes.
"""

import json
import random
import sys

PERSONS = "Ann Brook,John Mercer,Clara Hale,Peter Vance,Ruth Ellis,Martin Sharpe,Helen Croft,George Lind".split(",")
PLACES = "London,Paris,Vienna,Lisbon,Dublin,Prague,Boston,Chicago".split(",")
THINGS = "harbour,archive,railway,orchard,theatre,bridge,market,library,canal,school,mill,garden".split(",")
VERBS = "described,restored,visited,painted,measured,opened,closed,inherited".split(",")
KINDS = "old,northern,public,narrow,famous,quiet,wooden,early".split(",")


def sentence(draw: random.Random) -> str:
    pick = draw.choice
    joint = pick(["and", "or"])
    return (
        f"{pick(PERSONS)} of {pick(PLACES)} {pick(VERBS)} the {pick(KINDS)} {pick(THINGS)} {joint} the {pick(THINGS)} "
        f"in {draw.randint(1700, 1990)}, while the {pick(KINDS)} {pick(THINGS)} of {pick(PLACES)} {pick(VERBS)} "
        f"neither the {pick(THINGS)} nor the {pick(KINDS)} {pick(THINGS)} beside it."
    )


def article(number: int, stock: list[str], length: int) -> str:
    draw = random.Random(number)
    if stock:
        sentences = draw.choices(stock, k=length)
    else:
        sentences = [sentence(draw) for _ in range(draw.randint(40, 60))]
    paragraphs = [" ".join(sentences[at : at + 8]) for at in range(0, len(sentences), 8)]
    return "\n\n".join(paragraphs)


def main() -> None:
    articles, path = int(sys.argv[1]), sys.argv[2]
    length = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    draw = random.Random(0)
    stock = [sentence(draw) for _ in range(20_000 if length else 0)]
    with open(path, "w", encoding="utf-8") as file:
        for number in range(articles):
            print(json.dumps({"doc_id": f"article-{number:06}", "text": article(number, stock, length)}), file=file)


if __name__ == "__main__":
    main()
