"""The documents of the checkout as tests read them: blocks with their marks, code in the text, links, anchors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["DOCUMENTS", "ROOT", "Block", "anchors", "blocks", "code_spans", "links", "name_of", "prose"]

ROOT: Final = Path(__file__).resolve().parents[2]
DOCUMENTS: Final = tuple(sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")]))

_MARK: Final = re.compile(r"<!-- not run: (.+?) -->")
_FENCE: Final = re.compile(r"^( *)```(.*)$")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language ("" for none), text, line, the reason why it is ``not_run`` ("" where it is), and
    whether it directly ``follows`` the block before it."""

    language: str
    text: str
    line: int
    not_run: str
    follows: bool


def name_of(document: Path) -> str:
    """Return the path of a document in the checkout."""
    return document.relative_to(ROOT).as_posix()


def blocks(text: str) -> tuple[Block, ...]:
    """Return the fenced blocks of a document in their order."""
    found: list[Block] = []
    mark, follows = "", False
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if opened := _FENCE.match(line):
            inside = []
            for _, inner in lines:
                if inner.strip() == "```":
                    break
                inside.append(inner.removeprefix(opened[1]))
            found.append(Block(opened[2], "".join(f"{one}\n" for one in inside), number, mark, follows))
            mark, follows = "", True
        elif marked := _MARK.fullmatch(line.strip()):
            mark, follows = marked[1], False
        elif line.strip():
            mark, follows = "", False
    return tuple(found)


def prose(text: str) -> str:
    """Return a document without its fenced blocks."""
    kept, inside = [], False
    for line in text.splitlines():
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def code_spans(text: str) -> Iterator[str]:
    """Yield what stands in backticks outside the blocks, each on one line."""
    for span in re.findall(r"`([^`]+)`", prose(text)):
        yield " ".join(span.split())


def links(text: str) -> Iterator[tuple[str, str]]:
    """Yield the file ("" for the document itself) and the anchor of each link that stays in the checkout."""
    bare = re.sub(r"`[^`]*`", "", prose(text))
    for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", bare):
        file, _, anchor = target.partition("#")
        yield file, anchor


def anchors(text: str) -> frozenset[str]:
    """Return the anchors that a forge makes of the headings of a document."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", prose(text), re.MULTILINE):
        bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", bare).replace(" ", "-")
        number, made = 0, slug
        while made in found:
            number += 1
            made = f"{slug}-{number}"
        found.add(made)
    return frozenset(found)
