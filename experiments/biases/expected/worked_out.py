"""Works out expected/*.csv from data/ and scripts/ without tribunal: python3 worked_out.py (needs numpy, scipy and blake3)."""

import csv
import itertools
import tomllib
from pathlib import Path

import blake3
import numpy as np
from scipy import stats

HERE = Path(__file__).parent
SCRIPTS = HERE.parent / "scripts"
PROMPTS = HERE.parent.parent.parent / "templates"
with open(HERE.parent / "data" / "answers.csv", newline="") as file:
    ANSWERS = list(csv.DictReader(file))
NAMES = list(dict.fromkeys(row["doc_id"] for row in ANSWERS))
LABELS = ["Unacceptable", "Poor", "Fair", "Good", "Excellent"]


def write(name, head, lines):
    with open(HERE / name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*head, "printed"])
        out.writerows([*keys, f"{value:.4f}"] for *keys, value in lines)


def judge(script, template, **columns):
    """What the script answers: the first rule that fits, with the digest of prompt and repeat."""
    prompt = (PROMPTS / template).read_text().removesuffix("\n")
    for name, value in columns.items():
        prompt = prompt.replace("{{ " + name + " }}", value)
    digest = int.from_bytes(blake3.blake3(f"{prompt}\0{0}".encode()).digest()[:4], "little")
    for rule in tomllib.loads((SCRIPTS / f"{script}.toml").read_text())["reply"]:
        if all(part in prompt for part in rule.get("contains", [])):
            text = rule["text"]
            inner = text.removeprefix("{{ ").removesuffix(" }}")
            return text if inner == text else eval(inner, {"digest": digest})
    raise LookupError(prompt)


def interval(size, se, df):
    half = stats.t.ppf(0.975, df) * se
    return [size, size - half, size + half]


def clustered(values):
    """The mean of (cluster, value) rows, its standard error by clusters (CR1) and interval."""
    x = np.array([value for _, value in values])
    sums = np.array([sum(v - x.mean() for c, v in values if c == name) for name in NAMES])
    g = len(NAMES)
    return interval(x.mean(), (g / (g - 1) * (sums**2).sum()) ** 0.5 / len(x), g - 1)


# Position: every comparison is a row; the effect is the contender's share shown second less that shown first.
lines = []
for model in ["biased", "fair"]:
    rows, flips = [], []
    for name in NAMES:
        four = [row for row in ANSWERS if row["doc_id"] == name]
        for one, other in itertools.combinations(four, 2):
            won = []
            for place, (a, b) in enumerate([(one, other), (other, one)]):
                said = judge(f"position-{model}", "protocols/pair.j2",
                             question=one["question"], first=a["text"], second=b["text"])
                won.append(float((said == "A") == (place == 0)))
                rows.append((name, place, won[-1]))
            flips.append(won[0] != won[1])
    y = np.array([won for *_, won in rows])
    x = np.column_stack([np.ones(len(rows)), [place for _, place, _ in rows]])
    bread = np.linalg.inv(x.T @ x)
    beta = bread @ x.T @ y
    scores = x * (y - x @ beta)[:, None]
    of = np.array([name for name, *_ in rows])
    sums = np.array([scores[of == name].sum(0) for name in NAMES])
    g, n = len(NAMES), len(rows)
    factor = g / (g - 1) * (n - 1) / (n - 2)
    se = (factor * (bread @ (sums.T @ sums) @ bread)[1, 1]) ** 0.5
    first = np.mean([won if place == 0 else 1 - won for _, place, won in rows])
    found = [*interval(beta[1], se, g - 1), first, np.mean(flips)]
    lines += [(model, *it) for it in zip(["effect", "from", "to", "share of first", "pairs that flip"], found)]
write("position.csv", ["model", "is"], lines)


def score(script, row):
    marks = {"scale.min": "1", "scale.max": "10"}
    return float(judge(script, "biases/score.j2", question=row["question"], text=row["text"], **marks))


# Verbosity: the least-squares slope of each question, and the mean of their correlations.
lines = []
for model in ["biased", "fair"]:
    slopes, correlations = [], []
    for name in NAMES:
        four = [row for row in ANSWERS if row["doc_id"] == name]
        x = np.array([len(row["text"].split()) for row in four], float)
        y = np.array([score(f"verbosity-{model}", row) for row in four])
        slopes.append(10 * np.polyfit(x, y, 1)[0])
        if y.std() > 0:
            correlations.append(stats.pearsonr(x, y)[0])
    found = interval(np.mean(slopes), np.std(slopes, ddof=1) / len(slopes) ** 0.5, len(slopes) - 1)
    found.append(np.mean(correlations))
    lines += [(model, *it) for it in zip(["slope", "from", "to", "correlation"], found)]
write("verbosity.csv", ["model", "is"], lines)

# Self-preference: each text's score by its own family less that by the other.
means, own = [], []
for judges in ["biased", "fair"]:
    scores = {f: [score(f"self-{f}-{judges}", row) for row in ANSWERS] for f in ["ash", "birch"]}
    for family, author in itertools.product(scores, scores):
        of = [s for s, row in zip(scores[family], ANSWERS) if row["author"] == author]
        means.append((judges, family, author, np.mean(of)))
    other = {"ash": "birch", "birch": "ash"}
    off = [(row["doc_id"], scores[row["author"]][i] - scores[other[row["author"]]][i]) for i, row in enumerate(ANSWERS)]
    own += [(judges, *it) for it in zip(["difference", "from", "to"], clustered(off))]
write("families.csv", ["judges", "family", "author"], means)
write("own.csv", ["judges", "is"], own)

# Anchoring: each text's label where the best is named first less that where the worst is.
lines = []
for model in ["biased", "fair"]:
    off = []
    for row in ANSWERS:
        said = []
        for order in ["ascending", "descending"]:
            text = (PROMPTS / "biases" / f"{order}.j2").read_text()
            named = "scale.labels | join(\", \")" if order == "ascending" else "scale.labels | reverse | join(\", \")"
            listed = ", ".join(LABELS if order == "ascending" else LABELS[::-1])
            assert named in text
            said.append(LABELS.index(judge(f"anchoring-{model}", f"biases/{order}.j2",
                                           question=row["question"], text=row["text"], **{named: listed})))
        off.append((row["doc_id"], float(said[1] - said[0])))
    lines += [(model, *it) for it in zip(["difference", "from", "to"], clustered(off))]
write("anchoring.csv", ["model", "is"], lines)
