"""Whatever the server and its commands tell people comes from the catalogue, so that each reads their own language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import buraco
from buraco.cli import run
from buraco.errors import BuracoError
from buraco.server.http.forms import CreateForm, SignInForm
from buraco.server.http.referee_forms import VerifyForm
from buraco.server.invalid import told_of_body
from buraco.server.settings import Settings, load_settings
from buraco.texts import in_language, languages, text, texts
from tests.server.net.serving import Running

ROOT = Path(buraco.__file__).parent
OTHERS = [language for language in languages() if language != "en"]

# What is raised or called with words for people; the socket's reasons for closing are for programs and logs.
TELLING = frozenset({"BuracoError", "CommandError", "ProblemError", "ServerError", "InterfaceError", "fail", "print"})
# Writes source for programmers.
NOT_FOR_READERS = frozenset({"types_ts.py"})
# A few words in a row with spaces between them: no name, key, format or address is that.
_WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{1,}|[^\W\d_]{3,}[.:;] ")


def modules() -> list[Path]:
    """Return the modules whose words people read."""
    commands = [ROOT / "cli" / f"{name}.py" for name in ("serve", "admin", "db", "backup")]
    server = [one for one in (ROOT / "server").rglob("*.py") if "migrations" not in one.parts]
    return [one for one in sorted(server) + commands if one.name not in NOT_FOR_READERS]


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _words(node: ast.AST) -> str:
    """Return the words that stand in an expression itself, not in what it calls."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.Call):
        return ""
    return "\n".join(filter(None, (_words(child) for child in ast.iter_child_nodes(node))))


def _literals(function: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the words for readers that a function has in its own text: in calls, in what it returns or appends."""
    assigned = {
        target.id: _words(node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _name(node) in TELLING:
            for value in node.args:
                yield node.lineno, assigned.get(value.id, "") if isinstance(value, ast.Name) else _words(value)


def sentences(source: str) -> list[tuple[int, str]]:
    """Return the lines of a module that tell readers English."""
    tree = ast.parse(source)
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    found = {one for function in functions for one in _literals(function) if _WORDS.search(one[1])}
    # Faults of settings are returned as texts.
    for function in functions:
        if function.name.endswith("_fault"):
            returned = [one for one in ast.walk(function) if isinstance(one, ast.Return) and one.value is not None]
            found |= {
                (one.lineno, words) for one in returned if one.value and _WORDS.search(words := _words(one.value))
            }
    return sorted(found)


@pytest.mark.parametrize(
    "told",
    [
        'raise BuracoError("code", "there is no table")',
        'raise ProblemError("code", f"there is no {table}")',
        'message = f"cannot write {file}"\n    raise BuracoError("code", message)',
        'fail("code", f"it failed: {why}")',
        'console().print("Done with it.", soft_wrap=True)',
        'console().print("It was so." if yes else f"It was {what}.")',
    ],
)
def test_the_search_finds_english_that_is_told(told: str) -> None:
    assert sentences(f"def work():\n    {told}\n")


def test_the_search_passes_over_what_comes_from_the_catalogue() -> None:
    assert not sentences('def work():\n    raise BuracoError("code", text_of("server.no_table", name="a b c"))\n')


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_tells_readers_english_only(module: Path) -> None:
    assert sentences(module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("language", OTHERS)
def test_faults_of_settings_are_told_in_the_language_of_the_operator(language: str) -> None:
    with pytest.raises(BuracoError) as caught:
        load_settings({"BURACO_PORT": "many", "BURACO_LOG_LEVEL": "loud"}, {"host": "a b", "public_url": "x"})
    for reason in caught.value.reasons:
        assert in_language(reason, language) not in ("", reason)


@pytest.mark.parametrize("language", languages())
def test_an_operator_reads_their_language(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BURACO_LANGUAGE", language)
    assert run(["backup", "--data", str(tmp_path)]) == 3
    told = text("server.backup_source", language, file=Settings(data=tmp_path).data / "buraco.db")
    assert told in capsys.readouterr().err
    (tmp_path / "buraco.db").touch()
    assert run(["db", "state", "--data", str(tmp_path)]) == 0
    assert text("server.nothing", language) in capsys.readouterr().out


FAULTY = [
    (CreateForm, b'{"seat":9}', "most"),
    (CreateForm, b'{"seat":-1}', "least"),
    (CreateForm, b'{"seat":"x"}', "type"),
    (CreateForm, b'{"x":1}', "unknown"),
    (CreateForm, b"[]", "type"),
    (CreateForm, b'{"options":{"players":3}}', "choice"),
    (CreateForm, b'{"options":{"clock":{"kind":"x\\ny"}}}', "choice"),
    (SignInForm, b"{}", "missing"),
    (SignInForm, b'{"login":""}', "short"),
    (VerifyForm, b'{"record":{},"witnesses":["","","","","","","","",""]}', "long"),
]


@pytest.mark.parametrize(("form", "body", "key"), FAULTY)
def test_what_is_wrong_with_a_form_is_told_in_every_language(form: type, body: bytes, key: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(body, type=form)
    told = told_of_body(caught.value)
    assert len({in_language(told, language) for language in languages()}) == len(languages())
    said = {language: texts(language)[f"form.{key}"] for language in languages()}
    for language, template in said.items():
        for part in re.split(r"\{\w+\}", template):
            assert part in in_language(told, language)


def test_of_a_long_name_only_so_much_is_repeated() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(b'{"' + b"x" * 5000 + b'":1}', type=CreateForm)
    for language in languages():
        assert len(in_language(told_of_body(caught.value), language)) < 300


def test_what_no_rule_knows_is_still_told() -> None:
    told = told_of_body(ValueError("Something new - at `$.seat`"))
    assert in_language(told) == "this value cannot be (at $.seat)"


@pytest.mark.anyio
@pytest.mark.parametrize("language", languages())
async def test_a_form_that_cannot_be_is_a_problem_in_the_language_of_the_reader(
    running: Running, language: str
) -> None:
    async with running.client(headers={"Accept-Language": language, "Origin": running.address}) as client:
        body = await client.post("/api/guests", json={"name": 5})
        parameter = await client.get("/api/results", params={"limit": 0})
    why = text("form.type", language, expected="str", got="int")
    assert body.json()["detail"] == text("form.at", language, why=why, where="$.name")
    why = text("form.least", language, bound=1)
    assert parameter.json()["detail"] == text("form.at", language, why=why, where="limit")
