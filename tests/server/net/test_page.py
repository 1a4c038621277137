"""The page as the server hands it out: whole, once, compressed where wanted, and nothing else."""

from __future__ import annotations

import gzip
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from buraco.server.http import pages
from buraco.server.http.pages import page_file
from buraco.server.problems import ProblemError
from tests.server.net.serving import Running

pytestmark = pytest.mark.anyio
ADDRESSES = [
    "/",
    "/t/K7MPQ2",
    "/create",
    "/settings",
    "/account",
    "/games",
    "/watch",
    "/rules",
    "/rules/STBL",
    "/replay",
    "/replay/K7MPQ2/1",
    "/fair",
    "/fair/K7MPQ2/2",
]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Return a folder as a build leaves it."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>Buraco</title>", encoding="utf-8")
    (folder / "icon.svg").write_text("<svg/>", encoding="utf-8")
    (folder / "manifest.webmanifest").write_text("{}", encoding="utf-8")
    (folder / "assets/main-1a2B_-.js").write_bytes(b"play();")
    (folder / "assets/main-1a2B_-.js.gz").write_bytes(gzip.compress(b"play();"))
    (folder / "assets/index.woff2").write_bytes(b"wOF2")
    (folder / "secret.py").write_text("key = 1", encoding="utf-8")
    (tmp_path / "outside.txt").write_text("outside", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("index.html", "text/html; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
        ("manifest.webmanifest", "application/manifest+json"),
        ("assets/main-1a2B_-.js", "text/javascript; charset=utf-8"),
        ("assets/index.woff2", "font/woff2"),
    ],
)
async def test_each_file_has_its_type(built: Path, path: str, kind: str) -> None:
    response = page_file(built, path, {})
    assert response.headers["content-type"] == kind
    assert response.body == (built / path).read_bytes()


@pytest.mark.parametrize(
    ("path", "keep"), [("index.html", "no-cache"), ("assets/main-1a2B_-.js", "public, max-age=31536000, immutable")]
)
async def test_only_what_carries_its_digest_is_kept_for_ever(built: Path, path: str, keep: str) -> None:
    assert page_file(built, path, {}).headers["cache-control"] == keep


@pytest.mark.parametrize("mark", ["{}", "W/{}", '"other", {}'])
async def test_a_browser_that_has_a_file_is_told_so(built: Path, mark: str) -> None:
    tag = page_file(built, "index.html", {}).headers["etag"]
    again = page_file(built, "index.html", {"if-none-match": mark.format(tag)})
    assert (again.status_code, again.body) == (304, b"")
    assert page_file(built, "index.html", {"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "small"),
    [("gzip, br", True), ("br;q=1, GZIP;q=0.5", True), ("gzip;q=0, br", False), ("gzip;q=0.0", False), ("", False)],
)
async def test_the_compressed_copy_goes_to_who_takes_it(built: Path, accepted: str, small: bool) -> None:
    response = page_file(built, "assets/main-1a2B_-.js", {"accept-encoding": accepted})
    assert response.headers.get("content-encoding") == ("gzip" if small else None)
    body = gzip.decompress(bytes(response.body)) if small else bytes(response.body)
    assert body == b"play();"
    assert response.headers["vary"] == "Accept-Encoding"


async def test_a_file_without_a_compressed_copy_goes_as_it_is(built: Path) -> None:
    assert "content-encoding" not in page_file(built, "icon.svg", {"accept-encoding": "gzip"}).headers


@pytest.mark.parametrize(
    "path",
    ["secret.py", "../outside.txt", "assets/../../outside.txt", "assets/..", "assets", "", "none.js", ".gitignore",
     "assets/main-1a2B_-.js.gz", "assets//index.woff2", "assets/a\x00.js", "a" * 200 + ".js"],
)  # fmt: skip
async def test_nothing_but_files_of_the_page_is_handed_out(built: Path, path: str) -> None:
    with pytest.raises(ProblemError) as caught:
        page_file(built, path, {})
    assert caught.value.code == "not_found"


@pytest.mark.parametrize("address", ADDRESSES)
async def test_every_address_of_a_page_is_the_one_document(running: Running, address: str) -> None:
    async with running.client() as client:
        response = await client.get(address)
        assert response.status_code == 200
        assert "<title>Buraco</title>" in response.text
        again = await client.get(address, headers={"if-none-match": response.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert (await client.head(address)).status_code == 200


async def test_everything_that_the_page_names_is_there_and_our_own(running: Running) -> None:
    async with running.client() as client:
        page = (await client.get("/")).text
        named = re.findall(r'(?:src|href)="([^"]*)"', page)
        assert len(named) >= 4
        for address in named:
            assert re.fullmatch(r"/(assets/)?[A-Za-z0-9._-]+", address)
            assert (await client.get(address)).status_code == 200


async def test_the_licences_of_what_the_page_holds_of_others_come_with_it(running: Running) -> None:
    web = Path(__file__).resolve().parents[3] / "web"
    async with running.client() as client:
        response = await client.get("/licences.txt")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert (web / "src/fonts/OFL.txt").read_text("utf-8") in response.text
    for package in ("svelte", *json.loads((web / "package.json").read_text("utf-8"))["dependencies"]):
        assert re.search(rf"^  {package} +Copyright", response.text, re.MULTILINE)


async def test_the_page_has_no_script_or_style_inside(running: Running) -> None:
    async with running.client() as client:
        response = await client.get("/")
        page = response.text
        assert "unsafe" not in response.headers["content-security-policy"]
        assert "<style" not in page
        assert not re.search(r"\s(?:style|on\w+)=", page)
        # What the table needs is asked for by a script of its own, before the page's code has come.
        whole = re.findall(r'<script type="module"(?: async)? crossorigin src="/assets/[\w.-]+\.js"></script>', page)
        assert page.count("<script") == len(whole) == 2


@pytest.mark.parametrize("path", ["/assets/none.js", "/assets/..%2findex.html", "/assets/%2e%2e/app.py", "/nothing"])
async def test_what_is_no_page_is_a_problem(running: Running, path: str) -> None:
    async with running.client() as client:
        response = await client.get(path)
        assert response.status_code == 404
        assert response.headers["content-type"] == "application/problem+json"


async def test_a_browser_at_an_address_of_no_page_gets_the_page_which_says_so(running: Running) -> None:
    async with running.client() as client:
        opened = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        response = await client.get("/nothing/at/all", headers=opened)
        assert response.status_code == 404
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        assert "<title>Buraco</title>" in response.text
        for path in ("/api/nothing", "/assets/none.js"):
            problem = await client.get(path, headers=opened)
            assert problem.headers["content-type"] == "application/problem+json"


async def test_a_server_without_the_built_page_says_how_to_build_it(
    running: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_built", lambda: tmp_path / "nowhere")
    async with running.client() as client:
        response = await client.get("/t/K7MPQ2")
        assert response.status_code == 503
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        assert "make build" in response.text
        assert (await client.get("/assets/index.js")).status_code == 404
        assert (await client.get("/healthz")).text == "ok"


def built_page() -> Path:
    return Path(str(files("buraco.server").joinpath("static")))


def bytes_sent(file: Path) -> int:
    """Return how many bytes a browser that takes gzip gets of a file."""
    copy = file.with_name(f"{file.name}.gz")
    return (copy if copy.is_file() else file).stat().st_size


def with_imports(assets: Path, names: set[str]) -> set[str]:
    """Return scripts with all that they need at once: what they import when they are wanted is left out."""
    found: set[str] = set()
    while names:
        found |= names
        sources = [(assets / name).read_text("utf-8") for name in names]
        named = (re.findall(r'(?:from|import)\s*"\./([^"]+\.js)"', source) for source in sources)
        names = {one for some in named for one in some} - found
    return found


def test_42_home_and_table_stay_within_their_budget_of_bytes_in_every_language() -> None:
    folder = built_page()
    assets = folder / "assets"
    index = (folder / "index.html").read_text("utf-8")
    first = set(re.findall(r'(?:src|href)="/assets/([^"]+)"', index))
    table = {file.name for file in assets.glob("Table-*.js")}
    assert table
    scripts = with_imports(assets, {name for name in first if name.endswith(".js")} | table)
    languages = [list(assets.glob(f"{code}-*.js")) for code in ("en", "pt-BR", "it", "es", "ru", "bg")]
    texts = max(bytes_sent(file) for (file,) in languages)
    script_bytes = sum(bytes_sent(assets / name) for name in scripts) + texts
    assert script_bytes <= 120 * 1024
    # What begins first asks for the table with its styles; those of later pages come with their pages.
    (begin,) = assets.glob("begin-*.js")
    styles = {name for name in first if name.endswith(".css")}
    styles |= set(re.findall(r'"assets/([^"]+\.css)"', begin.read_text("utf-8")))
    assert any(name.startswith("Table-") for name in styles)
    others = [*(assets / name for name in styles), *assets.glob("*.woff2"), folder / "index.html", folder / "icon.svg"]
    assert script_bytes + sum(bytes_sent(file) for file in others) <= 140 * 1024


def test_the_built_page_has_compressed_copies() -> None:
    folder = built_page()
    scripts = sorted(folder.glob("assets/*.js"))
    assert scripts
    for script in scripts:
        copy = script.with_name(f"{script.name}.gz")
        if script.stat().st_size > 1000:
            assert gzip.decompress(copy.read_bytes()) == script.read_bytes()
