"""What the tests of the server's outer layers share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.server.net.serving import Running, running_server


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The server runs on asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A server for the tests of a module that leave nothing behind for each other."""
    async with running_server(tmp_path_factory.mktemp("data")) as served:
        yield served
