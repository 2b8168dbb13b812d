#!/usr/bin/env python3
"""A preprocessor of mdBook: links that leave `docs` lead to the repository, as seen from the commit that is built.

Without GITHUB_REPOSITORY they stay as they are, for a look at the site on this machine. Links to the index lead to the page that
mdBook makes of it.
"""

import json
import os
import posixpath
import re
import sys

LINK = re.compile(r"\]\((?!#|[a-z]+:)([^)\s#]+)(#[^)\s]*)?\)")


def rewritten(text: str, page: str, source: str | None) -> str:
    def link(found: re.Match) -> str:
        path, anchor = found[1], found[2] or ""
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), path))
        if target == "docs/README.md":
            return f"]({posixpath.relpath('index.md', posixpath.dirname(page) or '.')}{anchor})"
        if target.startswith("docs/") or source is None:
            return found[0]
        return f"]({source}/{target}{anchor})"

    return LINK.sub(link, text)


def walk(items: list, source: str | None) -> None:
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            if chapter.get("source_path"):
                chapter["content"] = rewritten(chapter["content"], chapter["source_path"], source)
            walk(chapter["sub_items"], source)


def main() -> None:
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    source = None
    if repository := os.environ.get("GITHUB_REPOSITORY"):
        server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
        source = f"{server}/{repository}/blob/{os.environ.get('GITHUB_SHA', 'HEAD')}"
    walk(book.get("items") or book["sections"], source)
    json.dump(book, sys.stdout)


main()
