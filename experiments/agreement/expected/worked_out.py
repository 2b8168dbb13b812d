"""Works out expected/*.csv from data/ and scripts/ without tribunal: python3 worked_out.py (needs numpy, scipy and blake3).

Everything is written down from its definition; libraries give distributions and rank correlations only.
"""

import csv
import itertools
import tomllib
from collections import Counter
from pathlib import Path

import blake3
import numpy as np
from scipy import stats

HERE = Path(__file__).parent
DATA = HERE.parent / "data"
SCRIPTS = HERE.parent / "scripts"
PROMPTS = HERE.parent.parent.parent / "templates" / "agreement"
PEOPLE = ["ann", "ben", "cleo"]
LABELS = ["Poor", "Fair", "Good"]
Z = stats.norm.ppf(0.975)


def rows(name):
    with open(DATA / name, newline="") as file:
        return list(csv.DictReader(file))


def write(name, head, lines):
    with open(HERE / name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*head, "printed"])
        for *keys, value in lines:
            out.writerow([*keys, value if isinstance(value, (int, str)) else f"{value:.4f}"])


def replies(script, prompt, repeat):
    """What the script answers: the first rule that fits, with the digest of prompt and repeat."""
    digest = int.from_bytes(blake3.blake3(f"{prompt}\0{repeat}".encode()).digest()[:4], "little")
    for rule in script["reply"]:
        if all(part in prompt for part in rule.get("contains", [])):
            body = rule["text"].removeprefix("{{ ").removesuffix(" }}")
            return str(eval(body, {"digest": digest}))
    raise LookupError(prompt)


def judged(script, template, texts, repeats, **scale):
    script = tomllib.loads((SCRIPTS / script).read_text())
    template = (PROMPTS / template).read_text().removesuffix("\n")
    for name, value in scale.items():
        template = template.replace("{{ " + name + " }}", value)
    ask = lambda row, k: replies(script, template.replace("{{ text }}", row["text"]), k)
    return {row["doc_id"]: [ask(row, k) for k in range(repeats)] for row in texts}


def weights(q, kind):
    i = np.arange(q)
    off = np.abs(i[:, None] - i[None, :]) / max(q - 1, 1)
    return {"identity": (off == 0) * 1.0, "linear": 1 - off}[kind]


def coefficients(table, q, kind):
    """Fleiss' kappa and Gwet's AC of counts of categories per item, in the form of Gwet 2014."""
    w = weights(q, kind)
    table = table[table.sum(1) > 0]
    r = table.sum(1)
    pi = (table / r[:, None]).mean(0)
    pairs = table[r >= 2]
    n = pairs.sum(1)
    weighted = pairs @ w.T
    observed = (((pairs * (weighted - 1)).sum(1)) / (n * (n - 1))).mean()
    chance = pi @ w @ pi
    gwet = w.sum() / (q * (q - 1)) * (pi * (1 - pi)).sum()
    return (observed - chance) / (1 - chance), (observed - gwet) / (1 - gwet)


def agreement(items):
    """The mean over items of the share of pairs of raters that say the same."""
    share = lambda it: np.mean([a == b for a, b in itertools.combinations(it, 2)])
    return np.mean([share(it) for it in items if len(it) > 1])


def alpha(items, level, order):
    """Krippendorff's alpha by its coincidence matrix."""
    items = [it for it in items if len(it) > 1]
    at = {value: place for place, value in enumerate(order)}
    o = np.zeros((len(order), len(order)))
    for it in items:
        for a, b in itertools.permutations(range(len(it)), 2):
            o[at[it[a]], at[it[b]]] += 1 / (len(it) - 1)
    m = o.sum(0)
    if level == "interval":
        d = np.subtract.outer(np.array(order, float), np.array(order, float)) ** 2
    else:
        d = np.zeros_like(o)
        for i, j in itertools.product(range(len(order)), repeat=2):
            low, high = sorted((i, j))
            d[i, j] = 0 if i == j else (m[low : high + 1].sum() - (m[i] + m[j]) / 2) ** 2
    return 1 - (m.sum() - 1) * (o * d).sum() / (np.outer(m, m) * d).sum()


def counts(items, order):
    return np.array([[Counter(it)[value] for value in order] for it in items], float)


def kappa(a, b, order, kind):
    w = weights(len(order), kind)
    at = {value: place for place, value in enumerate(order)}
    joint = np.zeros((len(order), len(order)))
    for x, y in zip(a, b):
        joint[at[x], at[y]] += 1 / len(a)
    chance = (np.outer(joint.sum(1), joint.sum(0)) * w).sum()
    return ((joint * w).sum() - chance) / (1 - chance)


def icc(x):
    """The six forms of Shrout and Fleiss with intervals: 2 as McGraw and Wong 1996 have it."""
    n, k = x.shape
    grand = x.mean()
    msr = k * ((x.mean(1) - grand) ** 2).sum() / (n - 1)
    msc = n * ((x.mean(0) - grand) ** 2).sum() / (k - 1)
    msw = ((x - x.mean(1, keepdims=True)) ** 2).sum() / (n * (k - 1))
    mse = ((x - x.mean(1, keepdims=True) - x.mean(0) + grand) ** 2).sum() / ((n - 1) * (k - 1))
    quantile = lambda a, b: stats.f.ppf(0.975, a, b)
    out = {}

    def ratio(name, f, df):
        low, high = f / quantile(n - 1, df), f * quantile(df, n - 1)
        out[f"{name},1"] = ((f - 1) / (f + k - 1), (low - 1) / (low + k - 1), (high - 1) / (high + k - 1))
        out[f"{name},k"] = (1 - 1 / f, 1 - 1 / low, 1 - 1 / high)

    ratio("1", msr / msw, n * (k - 1))
    ratio("3", msr / mse, (n - 1) * (k - 1))
    two = (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n)
    a = k * two / (n * (1 - two))
    b = 1 + k * two * (n - 1) / (n * (1 - two))
    v = (a * msc + b * mse) ** 2 / ((a * msc) ** 2 / (k - 1) + (b * mse) ** 2 / ((n - 1) * (k - 1)))
    fl, fu = quantile(n - 1, v), quantile(v, n - 1)
    low = n * (msr - fl * mse) / (fl * (k * msc + (k * n - k - n) * mse) + n * msr)
    high = n * (fu * msr - mse) / (k * msc + (k * n - k - n) * mse + n * fu * msr)
    out["2,1"] = (two, low, high)
    up = lambda r: k * r / (1 + (k - 1) * r)
    out["2,k"] = ((msr - mse) / (msr + (msc - mse) / n), up(low), up(high))
    return out


texts = rows("texts.csv")
names = [row["doc_id"] for row in texts]
rated = {(row["doc_id"], row["annotator"]): row for row in rows("ratings.csv")}
said = lambda what, d: [rated[d, a][what] for a in PEOPLE if rated.get((d, a), {}).get(what)]
labels = [said("label", d) for d in names]
numbers = [[int(x) for x in said("score", d)] for d in names]
five = [1, 2, 3, 4, 5]

# Agreement among people.
fl, gl = coefficients(counts(labels, LABELS), 3, "linear")
fn, gn = coefficients(counts(numbers, five), 5, "identity")
write("humans.csv", ["what", "of"], [
    ("agreement", "labels", agreement(labels)), ("fleiss", "labels", fl), ("gwet", "labels", gl),
    ("alpha_ordinal", "labels", alpha(labels, "ordinal", LABELS)),
    ("agreement", "numbers", agreement(numbers)), ("fleiss", "numbers", fn), ("gwet", "numbers", gn),
    ("alpha_ordinal", "numbers", alpha(numbers, "ordinal", five)),
    ("alpha_interval", "numbers", alpha(numbers, "interval", five)),
])
both = lambda what, a, b: zip(*[
    (rated[d, a][what], rated[d, b][what]) for d in names
    if rated.get((d, a), {}).get(what) and rated.get((d, b), {}).get(what)
])
among = list(itertools.combinations(PEOPLE, 2))
write("pairs.csv", ["rater", "against"],
      [(a, b, kappa(*both("label", a, b), LABELS, "linear")) for a, b in among])
write("wide.csv", ["form"], [("wide", fl), ("brought into long form", fl)])

# The judge beside the ceiling.
replied = judged("score.toml", "score.j2", texts, 5, **{"scale.min": "1", "scale.max": "5"})
replied = {d: [int(x) for x in replied[d]] for d in names}
mean = {d: np.mean(replied[d]) for d in names}
worded = judged("label.toml", "label.j2", texts, 1, **{'scale.labels | join(", ")': "Poor, Fair, Good"})
worded = {d: worded[d][0] for d in names}


def with_judge(what, a, judge):
    known = [d for d in names if rated.get((d, a), {}).get(what)]
    return [rated[d, a][what] for d in known], [judge[d] for d in known]


numeric = lambda pair: [np.array(side, float) for side in pair]
sides = {
    "raters": ([numeric(both("score", a, b)) for a, b in among], [list(both("label", a, b)) for a, b in among]),
    "reference": ([numeric(with_judge("score", a, mean)) for a in PEOPLE],
                  [with_judge("label", a, worded) for a in PEOPLE]),
}
lines = []
for side, (scores, words) in sides.items():
    lines += [
        (side, "pearson", np.mean([stats.pearsonr(*p)[0] for p in scores])),
        (side, "spearman", np.mean([stats.spearmanr(*p)[0] for p in scores])),
        (side, "same label", np.mean([np.mean([x == y for x, y in zip(*p)]) for p in words])),
        (side, "kappa", np.mean([kappa(*p, LABELS, "linear") for p in words])),
    ]
write("ceiling.csv", ["between", "what"], lines)

# Reliability: notes that all three scored.
whole = np.array([it for it in numbers if len(it) == 3], float)
forms = icc(whole)
write("icc.csv", ["form", "what"], [
    (form, what, value)
    for form in ["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"]
    for what, value in zip(["icc", "from", "to"], forms[form])
])

# The judge and the mean of people.
x = np.array([mean[d] for d in names])
y = np.array([np.mean(it) for it in numbers])
n = len(x)


def interval(r, se):
    return r, np.tanh(np.arctanh(r) - Z * se), np.tanh(np.arctanh(r) + Z * se)


rho, tau = stats.spearmanr(x, y)[0], stats.kendalltau(x, y)[0]
fits = {
    "pearson": interval(stats.pearsonr(x, y)[0], (n - 3) ** -0.5),
    "spearman": interval(rho, ((1 + rho**2 / 2) / (n - 3)) ** 0.5),
    "kendall": interval(tau, (0.437 / (n - 4)) ** 0.5),
}
write("correlation.csv", ["what", "is"], [
    (what, name, value) for what, three in fits.items() for name, value in zip(["r", "from", "to"], three)
])
off = x - y
half = stats.t.ppf(0.975, n - 1) * off.std(ddof=1) / n**0.5
write("bland-altman.csv", ["what"], [
    ("mean difference", off.mean()), ("from", off.mean() - half), ("to", off.mean() + half),
    ("lower limit", off.mean() - 1.96 * off.std(ddof=1)), ("upper limit", off.mean() + 1.96 * off.std(ddof=1)),
])

# Labels: the majority is what more than half of the labels say.
most = {d: next((k for k, c in Counter(it).items() if c > len(it) / 2), None) for d, it in zip(names, labels)}
known = [d for d in names if most[d]]
cell = np.array([[sum(most[d] == t and worded[d] == g for d in known) for g in LABELS] for t in LABELS])
recall, precision = np.diag(cell) / cell.sum(1), np.diag(cell) / cell.sum(0)
f1 = 2 * np.diag(cell) / (cell.sum(0) + cell.sum(1))
s, c = cell.sum(), np.trace(cell)
t, p = cell.sum(1), cell.sum(0)
mcc = (c * s - t @ p) / ((s**2 - p @ p) * (s**2 - t @ t)) ** 0.5
write("classification.csv", ["what"], [
    ("accuracy", c / s), ("balanced accuracy", recall.mean()), ("macro F1", f1.mean()), ("MCC", mcc),
])
write("classes.csv", ["class", "what"], [
    (label, what, value[k]) for k, label in enumerate(LABELS)
    for what, value in [("precision", precision), ("recall", recall), ("F1", f1)]
])
write("confusion.csv", ["truth", "given"], [
    (a, b, str(cell[i, j])) for i, a in enumerate(LABELS) for j, b in enumerate(LABELS)
])

# The judge with itself.
five_times = [replied[d] for d in names]
grid = np.array(five_times, float)
write("itself.csv", ["what"], [
    ("same score", agreement(five_times)), ("alpha", alpha(five_times, "interval", five)),
    ("ICC of one reply", icc(grid)["1,1"][0]),
])
within = grid.var(axis=1, ddof=1).mean()
between = max(0, grid.mean(1).var(ddof=1) - within / 5)
write("replies.csv", ["repeats", "what"], [
    (k, what, value) for k in [1, 3, 5, 10]
    for what, value in [("between notes", between), ("within", within),
                        ("standard error", ((between + within / k) / len(names)) ** 0.5)]
])

# Rates.
notices = rows("notices.csv")
yes = judged("when.toml", "when.j2", notices, 1)
yes = {d: float(v[0] == "Yes.") for d, v in yes.items()}
checked = {row["doc_id"]: float(row["human"] == "yes") for row in rows("notices-checked.csv")}
every = np.array(list(yes.values()))
f = np.array([yes[d] for d in checked])
h = np.array(list(checked.values()))
u = np.array([v for d, v in yes.items() if d not in checked])
half = stats.t.ppf(0.975, len(every) - 1) * every.std(ddof=1) / len(every) ** 0.5
lines = [("judge as it is", "share", every.mean()), ("judge as it is", "from", every.mean() - half),
         ("judge as it is", "to", every.mean() + half), ("people alone", "share", h.mean())]


def rogan_gladen(p, n, tpr, n1, tnr, n0):
    j = tpr + tnr - 1
    rate = (p + tnr - 1) / j
    var = p * (1 - p) / n + (1 - rate) ** 2 * tnr * (1 - tnr) / n0 + rate**2 * tpr * (1 - tpr) / n1
    return rate, var**0.5 / j


n1, n0 = h.sum(), (1 - h).sum()
tp, tn = (f * h).sum(), ((1 - f) * (1 - h)).sum()
rate, se = rogan_gladen(u.mean(), len(u), tp / n1, n1, tn / n0, n0)
lines += [("Rogan-Gladen", "share", rate), ("Rogan-Gladen", "from", rate - Z * se), ("Rogan-Gladen", "to", rate + Z * se)]
# Lang and Reiczigel 2014: adjusted counts, and a shift of the middle.
m, a, b = len(u) + Z**2, n1 + 2, n0 + 2
pa, sea, spa = (u.sum() + Z**2 / 2) / m, (tp + 1) / a, (tn + 1) / b
middle, se = rogan_gladen(pa, m, sea, a, spa, b)
shift = 2 * Z**2 * (middle * sea * (1 - sea) / a - (1 - middle) * spa * (1 - spa) / b)
lines += [("Lang-Reiczigel", "from", middle + shift - Z * se), ("Lang-Reiczigel", "to", middle + shift + Z * se)]
tuned = np.cov(h, f, ddof=0)[0, 1] / ((1 + len(h) / len(u)) * every.var(ddof=1))
lam = min(1, max(0, tuned))
point = lam * u.mean() + (h - lam * f).mean()
se = (lam**2 * u.var() / len(u) + (h - lam * f).var() / len(h)) ** 0.5
lines += [("prediction-powered", "share", point), ("prediction-powered", "from", point - Z * se),
          ("prediction-powered", "to", point + Z * se)]
write("corrected.csv", ["by", "what"], lines)
