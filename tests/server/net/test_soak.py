"""Faults during matches, one kind after the other. ``python -m tests.server.net.soak`` goes on for longer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.server.databases import on_site, redis_url
from tests.server.net.soak import FAULTS, faults_of, soak

pytestmark = [pytest.mark.anyio, on_site]


async def test_whatever_goes_wrong_nothing_acked_is_lost_and_every_match_ends_once(tmp_path: Path) -> None:
    plan = ("kill", "database", "redis", "deaf") if redis_url(tmp_path) else ("stop", "sockets", "deaf")
    assert set(plan) <= set(faults_of(tmp_path))
    soaked = await soak(tmp_path, iter(plan), random.Random(1), counted=True)
    assert soaked.faults == dict.fromkeys(plan, 1)
    assert soaked.acked > 10 * len(plan)


def test_only_faults_that_there_can_be_are_planned(tmp_path: Path) -> None:
    there = set(faults_of(tmp_path))
    assert there == set(FAULTS) - (set() if redis_url(tmp_path) else {"database", "redis"})
