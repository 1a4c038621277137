"""Who does the work: processes whose end is told, Ray by its extra, and a pool of one that wastes nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from buraco.arena.executors import open_pool
from buraco.arena.running import run
from buraco.errors import BuracoError
from tests.arena.test_running import plan_of, played, without_times


class RayLostError(Exception):
    """What stands for Ray's own errors."""


class FakeRay:
    """As much of Ray as the arena uses, in this process."""

    exceptions = SimpleNamespace(RayError=RayLostError)

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def init(self, **named: Any) -> None:
        self.calls.append(("init", named))

    def shutdown(self) -> None:
        self.calls.append(("shutdown", {}))

    def remote(self, work: Callable[..., Any]) -> SimpleNamespace:
        return SimpleNamespace(remote=lambda *arguments: (work, arguments))

    def get(self, reference: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:
        work, arguments = reference
        self.calls.append(("get", {}))
        return work(*arguments)


@pytest.fixture
def fake_ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    found = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", found)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    return found


def test_ray_plays_what_one_process_plays(fake_ray: FakeRay) -> None:
    plan = plan_of()
    with open_pool("ray", 3) as pool:
        *_, last = run(plan, pool)
    assert without_times(last) == without_times(played(plan))
    assert fake_ray.calls[0] == ("init", {"log_to_driver": False, "num_cpus": 3, "include_dashboard": False})
    assert [name for name, _ in fake_ray.calls[1:]] == ["get", "get", "get", "shutdown"]


def test_a_cluster_is_taken_as_it_is(fake_ray: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "ray://head:10001")
    with open_pool("ray", 3):
        pass
    assert fake_ray.calls == [("init", {"log_to_driver": False}), ("shutdown", {})]


def test_ray_is_ended_after_a_fault(fake_ray: FakeRay) -> None:
    def fail() -> None:
        raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"), open_pool("ray", 1) as pool:
        pool.submit(fail).result()
    assert fake_ray.calls[-1] == ("shutdown", {})


def test_a_piece_of_work_that_ray_loses_is_an_error_that_says_so(fake_ray: FakeRay) -> None:
    def lose() -> None:
        raise RayLostError("the worker\ndied")

    with pytest.raises(BuracoError, match="the worker died") as error, open_pool("ray", 1) as pool:
        pool.submit(lose).result()
    assert error.value.code == "worker_ended"
    assert fake_ray.calls[-1] == ("shutdown", {})


def test_an_error_of_the_work_itself_comes_through_ray(fake_ray: FakeRay) -> None:
    def refuse() -> None:
        raise BuracoError("players", "no")

    with pytest.raises(BuracoError) as error, open_pool("ray", 1) as pool:
        pool.submit(refuse).result()
    assert error.value.code == "players"
    assert fake_ray.calls[-1] == ("shutdown", {})


def test_a_cluster_that_is_not_there_is_an_error_that_says_so(
    fake_ray: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_cluster(**_: object) -> None:
        raise ConnectionError("nobody answers")

    monkeypatch.setattr(fake_ray, "init", no_cluster)
    with pytest.raises(BuracoError, match="RAY_ADDRESS says: nobody answers") as error, open_pool("ray", 1):
        pass
    assert error.value.code == "ray_failed"


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BuracoError, match=r"pip install 'buraco\[ray\]'") as error, open_pool("ray", 1):
        pass
    assert error.value.code == "ray_missing"


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(BuracoError, match="local, ray") as error, open_pool("dask", 1):
        pass
    assert error.value.code == "arena_engine"


def test_a_worker_that_dies_is_an_error_that_says_so() -> None:
    with pytest.raises(BuracoError, match="ended before its work") as error, open_pool("local", 2) as pool:
        pool.submit(os._exit, 3).result()
    assert error.value.code == "worker_ended"


def test_one_worker_does_only_what_somebody_waits_for() -> None:
    done: list[int] = []
    with open_pool("local", 1) as pool:
        first, second = pool.submit(done.append, 1), pool.submit(done.append, 2)
        second.result()
    assert done == [2]
    assert first is not second
