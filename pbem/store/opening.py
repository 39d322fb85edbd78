"""A home is opened where it is named: a folder, or a database; and where the shipped folders are."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import pbem
from pbem.store.errors import JournalRefused, WrongInput
from pbem.store.folder import FolderStore

if TYPE_CHECKING:
    from pbem.store.interface import Store
    from pbem.store.postgresql.postgres import PostgresStore


T = TypeVar("T")

SCHEMES: Final = ("postgresql://", "postgres://")


def open_store(where: str) -> Store:
    """Return what keeps a home.

    Args:
        where: A folder, or the address of a database.
    """
    if where.startswith(SCHEMES):
        return _postgres_store_class()(where)
    return FolderStore(Path(where))


def _postgres_store_class() -> type[PostgresStore]:
    """Return what keeps a home in a database.

    Raises:
        WrongInput: The package psycopg is missing.
    """
    try:
        from pbem.store.postgresql.postgres import PostgresStore
    except ImportError:
        text = "a home in a database needs the package psycopg."
        raise WrongInput(text, command="pip install 'pbem[postgres]'") from None
    return PostgresStore


def make_store(where: str) -> Store:
    """Make an empty home.

    Args:
        where: A new folder, or the address of a database.

    Raises:
        WrongInput: There is something already.
    """
    if where.startswith(SCHEMES):
        return _postgres_store_class().make(where)
    return FolderStore.make(Path(where))


def upgrade(where: str) -> str:
    """Bring a home up to this program's format, and return what was done in words.

    Args:
        where: A folder, which needs nothing, or the address of a database.

    Raises:
        WrongInput: There is no home, or one of a newer pbem.
    """
    if not where.startswith(SCHEMES):
        FolderStore(Path(where)).games()
        return "A home in a folder is brought up to date by the commands that use it."
    before, after = _postgres_store_class()(where).bring_up()
    return f"The database is of format {after}{f', and was of {before}' if before < after else ''}."


def await_database(ask: Callable[[], T], talk: Callable[[str], None]) -> T:
    """Return what a home is asked first, as soon as its database is there; for programs that go on and on.

    Args:
        ask: Asks it.
        talk: Told once that the database is waited for.

    Raises:
        WrongInput: The home is damaged, or none.
    """
    is_told = False
    while True:
        try:
            return ask()
        except JournalRefused as gone:
            if not is_told:
                talk(f"pbem: {gone} It is waited for.")
            is_told = True
            time.sleep(1)


def shipped_folder(folder: str) -> Path:
    """Return the shipped `templates`, `games` or `orders` folder.

    Raises:
        FileNotFoundError: The installation is damaged.
    """
    package = Path(pbem.__file__).parent
    for place in (package / "shipped" / folder, package.parent / folder):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"this installation has no {folder} folder; install pbem anew")
