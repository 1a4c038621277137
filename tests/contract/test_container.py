"""The image of the server: its files are clean, and its steps make an environment in which the server runs.

No engine for containers is needed: linters read the files, and the steps of the Dockerfile are done in a folder.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import httpx
import pytest

import buraco
from buraco.server.settings import SECRETS, setting_fields, variable_of
from tests.contract.distributions import ROOT, clean_environment, copy_checkout, run
from tests.contract.dockerfile import Room, Stage, stages_of
from tests.server.keeper import free_port

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
STAGES = stages_of(DOCKERFILE)
FINAL: Stage = STAGES[""]
HADOLINT = Path(sys.executable).with_name("hadolint")
DCLINT = [str(Path(sys.executable).with_name("node")), str(ROOT / "web/node_modules/dclint/bin/dclint.cjs")]


def lint(command: list[str], text: str, file: Path) -> subprocess.CompletedProcess[str]:
    """What a linter says of a text that lies in a file."""
    file.write_text(text, encoding="utf-8")
    return run([*command, str(file)], file.parent, NO_COLOR="1")


def test_hadolint_finds_nothing_in_the_dockerfile(tmp_path: Path) -> None:
    done = lint([str(HADOLINT)], DOCKERFILE, tmp_path / "Dockerfile")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_hadolint_finds_a_base_that_is_not_pinned(tmp_path: Path) -> None:
    planted = DOCKERFILE.replace(FINAL.base, "python:latest")
    done = lint([str(HADOLINT)], planted, tmp_path / "Dockerfile")
    assert done.returncode == 1
    assert "DL3007" in done.stdout


def test_the_compose_linter_finds_nothing(tmp_path: Path) -> None:
    done = lint([*DCLINT, "--max-warnings", "0"], COMPOSE, tmp_path / "compose.yaml")
    assert (done.returncode, done.stdout.strip() + done.stderr.strip()) == (0, "")


def test_the_compose_linter_finds_a_port_that_two_services_take(tmp_path: Path) -> None:
    planted = COMPOSE.replace("    image: redis:", "    ports:\n      - '0.0.0.0:443:443'\n    image: redis:")
    done = lint(DCLINT, planted, tmp_path / "compose.yaml")
    assert done.returncode == 1
    assert "no-duplicate-exported-ports" in done.stdout


def test_every_image_is_pinned_to_a_version() -> None:
    named = [stage.base for stage in STAGES.values()] + re.findall(r"^ +image: (\S+)$", COMPOSE, re.MULTILINE)
    foreign = [image for image in named if image != "buraco:local"]
    assert len(foreign) == 6  # three bases, three services
    assert [image for image in foreign if not re.fullmatch(r"[a-z]+:\d+\.\d+(\.\d+)?-[a-z-]+", image)] == []


def test_the_images_run_the_python_of_the_locks() -> None:
    (python,) = re.findall(r"with Python (3\.\d+)", (ROOT / "requirements-server.txt").read_text(encoding="utf-8"))
    assert {
        ".".join(stage.base.split(":")[1].split(".")[:2]) for stage in STAGES.values() if "python" in stage.base
    } == {python}


def test_nothing_is_installed_that_no_lock_has_a_hash_of() -> None:
    installs = [
        command
        for stage in STAGES.values()
        for command in stage.all("RUN")
        if re.search(r"pip (install|wheel)", command)
    ]
    assert len(installs) == 4
    assert [command for command in installs if "--require-hashes" not in command and "--no-index" not in command] == []
    assert [command for command in STAGES["page"].all("RUN") if "npm install" in command] == []


def test_the_server_is_not_root_and_its_data_lie_in_a_volume() -> None:
    words = [word for word, _ in FINAL.steps]
    assert FINAL.all("USER") == ["10001"]
    assert words.index("USER") < words.index("CMD")
    assert "--uid 10001" in FINAL.all("RUN")[0]
    assert FINAL.all("VOLUME") == ["/var/lib/buraco"]
    assert "--home-dir /var/lib/buraco" in FINAL.all("RUN")[0]


def test_the_context_is_what_the_dockerfile_copies_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in lines
    allowed = {line[1:] for line in lines if line.startswith("!")}
    copied = {
        source
        for stage in STAGES.values()
        for rest in stage.all("COPY")
        if not rest.startswith("--from")
        for source in rest.split()[:-1]
    }
    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert {source.split("/")[0] for source in copied} == allowed


def test_every_variable_that_is_set_is_one_of_the_server() -> None:
    named = set(re.findall(r"BURACO_[A-Z_]+", DOCKERFILE + COMPOSE))
    settings = {variable_of(one.name) for one in setting_fields()} | {f"{variable_of(one)}_FILE" for one in SECRETS}
    assert named
    assert named <= settings


def test_every_secret_of_the_compose_file_comes_from_a_file_that_git_does_not_keep() -> None:
    # Neither a password nor an address with one stands in the file itself.
    assert re.findall(r"://[^/\s]*:[^/\s]*@", COMPOSE) == []
    assert re.findall(r"^ +(\w*(?:PASSWORD|KEY|TOKEN|URL|REDIS)):", COMPOSE, re.MULTILINE) == ["BURACO_PUBLIC_URL"]
    files = re.findall(r"file: (\S+)", COMPOSE)
    assert files
    assert [file for file in files if not file.startswith("secrets/")] == []
    assert "secrets/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_the_password_of_redis_is_no_argument_of_a_process(tmp_path: Path) -> None:
    block = re.search(
        r"(?m)^  redis:\n(?:.*\n)*?      - sh\n      - -c\n(?:      #.*\n)*      - (?:\|\n)?((?:.*\n)+?)    restart:",
        COMPOSE,
    )
    assert block
    script = dedent(block[1]).replace("$$", "$").replace("/run/secrets/redis_password", str(tmp_path / "secret"))
    (tmp_path / "secret").write_text("f00d\n", encoding="utf-8")
    # What stands in for Redis shows its arguments, then what it reads.
    redis = tmp_path / "redis-server"
    redis.write_text('#!/bin/sh\necho "arguments: $*"\nexec cat\n', encoding="utf-8")
    redis.chmod(0o755)
    shown = run(["sh", "-c", script], tmp_path, PATH=f"{tmp_path}:/usr/bin:/bin")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.splitlines() == ["arguments: -", 'save ""', "appendonly no", "requirepass f00d"]


def test_what_builds_the_wheel_is_copied_and_locked(tmp_path: Path) -> None:
    context = copy_checkout(tmp_path / "context")
    shutil.copyfile(ROOT / "requirements-build.txt", context / "requirements-build.txt")
    room = Room(tmp_path / "root", context)
    made = run([sys.executable, "-m", "venv", str(room.root / "opt" / "build")], tmp_path)
    assert made.returncode == 0, made.stderr
    # Uncompiled: what compiles it is tried with the wheel that all tests share.
    room.variables["BURACO_PURE"] = "1"
    room.play(STAGES["wheel"])
    (wheel,) = (room.root / "wheel").iterdir()
    assert wheel.name.startswith(f"buraco-{buraco.__version__}-")


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of the tests, as of the server."""
    return "asyncio"


@pytest.fixture(scope="module")
def room(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The last stage, with the wheel that all tests share."""
    made = Room(tmp_path_factory.mktemp("image"), ROOT)
    (made.root / "wheel").mkdir()
    shutil.copyfile(wheel, made.root / "wheel" / wheel.name)
    made.play(FINAL)
    return made


def test_the_image_has_the_command_and_nothing_of_the_tests(room: Room) -> None:
    path = room.variables["PATH"].partition(":")[0]
    done = run([f"{path}/buraco", "--version"], room.root)
    assert done.stdout == f"buraco {buraco.__version__} (compiled engine)\n"
    assert not list(room.root.glob("opt/buraco/lib/*/site-packages/pytest"))


@pytest.mark.anyio
async def test_the_server_of_the_image_answers_and_stops(room: Room, tmp_path: Path) -> None:
    port = free_port()
    path = room.variables["PATH"].partition(":")[0]
    own = {"BURACO_DATA": str(tmp_path), "BURACO_HOST": "127.0.0.1", "BURACO_PORT": str(port)}
    own |= {"PATH": f"{path}:{os.environ['PATH']}"}
    environment = clean_environment(**(room.variables | own))
    process = await asyncio.create_subprocess_exec(
        *[f"{path}/{FINAL.form('CMD')[0]}", *FINAL.form("CMD")[1:]],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        told = (await asyncio.wait_for(process.stdout.readline(), 120)).decode()
        address = f"http://127.0.0.1:{port}"
        assert address in told
        async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False) as client:
            assert (await client.get("/healthz")).status_code == 200
            assert (await client.get("/readyz")).status_code == 200
            page = await client.get("/")
            assert page.status_code == 200
            script = re.search(r'src="(/[^"]+\.js)"', page.text)
            assert script is not None
            assert (await client.get(script[1])).status_code == 200
        word, *words = (part.replace(":8321/", f":{port}/") for part in FINAL.form("HEALTHCHECK"))
        asked = await asyncio.create_subprocess_exec(f"{path}/{word}", *words, env=environment)
        assert await asyncio.wait_for(asked.wait(), 60) == 0
        process.send_signal(getattr(signal, FINAL.all("STOPSIGNAL")[0]))
        assert await asyncio.wait_for(process.wait(), 60) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
