"""The page's socket, run by Node against a socket that the test plays."""

from __future__ import annotations

import asyncio
import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.anyio

SCRIPT = """
import { TableSocket } from "./socket.mjs";
const opened = [], told = [];
globalThis.location = { protocol: "http:", host: "h" };
globalThis.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  constructor(url) { super(); this.url = url; opened.push(this); }
  send(text) { this.sent.push(JSON.parse(text)); }
};
globalThis.setTimeout = (work) => work();
const table = new TableSocket("T", (message) => told.push(message.type), () => {});
const hear = (message) => {
  const event = new Event("message");
  event.data = JSON.stringify(message);
  opened.at(-1).dispatchEvent(event);
};
opened[0].dispatchEvent(new Event("open"));
hear({ type: "snapshot", version: 5 });
const first = table.ask("act", { action: 7 });
hear({ type: "ack", id: opened[0].sent[0].id, version: 6 });
await first;
table.ask("act", { action: 8 });
opened[0].dispatchEvent(new Event("close"));
opened[1].dispatchEvent(new Event("open"));
console.log(JSON.stringify({ first: opened[0].sent, again: opened[1].sent, url: opened[1].url, told }));
"""


async def test_an_action_after_an_ack_has_seen_it_and_a_return_asks_for_its_news(tmp_path: Path) -> None:
    source = files("buraco.server.page").joinpath("socket.js").read_text("utf-8")
    (tmp_path / "socket.mjs").write_text(source, "utf-8")
    (tmp_path / "main.mjs").write_text(SCRIPT, "utf-8")
    node = shutil.which("node")
    assert node is not None, "this test needs Node"
    process = await asyncio.create_subprocess_exec(
        node, str(tmp_path / "main.mjs"), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, err.decode()
    found: dict[str, Any] = json.loads(out)
    assert [(one["type"], one["version"]) for one in found["first"]] == [("act", 5), ("act", 6)]
    assert found["url"].endswith("/socket?since=5")
    assert found["again"] == found["first"][1:]
    assert found["told"] == ["snapshot"]
