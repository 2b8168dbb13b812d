"""Annotates documents with spaCy, as an external annotator of tribunal (protocol 1, see src/language/text/external).

    pip install spacy==3.8.11 click && python -m spacy download en_core_web_sm
    python tools/annotate_spacy.py --model en_core_web_sm

(spaCy 3.8.11 imports `click`, which newer versions of `typer` no longer bring along.) One JSON object per line comes
in, one goes out in the same order, after a greeting with the versions of spaCy and of the model: declare exactly that
name in the spec. Components that nothing wanted needs are switched off. A neural model's answers can differ between
processors.
"""

import argparse
import itertools
import json
import os
import sys

import spacy

# The components that each wish needs, as spaCy's own models call them. All others are switched off.
SHARED = {"tok2vec", "transformer"}
NEEDED = {
    "sentences": {"parser", "senter", "sentencizer"},
    "words": {"tagger", "attribute_ruler"},
    "entities": {"ner", "entity_ruler"},
}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--model", default="en_core_web_sm", help="an installed model, or the folder of one")
    options.add_argument("--batch", type=int, default=8, help="documents that are handed to spaCy together")
    options.add_argument("--max-length", type=int, help="longest document in characters (takes much memory)")
    options = options.parse_args()

    # Only replies may go to standard output; whatever a library prints goes to standard error.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)

    nlp = spacy.load(options.model)
    if options.max_length:
        nlp.max_length = options.max_length
    meta = nlp.meta
    name = f"spacy {spacy.__version__} {meta['lang']}_{meta['name']} {meta['version']}"
    write(replies, {"annotator": name, "protocol": 1})

    requests = (json.loads(line) for line in sys.stdin.buffer if line.strip())
    for want, group in itertools.groupby(requests, key=lambda request: request["want"]):
        with nlp.select_pipes(disable=not_needed(nlp, want)):
            texts = ((within_limit(nlp, request)["text"], request) for request in group)
            for doc, request in nlp.pipe(texts, as_tuples=True, batch_size=options.batch):
                write(replies, reply(doc, request))


def not_needed(nlp, want):
    """The components that nothing wanted needs; ends the program where a wish has none at all."""
    needed = set(SHARED)
    for wish in want:
        if wish not in NEEDED:
            sys.exit(f"`{wish}` is not known here: there are {', '.join(NEEDED)}")
        if not NEEDED[wish] & set(nlp.pipe_names):
            sys.exit(f"the model has no component for {wish}: it has {', '.join(nlp.pipe_names) or 'none at all'}")
        needed |= NEEDED[wish]
    return [name for name in nlp.pipe_names if name not in needed]


def within_limit(nlp, request):
    """The request, where spaCy takes a text of that length."""
    length = len(request["text"])
    if length > nlp.max_length:
        sys.exit(
            f"document {request['id']} has {length} characters and spaCy takes {nlp.max_length}: "
            "shorten it or raise --max-length"
        )
    return request


def reply(doc, request):
    """What is wanted about one document; places count characters."""
    # Not `doc.text`, which puts the text together anew each time it is asked for.
    text, want = request["text"], request["want"]
    answer = {"id": request["id"]}
    if "sentences" in want:
        spans = (stripped(text, sentence.start_char, sentence.end_char) for sentence in doc.sents)
        answer["sentences"] = [[start, end] for start, end in spans if start < end]
    if "words" in want:
        answer["words"] = [[t.idx, t.idx + len(t), t.tag_] for t in doc if not t.is_space]
    if "entities" in want:
        spans = ((*stripped(text, e.start_char, e.end_char), e.label_) for e in doc.ents)
        answer["entities"] = [[start, end, label] for start, end, label in spans if start < end]
    return answer


def stripped(text, start, end):
    """A stretch without the blanks around it."""
    stretch = text[start:end]
    start += len(stretch) - len(stretch.lstrip())
    return start, start + len(stretch.strip())


def write(replies, value):
    """One line, at once: the other side waits for it."""
    replies.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
    replies.flush()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
