"""Find shifts that Cython would compile with 32 bits: a constant left of ``<<`` and a variable on its right.

A literal, or an UPPER_CASE constant (a C enum), is a C ``int``: ``1 << card`` loses every card above 30 without a word.
``bit(card)`` is the 64-bit form. Read are the modules that are compiled, those with a ``.pxd`` beside them.

    python scripts/shift_lint.py [FOLDER]      exits with 1 and one line per finding
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Final

from buraco._pure import compiled_names

ENGINE: Final = Path(__file__).resolve().parent.parent / "src" / "buraco" / "engine"


def is_constant(node: ast.expr) -> bool:
    """Say whether an expression is made of literals and UPPER_CASE names only."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    if isinstance(node, ast.Name):
        return node.id.isupper()
    if isinstance(node, ast.UnaryOp):
        return is_constant(node.operand)
    if isinstance(node, ast.BinOp):
        return is_constant(node.left) and is_constant(node.right)
    if isinstance(node, ast.IfExp):
        return is_constant(node.body) and is_constant(node.orelse)
    return False


def findings(source: str, name: str) -> list[str]:
    """Return ``name:line: shift`` for every such shift in a source text, in the order of their lines.

    A comparison left of ``<<`` counts as a literal: in C it is an ``int`` too.
    """
    found = [
        (node.lineno, ast.unparse(node))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.LShift)
        and (is_constant(node.left) or isinstance(node.left, ast.Compare | ast.BoolOp))
        and not is_constant(node.right)
    ]
    return [f"{name}:{line}: {text}: compiled, the left side has 32 bits; use bit()" for line, text in sorted(found)]


def folder_findings(folder: Path) -> list[str]:
    """Return the findings of all compiled modules of a folder."""
    files = [folder / f"{name}.py" for name in compiled_names(folder)]
    return [finding for file in files for finding in findings(file.read_text(encoding="utf-8"), file.name)]


def main(arguments: list[str]) -> int:
    """Print the findings; return 1 where there are any."""
    found = folder_findings(Path(arguments[0]) if arguments else ENGINE)
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
