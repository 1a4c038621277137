"""The project's own lints: clean on the sources, and each finds the fault it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from buraco._pure import compiled_names
from buraco.rules import RULE_SETS
from scripts import name_lint, shift_lint

PLANTED_SHIFTS = [
    "mask = 1 << card",
    "mask = (2 + 1) << card",
    "mask = -1 << card",
    "mask = UNIT << card",
    "mask = (a > b) << card",
    "mask = (1 if a else 2) << card",
    "mask |= other | 1 << card + 1",
]
SOUND_SHIFTS = ["mask = 1 << 40", "mask = lo << card", "mask = 1 << SUIT_SHIFT", "mask = bit(card)", "mask <<= card"]


def test_no_compiled_module_shifts_a_constant_by_a_variable() -> None:
    assert shift_lint.folder_findings(shift_lint.ENGINE) == []


@pytest.mark.parametrize("line", PLANTED_SHIFTS)
def test_a_planted_32_bit_shift_is_found(line: str) -> None:
    source = f"def f(a, b, lo, card, mask, other):\n    {line}\n"
    assert [finding.split(":")[:2] for finding in shift_lint.findings(source, "planted.py")] == [["planted.py", "2"]]


@pytest.mark.parametrize("line", SOUND_SHIFTS)
def test_a_shift_that_keeps_64_bits_is_let_be(line: str) -> None:
    assert shift_lint.findings(f"def f(lo, card, mask):\n    {line}\n", "sound.py") == []


def test_the_shift_lint_reads_every_module_with_a_pxd_and_no_other(tmp_path: Path) -> None:
    for name in ("compiled.py", "plain.py"):
        (tmp_path / name).write_text("def f(card):\n    return 1 << card\n", encoding="utf-8")
    (tmp_path / "compiled.pxd").write_text("cdef long long f(long long card)\n", encoding="utf-8")
    (tmp_path / "header.pxd").write_text("cdef extern from *:\n    pass\n", encoding="utf-8")
    assert [finding.split(":")[0] for finding in shift_lint.folder_findings(tmp_path)] == ["compiled.py"]
    assert shift_lint.main([str(tmp_path)]) == 1


def test_nothing_outside_the_rules_knows_a_rule_set_by_name() -> None:
    assert name_lint.folder_findings(name_lint.PACKAGE, RULE_SETS) == []


@pytest.mark.parametrize(
    "line", ['NAME = "aberto-104"', 'x = f({"fechado": 1})', "x = rules.ABERTO_104", "from m import aberto_104"]
)
def test_a_planted_name_of_a_rule_set_is_found(line: str) -> None:
    found = name_lint.findings(f'"""Text."""\n{line}\n', "planted.py", ["aberto-104", "fechado"])
    assert [finding.split(":")[:2] for finding in found] == [["planted.py", "2"]]


def test_the_name_lint_passes_over_the_rules_and_the_texts_alone(tmp_path: Path) -> None:
    for folder in ("rules", "texts", "bots"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "module.py").write_text('NAME = "fechado"\n', encoding="utf-8")
    found = name_lint.folder_findings(tmp_path, ["fechado"])
    assert [finding.split(":")[0] for finding in found] == ["bots/module.py"]


def test_the_page_knows_no_rule_set_by_name() -> None:
    assert name_lint.page_findings(name_lint.PAGE, RULE_SETS) == []


@pytest.mark.parametrize(
    "line",
    [
        'if (rules === "aberto-104") return;',
        "const twins = rules === 'fechado';",
        "const needs = { fechado: 1 };",
        "return needs.fechado;",
        "import { ABERTO_104 } from './sets';",
    ],
)
def test_a_planted_name_of_a_rule_set_is_found_in_the_page(tmp_path: Path, line: str) -> None:
    (tmp_path / "planted.ts").write_text(f"// fechado\n{line}\n", encoding="utf-8")
    found = name_lint.page_findings(tmp_path, ["aberto-104", "fechado"])
    assert [finding.split(":")[:2] for finding in found] == [["planted.ts", "2"]]
    assert name_lint.main([str(tmp_path)]) == 1


def test_the_name_lint_passes_over_what_tests_of_the_page_make_up_alone(tmp_path: Path) -> None:
    for name in ("dev/table.ts", "core/testing/fakes.ts", "panels/testing.ts", "core/desk.test.ts", "core/desk.ts"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('const rules = "fechado";\n', encoding="utf-8")
    found = name_lint.page_findings(tmp_path, ["fechado"])
    assert [finding.split(":")[0] for finding in found] == ["core/desk.ts"]


SOURCES = name_lint.PACKAGE.parent
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
MODULES = {
    ".".join(file.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
        file.read_text(encoding="utf-8")
    )
    for file in sorted(name_lint.PACKAGE.rglob("*.py"))
}
#: What a compiled module offers to others is in its `.pxd`.
COMPILED = {f"buraco.engine.{name}" for name in compiled_names(shift_lint.ENGINE)}


def bound(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a module binds itself, with their values."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value


def door(tree: ast.Module) -> list[str] | None:
    """Return the names in the ``__all__`` of a module, None for one without it."""
    return next((ast.literal_eval(value) for name, value in bound(tree) if name == "__all__"), None)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_holds_no_state_that_can_change(name: str) -> None:
    assert [one for one, value in bound(MODULES[name]) if isinstance(value, MUTABLE) and one != "__all__"] == []


@pytest.mark.parametrize("name", [name for name in MODULES if name not in COMPILED])
def test_what_a_module_takes_from_another_is_in_its_all(name: str) -> None:
    for node in ast.walk(MODULES[name]):
        if isinstance(node, ast.ImportFrom) and node.module in MODULES and node.module not in COMPILED:
            names = door(MODULES[node.module])
            taken = [alias.name for alias in node.names if f"{node.module}.{alias.name}" not in MODULES]
            assert names is None or set(taken) <= set(names), node.module


def test_only_the_engine_s_numbers_have_no_all() -> None:
    assert [name for name, tree in MODULES.items() if door(tree) is None] == ["buraco.engine.constants"]


@pytest.mark.parametrize("name", ["deal.pxd", "state.pxd"])
def test_no_number_of_a_compiled_deal_can_be_set_from_python(name: str) -> None:
    # A count that does not fit what lies in the arrays would make the engine read beyond them.
    assert "cdef public" not in (shift_lint.ENGINE / name).read_text(encoding="utf-8")
