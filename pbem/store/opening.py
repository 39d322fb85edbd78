"""A home is opened where it is named: a folder, or a database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbem.store.folder import FolderStore

if TYPE_CHECKING:
    from pbem.store.interface import Store

SCHEMES: Final = ("postgresql://", "postgres://")


def open_store(where: str) -> Store:
    """Return what keeps a home.

    Args:
        where: A folder, or the address of a database.
    """
    if where.startswith(SCHEMES):
        from pbem.store.postgres import PostgresStore

        return PostgresStore(where)
    return FolderStore(Path(where))


def make_store(where: str) -> Store:
    """Make an empty home.

    Args:
        where: A new folder, or the address of a database.

    Raises:
        WrongInput: There is something already.
    """
    if where.startswith(SCHEMES):
        from pbem.store.postgres import PostgresStore

        return PostgresStore.make(where)
    return FolderStore.make(Path(where))
