"""The site of the documents: built without a warning, whole, and sufficient to itself."""

from __future__ import annotations

import html
import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from buraco.notation import examples
from buraco.rules import RULE_SETS, RuleSet, title_in
from buraco.texts import languages, text
from scripts.rules_pages import language_names, pages, rules_page
from scripts.site_hooks import without_addresses
from tests.documents.reading import ROOT
from tests.documents.site import PageReader, build_site, read_page

ELSEWHERE: Final = re.compile(r"(?:[a-z]+:)?//", re.IGNORECASE)
ADDRESS: Final = re.compile(r"https?://[^\s\"'`<>)\\]*", re.IGNORECASE)
#: Addresses in the theme's scripts that are names or words of a message, or asked for only where a page shows its
#: repository on such a host.
NAMES: Final = re.compile(
    r"http://www\.w3\.org/|https://bit\.ly/2s3ChXG$|https://api\.github\.com/(?:repos|users)/|https://\$\{"
)
PACKAGES: Final = ("rules", "engine", "notation", "bots", "arena", "env", "texts", "cards", "errors")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    return build_site(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def site(built: tuple[Path, str]) -> Path:
    return built[0]


@pytest.fixture(scope="module")
def read(site: Path) -> Mapping[Path, PageReader]:
    return {path: read_page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def test_the_site_is_built_without_a_warning(built: tuple[Path, str]) -> None:
    assert [line for line in built[1].splitlines() if not line.startswith("INFO")] == ["exit code 0"]


def test_every_link_of_the_site_leads_to_a_page_and_a_place_on_it(read: Mapping[Path, PageReader]) -> None:
    dead = []
    for path, page in read.items():
        # The page for what is not found stands for any address and names the others from the root.
        links = [] if path.name == "404.html" else [link for link in page.links if not re.match(r"[a-z]+:", link)]
        for link in links:
            file, _, place = link.partition("#")
            target = (path.parent / unquote(file)).resolve() if file else path
            there = target.is_file() and (not place or (target in read and unquote(place) in read[target].identifiers))
            if not there:
                dead.append((path.name, link))
    assert dead == []


def test_what_a_page_loads_lies_in_the_site(read: Mapping[Path, PageReader], site: Path) -> None:
    missing = []
    for path, page in read.items():
        for load in page.loads:
            root = site if load.startswith("/") else path.parent
            file = root / unquote(load.partition("#")[0].partition("?")[0]).lstrip("/")
            if ELSEWHERE.match(load) or (not load.startswith("data:") and not file.exists()):
                missing.append((path.name, load))
    assert missing == []


def test_no_script_or_style_of_a_page_names_an_address(read: Mapping[Path, PageReader]) -> None:
    named = [(path.name, ADDRESS.findall(text)) for path, one in read.items() for text in (*one.scripts, *one.styles)]
    assert [one for one in named if one[1]] == []


def test_no_style_of_the_site_loads_from_elsewhere(site: Path) -> None:
    styles = sorted(site.rglob("*.css"))
    loads = [
        load
        for path in styles
        for load in re.findall(
            r"url\(\s*[\"']?([^\"')]*)|@import\s+[\"']([^\"']*)",
            re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL),
        )
        if any(ELSEWHERE.match(one) for one in load)
    ]
    assert styles
    assert loads == []


def test_no_script_of_the_site_loads_from_elsewhere(site: Path) -> None:
    scripts = sorted(site.rglob("*.js"))
    named = [
        address
        for path in scripts
        for address in ADDRESS.findall(re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL))
        if not NAMES.match(address)
    ]
    assert scripts
    assert named == []


def test_no_page_shows_a_repository_that_the_theme_would_ask_for(read: Mapping[Path, PageReader]) -> None:
    assert [path.name for path in read if 'class="md-source"' in path.read_text(encoding="utf-8")] == []


def test_every_page_forbids_browsers_to_load_from_elsewhere(read: Mapping[Path, PageReader]) -> None:
    assert [path.name for path, one in read.items() if not any("default-src 'self'" in it for it in one.policies)] == []


def test_the_address_of_a_foreign_script_is_taken_out_of_the_theme() -> None:
    script = 'a("https://unpkg.com/mermaid@11/dist/mermaid.min.js")'
    assert without_addresses(script) == 'a("data:,")'


def test_every_document_is_a_page_of_the_site(site: Path) -> None:
    documents = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    assert [path.as_posix() for path in documents if not (site / path).is_file()] == []
    assert (site / "contributing.html").is_file()


@pytest.mark.parametrize("package", PACKAGES)
def test_the_reference_names_every_public_name_of_a_package(package: str, read: Mapping[Path, PageReader]) -> None:
    shown = {one for path, page in read.items() if path.parent.name == "reference" for one in page.identifiers}
    public: list[str] = importlib.import_module(f"buraco.{package}").__all__
    # A function may hide the module of its own name, and is then shown by its place in that.
    hidden = [name for name in public if not {f"buraco.{package}.{name}", f"buraco.{package}.{name}.{name}"} & shown]
    assert hidden == []
    assert "buraco.engine.Deal.legal" in shown


def test_the_pages_of_the_rules_are_those_that_the_fields_give() -> None:
    folder = ROOT / "docs" / "rules"
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == dict(pages())
    assert len(pages()) == len(RULE_SETS) + 1


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rules_page_is_there_in_every_language_and_leads_to_the_others(
    name: str, language: str, site: Path, read: Mapping[Path, PageReader]
) -> None:
    def place(spoken: str) -> Path:
        return site / "rules" / ("" if spoken == "en" else spoken) / f"{name}.html"

    told = place(language).read_text(encoding="utf-8")
    assert f'<html lang="{language}"' in told
    heading = text("section.example", language)
    assert heading in told
    assert html.escape(title_in(RULE_SETS[name], language), quote=False) in told
    others = {place(other).resolve() for other in languages() if other != language}
    led = {(place(language).parent / unquote(link)).resolve() for link in read[place(language)].links}
    assert others <= led


def test_the_languages_of_the_rules_pages_are_those_of_the_texts() -> None:
    assert sorted(language_names()) == sorted(languages())


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_the_example_of_a_score_adds_up_on_the_page(rules: RuleSet) -> None:
    told = rules_page(rules).partition("## An example of a score\n")[2].partition("\n## ")[0]
    tables = told.split("| Side ")[1:]
    assert len(tables) == 2
    for table in tables:
        *lines, total = [
            int(one.replace("−", "-")) for one in re.findall(r"([+−]\d+)(?:\*\*)? \|$", table, re.MULTILINE)
        ]
        assert sum(lines) == total
        assert len(lines) >= 3


def test_every_example_of_a_rules_page_stands_below_its_statement_with_a_verdict() -> None:
    told = rules_page(RULE_SETS["aberto"])
    below = told.partition("- Sets (cards of one rank) are not allowed.")[2].splitlines()[1]
    assert below.startswith("    - Three cards of one rank. `7♥ 7♠ 7♣` – Not allowed: ")
    shown = [example.name for example in examples(RULE_SETS["aberto"])]
    assert told.count("\n    - ") == len(shown) - 1


def test_the_reference_shows_defaults_as_they_are_and_no_private_name(site: Path) -> None:
    told = {
        path.stem: html.unescape(re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8")))
        for path in (site / "reference").glob("*.html")
    }
    assert [
        (name, found) for name, page in told.items() for found in re.findall(r"\w+: [^=\n]+ = _\w+[,)]", page)
    ] == []
    assert [
        (name, found) for name, page in told.items() for found in re.findall(r"^[A-Z_]+: Final = _.*", page, re.M)
    ] == []
    assert "hand_size: int = 11," in told["rules"]
    assert "bonus_semi_clean: int | None = None," in told["rules"]
    assert "    title: str,\n" in told["rules"]
