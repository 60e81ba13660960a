"""Runs migration steps on the connection that `store.database` hands over."""

from __future__ import annotations

from alembic import context

from graphveil.service.store.tables import metadata


def run() -> None:
    """All steps in one transaction."""
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name alembic gives it; a plain import runs nothing
    run()
