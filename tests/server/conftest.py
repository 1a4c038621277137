"""What all tests of the server share: on which database a test runs.

Tests that are not marked run on SQLite; ``BURACO_TEST_DATABASE=postgresql`` runs them on PostgreSQL instead, ``site``
on PostgreSQL and Redis with two servers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.databases import (
    KINDS,
    SITE,
    Cluster,
    RedisServer,
    running_cluster,
    running_redis,
    use_database,
    use_redis,
)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of this test process alone, from its first use to the end."""
    with running_cluster() as made:
        yield made


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """A Redis of this test process alone, from its first use to the end."""
    with running_redis() as made:
        yield made


@pytest.fixture(scope="module")
def database_kind(request: pytest.FixtureRequest) -> str:
    """The kind of database that a test uses: what its mark says, or the usual one."""
    usual = os.environ.get("BURACO_TEST_DATABASE", "sqlite")
    kinds = (*KINDS, SITE)
    assert usual in kinds, f"BURACO_TEST_DATABASE is one of {', '.join(kinds)}"
    return str(getattr(request, "param", usual))


@pytest.fixture(autouse=True)
def database(request: pytest.FixtureRequest, database_kind: str) -> Iterator[None]:
    """A new database for everything that a test keeps in its folder."""
    if database_kind == "sqlite" or "tmp_path" not in request.fixturenames:
        yield
        return
    folder: Path = request.getfixturevalue("tmp_path")
    cluster: Cluster = request.getfixturevalue("cluster")
    with cluster.database() as url:
        use_database(folder, url)
        if database_kind == SITE:
            use_redis(folder, request.getfixturevalue("redis").url)
        yield
