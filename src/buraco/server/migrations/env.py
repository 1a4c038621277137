"""Runs the migrations on the connection that `buraco.server.upgrade` brings."""

from __future__ import annotations

from alembic import context

from buraco.server.schema import metadata

__all__: list[str] = []


def _run() -> None:
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()


_run()
