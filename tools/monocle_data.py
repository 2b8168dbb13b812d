#!/usr/bin/env python3
"""Writes the made-up papers, ratings and scripted judges of experiments/monocle, the same bytes each time.

    python3 tools/monocle_data.py

Each paper has three sections. A section of quality q, from 0 to 4, has the first q of the four sentences of its reference; the others gave
way to empty ones. Its last sentence says how much of the reference is there, and where: that is what a scripted judge, which can only
find strings in its prompt, goes by. One section of each paper is of a hard kind (formula, table, listing). One paper in four contradicts
itself, which costs 1.25 of its overall quality. Two annotators rate both with errors of their own.
"""

import csv
import json
import pathlib
import random

FOLDER = pathlib.Path(__file__).parent.parent / "experiments" / "monocle"
METRICS = ["structure", "coverage", "depth", "logic", "language"]
AMOUNTS = ["None", "Little", "Half", "Most", "All"]
KINDS = {
    "plain": ("is said in words.", ""),
    "formula": ("follows from the formula.", "\\[ s = \\frac{a + b}{2} \\]\n"),
    "table": ("stands in the table.", "\\begin{tabular}{lr} first & 1 \\\\ second & 2 \\end{tabular}\n"),
    "listing": ("is done by the listing.", "\\begin{verbatim}\nfor unit in units: mark(unit)\n\\end{verbatim}\n"),
}
FILLERS = [
    "Several things were considered here.",
    "This is an important matter.",
    "Other work exists as well.",
    "More could be said at this point.",
]
TASKS = [
    ("finding misprints", "misprint"), ("dating letters", "letter"), ("sorting complaints", "complaint"),
    ("reading old maps", "map"), ("naming stars", "star"), ("matching recipes", "recipe"),
]
MATERIAL = ["harbour logs", "parish books", "weather diaries", "railway notices", "seed catalogues", "theatre bills"]
RIVALS = ["a word list", "nearest neighbours", "a decision tree", "a single pass"]


def sentences(number, draw):
    """The four sentences of each section of a reference."""
    task, unit = TASKS[number % 6]
    material = MATERIAL[(number // 6 + number) % 6]
    rival = RIVALS[draw.randrange(4)]
    size, gain, score = draw.randrange(2, 90) * 100, draw.randrange(2, 12), draw.randrange(70, 95)
    return [
        ("Introduction", [
            f"We study {task} in {material}, which clerks kept by hand.",
            f"Earlier systems treat every {unit} alike and lose those that are rare.",
            f"Our idea is to read each {unit} together with what stands before and behind it.",
            f"On {size} examples this gains {gain} points over {rival}.",
        ]),
        ("Method", [
            f"The input is one {unit} of {material} with four neighbours on either side.",
            "A first pass proposes a label, and a second pass may take it back.",
            f"Both passes share their weights and see the training examples {draw.randrange(3, 30)} times.",
            f"Where they disagree twice, the label of {rival} is kept.",
        ]),
        ("Results", [
            f"On {size} examples that were held out our system scores {score}, and {rival} scores {score - gain}.",
            f"Without the second pass the score falls by {draw.randrange(1, gain + 1)} points.",
            f"Most of the errors that remain concern a {unit} that occurs only once.",
            f"Training takes {draw.randrange(2, 40)} hours on one machine.",
        ]),
    ]


def section(name, full, quality, kind, contradicts):
    words, element = KINDS[kind]
    lines = full[:quality] + FILLERS[quality:]
    if contradicts:
        lines.insert(1, "The opposite of what the section before says is true.")
    return f"\\section{{{name}}}\n{element}{' '.join(lines)} {AMOUNTS[quality]} of this {words}"


def clip(value):
    return max(0, min(4, round(value)))


def papers():
    draw = random.Random(20)
    found, ratings = [], []
    for number in range(36):
        doc_id = f"paper-{number + 1:02}"
        full = sentences(number, draw)
        qualities = [draw.randrange(5) for _ in full]
        kinds = ["plain"] * 3
        kinds[number % 3] = ["formula", "table", "listing"][(number // 3 + number) % 3]
        contradicts = number % 4 == 1
        text = "\n\n".join(
            section(name, lines, quality, kind, contradicts and name == "Method")
            for (name, lines), quality, kind in zip(full, qualities, kinds))
        task = f"Write a paper on {TASKS[number % 6][0]} in {MATERIAL[(number // 6 + number) % 6]}."
        found.append({
            "doc_id": doc_id,
            "role": "pool" if number < 12 else "test",
            "instruction": task,
            "materials": [{"section": i + 1, "material": f"{name}: " + " ".join(lines)} for i, (name, lines) in enumerate(full)],
            "text": text,
            "reference": "\n\n".join(f"\\section{{{name}}}\n{' '.join(lines)}" for name, lines in full),
            "planted": {"qualities": qualities, "kinds": kinds, "contradicts": contradicts},
        })
        overall = max(0, sum(qualities) / 3 - 1.25 * contradicts)
        for annotator in ["ann", "ben"]:
            for part, quality in enumerate([overall] + qualities):
                for metric in METRICS:
                    error = draw.choice([-1, 0, 0, 0, 0, 1])
                    ratings.append([doc_id, part, annotator, metric, clip(quality + error)])
    return found, ratings


def scores(value):
    inner = ", ".join(f'"{metric}": {{"score": {value}, "reason": "so it says"}}' for metric in METRICS)
    return "{" + inner + "}"


def rule(contains, text, **more):
    quote = json.dumps                                # basic strings of TOML are written as JSON is
    fields = [f"contains = [{', '.join(map(quote, contains))}]"] if contains else []
    fields += [f"{key} = {quote(value)}" for key, value in more.items()]
    return "  { " + ", ".join(fields + [f"text = {quote(text)}"]) + " },"


def script():
    end, example = "\n</JUDGED>", "\n</EXAMPLE>"
    hard = [words for kind, (words, _) in KINDS.items() if kind != "plain"]
    plain = KINDS["plain"][0]
    lines = ["# Written by tools/monocle_data.py, which says what it does. The first reply that fits is given.", "reply = ["]
    lines += [rule(["In one paragraph, explain"], "The rating says how much of the reference is there.")]
    lines += ["  # Five questions about a whole paper: the first is easier than the last."]
    for quality in range(5):
        for words in [plain] + hard:
            seen = quality if words == plain else 4 - quality
            verdicts = "\n".join(f"{i + 1}. {'yes' if seen > i else 'no'}" for i in range(4))
            lines.append(rule([f"{AMOUNTS[quality]} of this {words}\n</CHECKED>"], verdicts))
    lines += ["  # Asked several times, it is unsure of hard kinds, and a little of the others."]
    for quality in range(5):
        near = [quality, quality, quality - 1 if quality else 1]
        lines.append(rule([f"{AMOUNTS[quality]} of this {plain}{end}"], scores(f"{{{{ {near}[digest % 3] }}}}"), model="sampled"))
    for words in hard:
        flips = "{" + ", ".join(
            f'"{metric}": {{"score": {{{{ 4 if digest // {2 ** i} % 2 else 0 }}}}, "reason": "at a guess"}}' for i, metric in enumerate(METRICS)) + "}"
        lines.append(rule([f"{words}{end}"], flips, model="sampled"))
    lines += ["  # It reads hard kinds upside down; a rated example of the kind puts that right. Two others are not so."]
    for quality in range(5):
        lines.append(rule([f"{AMOUNTS[quality]} of this {plain}{end}"], scores(quality)))
        for words in hard:
            here = f"{AMOUNTS[quality]} of this {words}{end}"
            lines.append(rule([here], scores(quality), model="careful"))
            lines.append(rule([here], scores(4 - quality), model="stubborn"))
            lines.append(rule([here, words + example], scores(quality)))
            lines.append(rule([here], scores(4 - quality)))
    lines += ["  # Overall it gives the mean of the sections; rated papers teach it that contradictions count."]
    for thirds in range(13):
        mean = f"have {round(thirds / 3, 2):g} on average"
        value = round(thirds / 3, 2)
        lines.append(rule([mean, "The opposite of what", "</RATED>"], scores(max(0, round(value - 1.25, 2)))))
        lines.append(rule([mean], scores(value)))
    lines += ["  # Answers drawn at a high temperature do not average to thirds.", rule([" on average"], scores("{{ 1 + digest % 3 }}"), model="sampled"), "]", ""]
    return "\n".join(lines)


def sureness():
    """Replies of one token, and how likely each was: the judge is least sure of formulas and then of tables."""
    chance = {"plain": -0.4, "formula": -1.5, "table": -1.0, "listing": -0.2}
    lines = ["# Written by tools/monocle_data.py: how likely one-token verdicts are.", "reply = ["]
    for kind, (words, _) in KINDS.items():
        lines.append(rule([f"{words}\n</JUDGED>"], "2")[:-3] + f', logprobs = [[["2", {chance[kind]}]]] }},')
    return "\n".join(lines + ["]", ""])


def main():
    found, ratings = papers()
    for folder in ["data", "scripts"]:
        (FOLDER / folder).mkdir(exist_ok=True)
    (FOLDER / "data" / "papers.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in found))
    with open(FOLDER / "data" / "ratings.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["doc_id", "part", "annotator", "metric", "rating"])
        writer.writerows(ratings)
    (FOLDER / "scripts" / "judge.toml").write_text(script())
    (FOLDER / "scripts" / "sureness.toml").write_text(sureness())


main()
