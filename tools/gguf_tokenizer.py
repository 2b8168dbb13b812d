"""Writes the tokenizer inside a GGUF model file as a `tokenizer.json`, which specs and other tools can name.

    python3 tools/gguf_tokenizer.py MODEL.gguf tokenizer.json

Counts tokens as the llama.cpp server does that serves the model. Of the many ways in which llama.cpp parts a text
before its merges apply (`tokenizer.ggml.pre`), only those under `SPLITS` are known here, each checked against a
server; any other ends the program, since a count that is nearly right is wrong. Standard library only.
"""

import argparse
import json
import os
import struct
import sys

# Numbers in GGUF metadata by their type, little-endian: see docs/gguf.md of ggml.
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, LIST = 8, 9

# Types of tokens: those that stand for themselves wherever they occur in a text.
CONTROL, USER_DEFINED = 3, 4

# How a text is parted before merges apply, by the name that llama.cpp has for it: every digit alone, then the
# regular expression that GPT-2 came with, for SmolLM.
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
SPLITS = {
    "smollm": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, BYTES]},
}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("model", help="a GGUF file")
    options.add_argument("tokenizer", help="the file to write, such as tokenizer.json")
    options = options.parse_args()
    try:
        write(options.model, options.tokenizer)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")


def write(model, file):
    """Writes `file` with the tokenizer inside `model`; ValueError says what is not understood."""
    made = json.dumps(tokenizer(metadata(model), model), ensure_ascii=False)
    # Renamed into place, so that no half of it is ever read.
    with open(f"{file}.part", "w", encoding="utf-8", newline="\n") as part:
        part.write(made)
    os.replace(f"{file}.part", file)


def metadata(path):
    """What a GGUF file says about its model, by key."""
    with open(path, "rb") as file:
        if file.read(4) != b"GGUF":
            raise ValueError(f"`{path}` is no GGUF file")
        version, _tensors, entries = number(file, "I"), number(file, "Q"), number(file, "Q")
        if version not in (2, 3):
            raise ValueError(f"`{path}` has GGUF version {version}; known are 2 and 3")
        # The key stands before its value, and in this order they are read.
        return {text(file): value(file, number(file, "I")) for _ in range(entries)}


def value(file, kind):
    """The next value, which is of this kind."""
    if kind == STRING:
        return text(file)
    if kind == LIST:
        inner, length = number(file, "I"), number(file, "Q")
        return [value(file, inner) for _ in range(length)]
    if kind in NUMBERS:
        return number(file, NUMBERS[kind])
    raise ValueError(f"`{file.name}` has a value of the unknown type {kind}")


def number(file, form):
    """The next number, in a form of `struct`."""
    return struct.unpack(f"<{form}", exactly(file, struct.calcsize(f"<{form}")))[0]


def text(file):
    """The next text."""
    return exactly(file, number(file, "Q")).decode("utf-8")


def exactly(file, length):
    """The next bytes; a file that ends before them is broken off."""
    found = file.read(length)
    if len(found) < length:
        raise ValueError(f"`{file.name}` is broken off")
    return found


def tokenizer(known, path):
    """A `tokenizer.json` as a value, from the metadata of a model."""
    model, split = known.get("tokenizer.ggml.model"), known.get("tokenizer.ggml.pre")
    if model != "gpt2" or split not in SPLITS:
        raise ValueError(f"`{path}` has a tokenizer `{model}` that parts texts as `{split}`; "
                         f"known is `gpt2` with {', '.join(f'`{name}`' for name in SPLITS)}")
    tokens, kinds = known["tokenizer.ggml.tokens"], known["tokenizer.ggml.token_type"]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": place,
                "content": token,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": kind == CONTROL,
            }
            for place, (token, kind) in enumerate(zip(tokens, kinds))
            if kind in (CONTROL, USER_DEFINED)
        ],
        "normalizer": None,
        "pre_tokenizer": SPLITS[split],
        "post_processor": None,
        "decoder": BYTES,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: place for place, token in enumerate(tokens)},
            # Neither half of a merge holds a blank: blanks are written as `Ġ`.
            "merges": [merge.split(" ") for merge in known["tokenizer.ggml.merges"]],
        },
    }


if __name__ == "__main__":
    main()
