"""`buraco doctor` beside a PostgreSQL and a Redis that answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

from buraco.cli.checks import Check, Facts, checks
from buraco.server.upgrade import make_engine, upgrade_schema
from tests.server.databases import Cluster, RedisServer


def found(**environment: str) -> dict[str, Check]:
    """Every check by its name, in this environment."""
    return {check.name: check for check in checks(Facts(environment=environment, flags={}))}


async def _upgrade(url: str) -> None:
    engine = make_engine(url)
    try:
        await upgrade_schema(engine)
    finally:
        await engine.dispose()


def test_a_database_without_tables_is_a_fault_until_it_is_upgraded(cluster: Cluster, tmp_path: Path) -> None:
    with cluster.database(empty=True) as url:
        check = found(BURACO_DATA=str(tmp_path), BURACO_DATABASE_URL=url)["database"]
        assert (check.state, check.told) == (
            "fault",
            "the database has no tables yet; run `buraco db upgrade` first",
        )
        assert "`buraco db upgrade`" in check.mend
        asyncio.run(_upgrade(url))
        check = found(BURACO_DATA=str(tmp_path), BURACO_DATABASE_URL=url)["database"]
        assert (check.state, check.told) == ("ok", "PostgreSQL answers and fits this version")


def test_a_redis_that_runs_answers(redis: RedisServer, tmp_path: Path) -> None:
    # No database is asked for it, so none need be there.
    environment = {"BURACO_DATABASE_URL": "postgresql://buraco@127.0.0.1:1/buraco", "BURACO_REDIS": redis.url}
    check = found(BURACO_DATA=str(tmp_path), **environment)["redis"]
    assert (check.state, check.told) == ("ok", "it answers")
