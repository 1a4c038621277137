"""Settings from defaults, environment and flags."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from buraco.cli import run
from buraco.cli.app import app
from buraco.errors import BuracoError
from buraco.server.settings import (
    SECRETS,
    Settings,
    flag_of,
    load_settings,
    setting_fields,
    user_data,
    variable_of,
)


def test_a_flag_wins_over_the_environment_and_that_over_the_default() -> None:
    environment = {"BURACO_PORT": "9001", "BURACO_BOT_WORKERS": "3"}
    settings = load_settings(environment, {"port": 9002})
    assert (settings.port, settings.bot_workers, settings.host) == (9002, 3, "127.0.0.1")


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(BuracoError) as caught:
        load_settings({"BURACO_PORT": "many", "BURACO_LOG_LEVEL": "loud", "BURACO_QUEUE_MAX": "1"}, {"host": "a b"})
    assert caught.value.code == "setting"
    for name in ("BURACO_PORT", "BURACO_LOG_LEVEL", "BURACO_QUEUE_MAX", "--host"):
        assert any(name in reason for reason in caught.value.reasons), name


#: What no setting of words can be, and what is told of it then: what else it may be.
ODD: Final = {
    "data": {"~nobody-of-this-name/x": ["home folder"]},
    "host": {"a b": ["127.0.0.1"]},
    "public_url": {"cards.example": ["https://"], "https://cards.example/path": ["https://"]},
    "database_url": {"mysql://db/buraco": ["postgresql://", "sqlite+aiosqlite:///"], "buraco": ["postgresql://"]},
    "redis": {"http://cache": ["redis://", "rediss://"], "redis://cache": ["--database-url", "BURACO_DATABASE_URL"]},
    "trusted_proxies": {"10.0.0.0/99": ["10.0.0.0/8"]},
    "allowed_origins": {"cards.example": ["https://"]},
    "bot_levels": {"club,grandmaster": ["club", "novice"]},
    "bot_level": {"grandmaster": ["club", "novice"]},
    "log_level": {"loud": ["debug", "info", "warning", "error"]},
    "metrics": {"perhaps": ["true", "false", "yes", "no", "on", "off", "1", "0"]},
    "metrics_allow": {"everyone": ["10.0.0.0/8"]},
}
#: The name of any file may be that of a log; a flag without a value cannot be wrong.
ANY: Final = ("log_file",)
PLAIN: Final = ("metrics",)


def odd_values() -> dict[str, dict[str, list[str]]]:
    """Return for each setting values that it cannot have, and what is told of each."""
    numbers = {one.name: (one.metadata["low"], one.metadata["high"]) for one in setting_fields()}
    found: dict[str, dict[str, list[str]]] = dict(ODD)
    for name, (low, high) in numbers.items():
        if low is not None:
            found[name] = {odd: [f"{low} ", f"{high}"] for odd in ("many", "1.5", "", str(low - 1), str(high + 1))}
    return found


def check_told(reason: str, shown: str, name: str, value: str, told: list[str]) -> None:
    """Check that a fault names what was written, what it was, and what may be written."""
    assert reason.startswith(f"{shown} ") or name == "redis", reason
    for word in (shown, *told):
        assert word in reason, (word, reason)
    # An address that may hold a password is not repeated.
    assert (value.rpartition(",")[2] in reason) is (name not in SECRETS), reason
    assert "_" not in name or name not in reason.replace(value, ""), reason


def test_every_setting_has_a_value_that_it_cannot_have() -> None:
    assert {*odd_values(), *ANY} == {one.name for one in setting_fields()}


@pytest.mark.parametrize("name", odd_values())
def test_a_variable_that_cannot_be_is_named_as_it_was_written(name: str) -> None:
    for value, told in odd_values()[name].items():
        with pytest.raises(BuracoError) as caught:
            load_settings({variable_of(name): value}, {})
        reason, *more = caught.value.reasons
        # Redis also lacks its database here.
        assert not more or name == "redis"
        check_told(reason, variable_of(name), name, value, told)


@pytest.mark.parametrize("name", [name for name in odd_values() if name not in PLAIN])
def test_a_flag_that_cannot_be_is_named_as_it_was_written(name: str) -> None:
    for value, told in odd_values()[name].items():
        with pytest.raises(BuracoError) as caught:
            load_settings({}, {name: value})
        reason, *more = caught.value.reasons
        # Redis also lacks its database here.
        assert not more or name == "redis"
        check_told(reason, flag_of(name), name, value, told)


def test_serve_tells_all_variables_that_cannot_be_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, values in odd_values().items():
        monkeypatch.setenv(variable_of(name), next(iter(values)))
    assert run(["serve"]) == 2
    told = capsys.readouterr().err
    assert [name for name in odd_values() if f"{variable_of(name)} " not in told] == []


def test_serve_tells_all_flags_that_cannot_be_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    odd = {name: next(iter(values)) for name, values in odd_values().items() if name not in PLAIN}
    assert run(["serve", *(f"{flag_of(name)}={value}" for name, value in odd.items())]) == 2
    told = capsys.readouterr().err
    assert [name for name in odd if f"{flag_of(name)} " not in told] == []


def test_a_file_that_holds_no_address_is_named_by_its_variable(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("http://cache", encoding="utf-8")
    with pytest.raises(BuracoError, match=r"^BURACO_REDIS_FILE "):
        load_settings({"BURACO_REDIS_FILE": str(tmp_path / "secret")}, {})


def test_a_home_folder_is_known_behind_a_flag_too() -> None:
    assert load_settings({}, {"data": Path("~/x")}).data == Path.home() / "x"


def test_a_level_that_is_not_offered_is_told_with_both_names() -> None:
    with pytest.raises(BuracoError, match=r"--bot-level .*BURACO_BOT_LEVELS.*greedy, novice.*'club'"):
        load_settings({"BURACO_BOT_LEVELS": "greedy,novice"}, {"bot_level": "club"})


def test_a_flag_takes_the_place_of_a_variable_that_is_out_of_bounds() -> None:
    assert load_settings({"BURACO_QUEUE_MAX": "1"}, {"queue_max": "16"}).queue_max == 16


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("port", "70000"),
        ("public_url", "cards.example"),
        ("public_url", "https://cards.example/path"),
        ("public_url", "javascript:alert(1)"),
        ("trusted_proxies", "10.0.0.0/99"),
        ("metrics_allow", "everyone"),
        ("allowed_origins", "cards.example"),
        ("bot_level", "grandmaster"),
        ("metrics", "perhaps"),
    ],
)
def test_a_value_that_cannot_be_is_refused(name: str, text: str) -> None:
    with pytest.raises(BuracoError) as caught:
        load_settings({variable_of(name): text}, {})
    assert caught.value.code == "setting"


def test_lists_are_parted_by_commas() -> None:
    settings = load_settings({"BURACO_TRUSTED_PROXIES": "10.0.0.0/8, ::1"}, {"metrics_allow": "192.168.0.0/16"})
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1")
    assert settings.metrics_allow == ("192.168.0.0/16",)


def test_words_for_yes_and_no() -> None:
    for word, value in (("0", False), ("off", False), ("True", True), ("yes", True)):
        assert load_settings({"BURACO_METRICS": word}, {}).metrics is value


def test_the_database_lies_in_the_data_folder_unless_told() -> None:
    assert load_settings({}, {"data": Path("/d")}).storage_url == "sqlite+aiosqlite:////d/buraco.db"
    assert load_settings({}, {"database_url": "postgresql+asyncpg://h/b"}).storage_url == "postgresql+asyncpg://h/b"


def test_without_a_home_folder_the_data_folder_has_to_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def unknown(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", unknown)
    with pytest.raises(BuracoError, match="--data or BURACO_DATA"):
        load_settings({}, {})
    assert load_settings({}, {"data": tmp_path}).data == tmp_path
    with pytest.raises(BuracoError, match="BURACO_DATA names"):
        load_settings({"BURACO_DATA": "~nobody-of-this-name"}, {})


def test_the_users_data_folder_follows_the_environment() -> None:
    assert user_data({"XDG_DATA_HOME": "/x"}) == Path("/x/buraco")
    assert user_data({"HOME": "/home/ana"}) == Path("/home/ana/.local/share/buraco")


@pytest.mark.parametrize(
    ("host", "public_url", "local"),
    [
        ("127.0.0.1", "", True),
        ("localhost", "", True),
        ("::1", "", True),
        ("0.0.0.0", "", False),
        ("127.0.0.1", "https://cards.example", False),
    ],
)
def test_whether_only_this_computer_can_open_it(host: str, public_url: str, local: bool) -> None:
    settings = Settings(host=host, public_url=public_url)
    assert settings.local_only is local
    assert settings.secure is public_url.startswith("https")


def test_behind_a_public_address_the_proxy_on_this_computer_is_trusted() -> None:
    assert Settings().proxies == ()
    assert "127.0.0.0/8" in Settings(public_url="https://cards.example").proxies
    assert Settings(public_url="https://cards.example", trusted_proxies=("10.0.0.1",)).proxies == ("10.0.0.1",)


def test_the_help_of_serve_names_every_setting_and_its_variable() -> None:
    result = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "300", "TERM": "dumb", "NO_COLOR": "1"})
    assert result.exit_code == 0
    for one in setting_fields():
        assert flag_of(one.name) in result.stdout, one.name
        assert variable_of(one.name) in result.stdout, one.name
    assert {"BURACO_TOKEN_KEY", *(f"{variable_of(name)}_FILE" for name in SECRETS)} <= set(
        re.findall(r"BURACO_\w+", result.stdout)
    )


@pytest.mark.parametrize("name", SECRETS)
def test_what_holds_a_password_may_lie_in_a_file(name: str, tmp_path: Path) -> None:
    values = {"database_url": "postgresql://buraco:secret@db/buraco", "redis": "redis://:secret@cache:6379"}
    environment = {variable_of(one): value for one, value in values.items() if one != name}
    (tmp_path / "secret").write_text(f"{values[name]}\n", encoding="utf-8")
    settings = load_settings(environment | {f"{variable_of(name)}_FILE": str(tmp_path / "secret")}, {})
    assert (settings.database_url, settings.redis) == (values["database_url"], values["redis"])


def test_a_variable_wins_over_its_file_and_a_flag_over_both(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("postgresql:///file", encoding="utf-8")
    environment = {"BURACO_DATABASE_URL_FILE": str(tmp_path / "secret")}
    assert load_settings(environment, {}).database_url == "postgresql:///file"
    environment["BURACO_DATABASE_URL"] = "postgresql:///variable"
    assert load_settings(environment, {}).database_url == "postgresql:///variable"
    assert load_settings(environment, {"database_url": "postgresql:///flag"}).database_url == "postgresql:///flag"


@pytest.mark.parametrize("content", [None, b"\xff\xfe"], ids=["missing", "no text"])
def test_a_secret_file_that_cannot_be_read_is_a_fault(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BuracoError, match=r"BURACO_REDIS_FILE names .*secret, which cannot be read") as raised:
        load_settings({"BURACO_REDIS_FILE": str(file)}, {})
    assert raised.value.code == "setting"


@pytest.mark.parametrize("content", ["", "\n", " \n", "\nredis://later"])
@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_file_with_nothing_in_its_first_line_is_a_fault(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(content, encoding="utf-8")
    variable = f"{variable_of(name)}_FILE"
    with pytest.raises(BuracoError, match=f"{variable} names .*secret, whose first line is empty"):
        load_settings({variable: str(tmp_path / "secret")}, {})


def test_the_document_names_every_setting() -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "server.md").read_text(encoding="utf-8")
    for one in setting_fields():
        assert f"`{flag_of(one.name)}`" in text, one.name
