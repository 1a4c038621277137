"""What the tests of the server's outer layers share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.server.databases import SITE, Cluster, use_database, use_redis
from tests.server.net.serving import Running, running_server


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The server runs on asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
def data_folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, database_kind: str
) -> Iterator[Path]:
    """The data folder of the server of a module."""
    folder = tmp_path_factory.mktemp("data")
    if database_kind == "sqlite":
        yield folder
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    with cluster.database() as url:
        use_database(folder, url)
        if database_kind == SITE:
            use_redis(folder, request.getfixturevalue("redis").url)
        yield folder


@pytest.fixture(scope="module")
async def running(data_folder: Path) -> AsyncIterator[Running]:
    """A server for the tests of a module that leave nothing behind for each other."""
    async with running_server(data_folder) as served:
        yield served
