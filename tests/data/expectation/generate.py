"""Writes the expectations that the unit tests of `src/models/logprobs` compare with: cases.json.

Run `python3 generate.py` in this folder; needs numpy, nothing else. Which mark an alternative stands for is written
down here by hand, and the mean is taken with numpy alone.
"""

import json
from pathlib import Path

import numpy as np

draw = np.random.default_rng(20)


def logprobs(alternatives, listed=0.98):
    """Log-probabilities of so many tokens: a softmax of drawn numbers, of which some probability is not listed."""
    drawn = draw.normal(scale=2.0, size=len(alternatives))
    shares = listed * np.exp(drawn) / np.exp(drawn).sum()
    return np.log(shares)


def case(name, scale, before, alternatives, written, behind="", labels=None):
    """One token decides: `alternatives` holds each token with the value of its mark, or None off the scale."""
    logs = logprobs(alternatives)
    values = np.array([np.nan if value is None else value for _, value in alternatives])
    on = ~np.isnan(values)
    shares = np.exp(logs[on])
    place = {token: float(log) for (token, _), log in zip(alternatives, logs)}
    tokens = [[[token, -0.25]] for token in before]
    tokens.append([[token, log] for token, log in place.items()])
    tokens += [[[behind, -0.5]]] if behind else []
    return {
        "name": name,
        "scale": scale,
        "labels": labels,
        "text": "".join(before) + written + behind,
        "logprobs": tokens,
        "verdict": written.strip(' :"*'),
        "score": float(shares @ values[on] / shares.sum()),
        "mass": float(shares.sum()),
    }


def divided():
    """`1` begins 1 and 10, and the token behind it says which."""
    first, second = ["1", "7", "8", "The"], ["0", "\n", ".", "1"]
    a, b = logprobs(first), logprobs(second)
    (one, seven, eight, _), (zero, line, stop, _) = np.exp(a), np.exp(b)
    # "11" is off the scale; what is not listed behind "1" is of no mark.
    shares = np.array([one * (line + stop), seven, eight, one * zero])
    return {
        "name": "a token that begins two marks is divided by the one behind it",
        "scale": [1, 10, 1],
        "labels": None,
        "text": "Score: 10",
        "logprobs": [[["Score: ", -0.25]], list(map(list, zip(first, a.tolist()))), list(map(list, zip(second, b.tolist())))],
        "verdict": "10",
        "score": float(shares @ np.array([1, 7, 8, 10]) / shares.sum()),
        "mass": float(shares.sum()),
    }


five = [["1", 1], ["2", 2], ["3", 3], ["4", 4], ["5", 5]]
words = {"Poor": 1, "Fair": 2, "Excellent": 3}
cases = [
    case("five marks", [1, 5, 1], ["Score", ":", " "], five + [["The", None], ["0", None], ["6", None]], "4"),
    case(
        "blanks and capitals do not matter",
        [1, 5, 1],
        ["Score:"],
        [[" 1", 1], ["2", 2], [" 2", 2], ["\n4", 4], [" 4", 4], ["5 ", 5], ["\uff15", 5], [" four", None], ["45", None]],
        " 4",
    ),
    case(
        "what stands around the mark in its token stands there in the others",
        [1, 5, 1],
        ['{"fluency"'],
        [[":1", 1], [": 2", 2], [":4", 4], ["4", None], [':"4', None], ["::4", None]],
        ":4",
        "}",
    ),
    case("from 0", [0, 3, 1], [], [["0", 0], ["1", 1], ["2", 2], ["3", 3], ["-1", None]], "2"),
    case(
        "a longer mark that is a token itself",
        [1, 10, 1],
        ["Score: "],
        [["1", 1], ["10", 10], ["9", 9], ["8", 8], ["11", None]],
        "9",
    ),
    divided(),
    case(
        "labels",
        None,
        ["Overall: "],
        [["Poor", 1], [" poor", 1], ["Fair", 2], ["FAIR", 2], ["Ex", 3], ["E", None], ["Pretty", None], ["2", None]],
        "Fair",
        labels=words,
    ),
    case(
        "the begin of a label that was written",
        None,
        ["Overall: "],
        [["Ex", 3], ["Fair", 2], ["Good", None]],
        "Ex",
        "cellent",
        labels=words,
    ),
    case(
        "labels that differ in capitals",
        None,
        [],
        [["m", 1], ["M", 2], [" M", 2], ["MM", None], ['"M', None]],
        "M",
        labels={"m": 1, "M": 2},
    ),
]
for one in cases:
    if one["name"].startswith("the begin"):
        one["verdict"] = "Excellent"
text = json.dumps(cases, indent=1, ensure_ascii=False, allow_nan=False)
(Path(__file__).parent / "cases.json").write_text(text + "\n", encoding="utf-8")
