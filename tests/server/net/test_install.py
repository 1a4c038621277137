"""What an installed page needs: a manifest whose icons are there, and a service worker that keeps what is served."""

from __future__ import annotations

import json
import re
import struct
from importlib.resources import files
from pathlib import Path

import pytest

from buraco.server.http.pages import page_file

FOLDER = Path(str(files("buraco.server").joinpath("static")))
FILES = ("/sw.js", "/manifest.webmanifest", "/icon.svg", "/icon-192.png", "/icon-512.png", "/icon-mask.png")


def png_size(content: bytes) -> tuple[int, int]:
    """Return the size of a picture, in pixels."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    return width, height


@pytest.mark.parametrize("path", FILES)
def test_43_every_file_of_the_installed_page_is_asked_for_anew(path: str) -> None:
    answer = page_file(FOLDER, path.removeprefix("/"), {})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


def test_43_the_manifest_names_icons_of_the_sizes_that_they_have() -> None:
    manifest = json.loads((FOLDER / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["start_url"] == manifest["scope"] == manifest["id"] == "/"
    assert manifest["display"] == "standalone"
    sizes: dict[str, set[str]] = {icon["purpose"]: set() for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        sizes[icon["purpose"]].add(icon["sizes"])
        if icon["type"] == "image/png":
            width, height = png_size((FOLDER / icon["src"].removeprefix("/")).read_bytes())
            assert icon["sizes"] == f"{width}x{height}"
    assert {"192x192", "512x512"} <= sizes["any"]
    assert "512x512" in sizes["maskable"]


def test_43_the_service_worker_keeps_every_file_of_the_page_and_no_answer_of_the_server() -> None:
    worker = (FOLDER / "sw.js").read_text(encoding="utf-8")
    (listed,) = re.findall(r"\[(\"/\".*?)\]", worker)
    kept = set(json.loads(f"[{listed}]"))
    assets = {f"/assets/{file.name}" for file in (FOLDER / "assets").iterdir() if file.suffix != ".gz"}
    assert {one for one in kept if one.startswith("/assets/")} == assets
    assert kept - assets == {"/", *FILES} - {"/sw.js"}
