"""Writes the reference values that the unit tests of `src/stats` compare with.

Run `python3 generate.py` in this folder; needs scipy and mpmath, nothing else. Student's t and the
critical values come from mpmath with 60 to 400 digits and are cross-checked against scipy here; Holm and
Bonferroni are written out from their definitions; everything else is scipy's.
"""

import json
import math
import random
from pathlib import Path

import mpmath as mp
import numpy as np
import scipy
from scipy import stats

mp.mp.dps = 60
HERE = Path(__file__).parent


def save(name, value):
    text = json.dumps(value, indent=1, allow_nan=False)
    (HERE / name).write_text(text + "\n", encoding="utf-8")


def two_sided(t, df):
    with mp.workdps(400):  # far out the value is what is left of a difference of numbers near 1
        t, df = mp.mpf(t), mp.mpf(df)
        return mp.betainc(df / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True)


def two_sided_by_integral(t, df):
    """A second route for large df, where mpmath's series for the beta function is too slow."""
    t, df = mp.mpf(t), mp.mpf(df)
    norm = mp.exp(mp.loggamma((df + 1) / 2) - mp.loggamma(df / 2)) / mp.sqrt(df * mp.pi)
    fall = lambda s: mp.exp(-(df + 1) / 2 * mp.log1p(s * s / df))
    if t < 1:
        return 1 - 2 * norm * mp.quad(fall, [0, t])
    # Divided by its value at t, since the quadrature aims at an absolute error; it falls by about e
    # over 1/t.
    points = [t + k / t for k in [*range(40), *range(40, 200, 10), *range(200, 1201, 100)]]
    return 2 * norm * fall(t) * mp.quad(lambda s: fall(s) / fall(t), points)


def check(ours, theirs, tolerance, what):
    ours, theirs = float(ours), float(theirs)
    if ours != theirs and abs(ours - theirs) > tolerance * abs(ours):
        raise SystemExit(f"{what}: {ours!r} against scipy's {theirs!r}")


def student():
    p_cases = []
    for df in (1, 1.5, 2, 3, 5, 9, 29, 30, 63, 64, 64.5, 199, 1000, 12345):
        for t in (1e-12, 1e-5, 0.01, 0.3, 1, 1.669, 1.7, 1.75, 2, 3.3, 6.452, 12.646, 17.147, 40, 1e3, 1e8, 1e30):
            p = two_sided(t, df)
            if p < mp.mpf("1e-300"):
                continue
            if t < 1e3:  # scipy itself loses digits far out
                check(p, 2 * stats.t.sf(t, df), 1e-10, f"p({t}, {df})")
            p_cases.append({"t": t, "df": df, "p": float(p)})
    for df in (1e5, 1e7, 1e9):
        for t in (1e-6, 0.5, 1.7, 1.75, 3.0, 10.0, 20.0, 36.0):
            p = two_sided_by_integral(t, df)
            if df == 1e5 and abs(p / two_sided(t, df) - 1) > 1e-25:
                raise SystemExit(f"the two routes differ at t {t}, df {df}")
            check(p, 2 * stats.t.sf(t, df), 1e-9, f"p({t}, {df})")
            p_cases.append({"t": t, "df": df, "p": float(p)})
    # t chosen so that p lies near 1e-50, 1e-150, 1e-299
    for df in (10, 64, 300):
        for exponent in (-50, -150, -299):
            t = float(mp.findroot(lambda s: mp.log10(two_sided(mp.e**s, df)) - exponent, -exponent * mp.log(10) / df))
            t = float(f"{math.exp(t):.6g}")
            p_cases.append({"t": t, "df": df, "p": float(two_sided(t, df))})

    critical = []
    for df in (1, 1.5, 2, 3, 5, 12, 29, 64, 500, 1e4):
        for level in (1e-9, 0.01, 0.3, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1 - 1e-9):
            for sides in ("one", "two"):
                outside = 1 - mp.mpf(level) if sides == "two" else 2 * (1 - mp.mpf(level))
                sign = 1
                if outside > 1:
                    outside, sign = 2 - outside, -1
                inside = 1 - outside
                quantile = stats.t.ppf(level if sides == "one" else 0.5 + level / 2, df)
                if inside == 0:
                    root = mp.mpf(0)
                else:
                    # ln c solves ln(mass) = ln(target) for the smaller of both masses
                    if outside < inside:
                        gap = lambda s: mp.log(two_sided(mp.exp(s), df) / outside)
                    else:
                        gap = lambda s: mp.log((1 - two_sided(mp.exp(s), df)) / inside)
                    start = mp.log(abs(mp.mpf(float(quantile)))) if quantile else mp.mpf(0)
                    root = sign * mp.exp(mp.findroot(gap, (start, start + mp.mpf("0.001")), tol=1e-40))
                if 0.01 <= level <= 0.999 and level != 0.5:
                    check(root, quantile, 1e-9, f"critical({level}, {df}, {sides})")
                critical.append({"level": level, "df": df, "sides": sides, "value": float(root)})

    normal = []
    for level in (1e-6, 0.1, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1 - 1e-12):
        z = mp.sqrt(2) * mp.erfinv(mp.mpf(level))
        check(z, stats.norm.ppf(0.5 + level / 2), 1e-4, f"normal({level})")
        normal.append({"level": level, "value": float(z)})
    save("student.json", {"p": p_cases, "critical": critical, "normal": normal})


def samples():
    rng = random.Random(20250728)
    half_points = lambda n: [rng.randrange(2, 11) / 2 for _ in range(n)]
    deltas = lambda n, shift: [rng.randrange(-4, 5) / 2 + shift for _ in range(n)]
    yield "half points", half_points(65)
    yield "differences of half points", deltas(65, 0.0)
    yield "clear negative differences", [d - 3.0 for d in deltas(30, 0.0)]
    yield "tenths", [rng.randrange(10, 51) / 10 for _ in range(30)]
    yield "two values", [0.5, -1.5]
    yield "one differs", [0.0] * 19 + [0.5]
    yield "mean zero", [1.0, -1.0, 0.5, -0.5, 2.0, -2.0]
    yield "far from zero", [1e9 + rng.random() for _ in range(40)]
    yield "tiny", [rng.random() * 1e-200 for _ in range(11)]
    yield "huge", [rng.uniform(-1, 1) * 1e200 for _ in range(11)]
    yield "normal", [rng.gauss(0.2, 1.0) for _ in range(500)]
    yield "very strong", [1.0 + rng.gauss(0, 1e-3) for _ in range(100)]


def exact_moments(values):
    exact = [mp.mpf(v) for v in values]
    mean = mp.fsum(exact) / len(exact)
    squares = mp.fsum((v - mean) ** 2 for v in exact)
    return mean, squares


def tests():
    cases = []
    for name, values in samples():
        n = len(values)
        mean, squares = exact_moments(values)
        sd0, sd1 = mp.sqrt(squares / n), mp.sqrt(squares / (n - 1))
        se = sd1 / mp.sqrt(n)
        t = mean / se
        p = two_sided(abs(t), n - 1)
        if name not in ("tiny", "huge"):
            check(sd0, np.std(values), 1e-6, name)
            theirs = stats.ttest_1samp(values, 0)
            if name != "far from zero":
                check(t, theirs.statistic, 1e-9, name)
                check(p, theirs.pvalue, 1e-9, name)
            interval = [float(end) for end in theirs.confidence_interval(0.9)]
        else:
            c = mp.mpf(float(stats.t.ppf(0.95, n - 1)))
            interval = [float(mean - c * se), float(mean + c * se)]
        cases.append({
            "name": name, "values": values, "n": n, "mean": float(mean), "sd0": float(sd0), "sd1": float(sd1),
            "se": float(se), "min": min(values), "max": max(values), "median": float(np.median(values)),
            "t": float(t), "p": float(p), "dz": float(mean / sd1), "interval90": interval,
        })
    # pairs, against scipy's own paired test
    rng = random.Random(65)
    gold = [rng.randrange(6, 11) / 2 for _ in range(65)]
    damaged = [max(1.0, g - rng.choice([0, 0, 0.5, 0.5, 1.0, -0.5])) for g in gold]
    theirs = stats.ttest_rel(damaged, gold)
    low, high = theirs.confidence_interval(0.95)
    less, greater = (stats.ttest_rel(damaged, gold, alternative=side).pvalue for side in ("less", "greater"))
    paired = {"left": damaged, "right": gold, "t": theirs.statistic, "p": theirs.pvalue, "df": int(theirs.df),
              "less": less, "greater": greater, "interval95": [low, high]}
    save("samples.json", {"samples": cases, "paired": paired})


def by_definition(p, method):
    """Straight from the definitions: for each value, over the whole family, no running extremes."""
    order = sorted(p)
    m = len(order)
    if method == "bonferroni":
        return [min(1.0, m * v) for v in p]
    if method == "holm":
        return [max(min(1.0, (m - j) * order[j]) for j in range(order.index(v) + 1)) for v in p]
    raise ValueError(method)


def corrections():
    rng = random.Random(5)
    families = [
        [0.01, 0.04, 0.03, 0.005],
        [0.05, 0.05, 0.05],
        [1.0, 0.5, 0.9],
        [0.0, 1e-300, 1e-12, 0.2],
        [0.7],
        [],
        [0.01, None, 0.04, None, None, 0.03],
        [None, None],
        [rng.random() ** 3 for _ in range(40)],
        [rng.choice([0.001, 0.01, 0.02, 0.3]) for _ in range(25)],
    ]
    out = []
    for family in families:
        present = [v for v in family if v is not None]
        case = {"raw": family}
        adjusted = {
            "bonferroni": by_definition(present, "bonferroni"),
            "holm": by_definition(present, "holm"),
            "benjamini-hochberg": list(map(float, stats.false_discovery_control(present, method="bh"))) if present else [],
        }
        for method, values in adjusted.items():
            values = iter(values)
            case[method] = [None if v is None else next(values) for v in family]
        out.append(case)
    save("corrections.json", out)


def shares():
    out = []
    for hits, n in ((0, 1), (1, 1), (0, 65), (65, 65), (1, 65), (32, 65), (7, 30), (420, 420), (3, 100000), (99997, 100000), (1, 10**9)):
        for level in (0.5, 0.9, 0.95, 0.999):
            z = mp.sqrt(2) * mp.erfinv(mp.mpf(level))
            p = mp.mpf(hits) / n
            center = (p + z * z / (2 * n)) / (1 + z * z / n)
            half = z / (1 + z * z / n) * mp.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
            low, high = max(center - half, mp.mpf(0)), min(center + half, mp.mpf(1))
            low, high = (mp.mpf(0) if hits == 0 else low), (mp.mpf(1) if hits == n else high)
            if n <= 100000:
                theirs = stats.binomtest(hits, n).proportion_ci(level, method="wilson")
                for ours, other in ((low, theirs.low), (high, theirs.high)):
                    if abs(float(ours) - other) > 1e-13:
                        raise SystemExit(f"wilson({hits}, {n}, {level}): {ours} against scipy's {other}")
            out.append({"hits": hits, "n": n, "level": level, "low": float(low), "high": float(high)})
    save("shares.json", out)


if __name__ == "__main__":
    student()
    tests()
    corrections()
    shares()
    print("written with scipy", scipy.__version__, "and mpmath", mp.__version__)
