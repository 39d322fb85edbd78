"""What keeps a home, behind one interface: read by name, changed in three ways; and the names in it."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeAlias

from pbem.core.interface import Json
from pbem.store.records import Row

if TYPE_CHECKING:
    from pbem.store.errors import WrongInput
    from pbem.store.journal import Figure, Journal


Kind: TypeAlias = Literal["file", "folder", "other", ""]
"""What lies under a name; "other" can never be read, such as a pipe, and "" is nothing."""


UNDONE: Final = re.compile(r"([0-9]{4,})\.([1-9][0-9]*)")
"""The last part of the name of a turn that was taken back."""


def turn_name(game: str, turn: int) -> str:
    """Return the name of a turn."""
    return f"games/{game}/turns/{turn:04d}"


def undone_name(game: str, turn: int, revision: int) -> str:
    """Return the name of a turn that was taken back, as often as this."""
    return f"games/{game}/turns/undone/{turn:04d}.{revision}"


class Readable(Protocol):
    """A file that can be read, of a home or anywhere else; as text it is where it lies."""

    def read_bytes(self) -> bytes:
        """Return its content."""


class ReadStore(Protocol):
    """What a place needs of its store."""

    def read(self, name: str) -> bytes:
        """Return the content of a file.

        Raises:
            FileNotFoundError: There is nothing; with how people are told of the name.
            IsADirectoryError: It is a folder.
            OSError: It cannot be read.
        """

    def kind(self, name: str) -> Kind:
        """Tell what lies under a name."""

    def names(self, name: str) -> list[str]:
        """Return the names right below a folder, in order.

        Raises:
            FileNotFoundError: There is no such folder.
        """

    def below(self, name: str) -> list[str]:
        """Return the paths of all files below a folder, from that folder, in order; none if there is none."""

    def stamp(self, name: str) -> object:
        """Return what is another whenever the content of a file may be."""

    def spelled(self, name: str) -> str:
        """Return how people are told of a name."""


class Place(NamedTuple):
    """A name in a store; it is used as a path is, but for writing, which is the store's.

    Attributes:
        store: The store.
        path: The name, from the top of the home: `games/web-1/turns/0003`; "" is the home.
    """

    store: ReadStore
    path: str

    def __truediv__(self, more: str) -> Place:
        return Place(self.store, f"{self.path}/{more}" if self.path else more)

    def __str__(self) -> str:
        return self.store.spelled(self.path)

    @property
    def name(self) -> str:
        """Its last part."""
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """Its last part without what stands behind the last dot."""
        stem, dot, _ = self.name.rpartition(".")
        return stem if stem and dot else self.name

    @property
    def suffix(self) -> str:
        """What stands behind the last dot, with the dot; or ""."""
        stem, dot, suffix = self.name.rpartition(".")
        return f".{suffix}" if stem and dot else ""

    @property
    def parent(self) -> Place:
        """The folder it lies in."""
        return Place(self.store, self.path.rpartition("/")[0])

    def exists(self) -> bool:
        """Tell whether anything lies here."""
        return bool(self.store.kind(self.path))

    def is_file(self) -> bool:
        """Tell whether a file lies here."""
        return self.store.kind(self.path) == "file"

    def is_dir(self) -> bool:
        """Tell whether a folder lies here."""
        return self.store.kind(self.path) == "folder"

    def read_bytes(self) -> bytes:
        """Return the content of the file here.

        Raises:
            OSError: There is none, or it cannot be read.
        """
        return self.store.read(self.path)

    def read_text(self) -> str:
        """Return the content of the file here, which is UTF-8.

        Raises:
            OSError: There is none, or it cannot be read.
        """
        return self.store.read(self.path).decode("utf-8")

    def iterdir(self) -> Iterator[Place]:
        """Yield what lies right below this folder."""
        return (self / name for name in self.store.names(self.path))

    def below(self) -> list[str]:
        """Return the paths of all files below this folder, from here."""
        return self.store.below(self.path)

    def stamp(self) -> object:
        """Return what is another whenever the content of the file here may be."""
        return self.store.stamp(self.path)


WAIT_SECONDS: Final = 30.0
"""So long a command waits for another that holds a game."""


class Change(NamedTuple):
    """Several things of one game that become true together, or, after a cut, when the game is next changed.

    Attributes:
        what: What it is, as values of JSON; a command that finds it finished for it recognises it by these.
            Under `words` stands what people are told, such as "taking turn 3 back".
        files: The new content of files, by name; None puts a file aside, so that it does not count any more.
        taken_back: The turn to take back, or None.
        rows: What goes into the journal with it.
    """

    what: Mapping[str, Json]
    files: Mapping[str, bytes | None] = {}
    taken_back: int | None = None
    rows: tuple[Row, ...] = ()


class Store(ReadStore, Protocol):
    """A home: its games, their turns, lodged orders and the journal.

    Names are those of the folder home: `home.yaml`, `orders/web-1/7.yaml`, `games/web-1/game.yaml`.
    """

    def at(self, name: str) -> Place:
        """Return a place of this store."""

    is_being_copied: bool
    """This program is copying a home into it, which nobody else may use before all of it is there."""

    @property
    def is_folder(self) -> bool:
        """True where hands can change and delete what it keeps; a database keeps that from them."""

    @property
    def beside(self) -> Path:
        """The folder in which the moderator keeps files of their own, such as those with passwords."""

    # --- what there is

    def games(self) -> list[str]:
        """Return the ids of all games, in order.

        Raises:
            WrongInput: This is no home.
        """

    def has(self, game: str) -> bool:
        """Tell whether there is a game of this id, without looking at the others."""

    def turns(self, game: str) -> list[int]:
        """Return the numbers of a game's committed turns, in order."""

    def taken_back(self, game: str) -> list[tuple[int, int]]:
        """Return the turns that were taken back: number and how often before, from 1; in order."""

    @property
    def has_journal(self) -> bool:
        """Tell whether there may be notes; False means that nothing was ever noted, and spares looking."""

    def journal(self) -> AbstractContextManager[Journal]:
        """Open the journal, made if it is not there. Use it in `with`.

        Raises:
            WrongInput: It is damaged or of a newer pbem.
        """

    # --- which games rest

    def stirring(self, now: datetime.datetime) -> list[str]:
        """Return the games to look at, in order: all but those that rest.

        A game rests from `let_rest` until its moment has come or it stands otherwise than it was seen.

        Raises:
            WrongInput: This is no home.
        """

    def seen(self, game: str) -> str:
        """Return what stands in a game, in short.

        It is another whenever anything may be that the moderator keeps of the game, its turns, its orders and
        press, what is noted of it, `home.yaml`, or this program.
        """

    def let_rest(self, game: str, seen: str, until: datetime.datetime) -> None:
        """Note that nothing is to be done in a game before a moment, as long as it stands as it was seen.

        It goes on stirring if it stands otherwise now, or if a change of it would not show yet.

        Args:
            game: The game.
            seen: What stood in it before it was looked at.
            until: The moment.
        """

    # --- changes; a game is changed by who holds it

    def held(self, name: str, *, wait_seconds: float = 0.0) -> AbstractContextManager[Change | None]:
        """Hold a game, or something else by its name, so that nobody else changes it.

        Who holds it lets go at the end of the block, also when the program is killed in it; the same program
        cannot hold it twice. A change of the game that was begun and cut off is finished first, and is what
        one gets. Readers are not kept out.

        Args:
            name: A game (`games/web-1`), or what a part of the program shares, such as `mail/sending`.
            wait_seconds: So long another is waited for.

        Raises:
            GateClosedError: Another program held it all the while.
            WrongInput: What was begun cannot be finished now.
        """

    def claimed(self, table: str, number: int) -> AbstractContextManager[bool]:
        """Have a mail of the journal to oneself, by its table and number; False if somebody else has it.

        Where only one program at a time processes mail, and one sends, it is always one's own.
        """

    def together(self) -> AbstractContextManager[None]:
        """Make all changes inside true together, where one place keeps them all; else one by one.

        It spares time, and nobody may rely on it: a command may be cut between the changes.
        """

    def lodge(self, name: str, data: bytes) -> None:
        """Keep one file in place of what was there, atomically and durably.

        Whoever lodges holds the game or the folder that the file belongs to.

        Raises:
            OSError: The disk is full or fails; the file is as it was.
        """

    def commit(self, game: str, turn: int, files: Mapping[str, bytes]) -> None:
        """Add a turn to a game that the caller holds, atomically and durably.

        Args:
            game: The game.
            turn: The turn's number; there must be no such turn yet.
            files: The content of every file, by its path in the turn.

        Raises:
            OSError: There is such a turn, or the disk is full or fails; nothing was changed.
        """

    def found(self, game: str, files: Mapping[str, bytes]) -> None:
        """Add a game, atomically and durably.

        Args:
            game: Its id.
            files: The content of every file, by its path in the game.

        Raises:
            WrongInput: There is such a game already.
        """

    def change(self, game: str, change: Change) -> None:
        """Make several things of a game that the caller holds true together.

        Raises:
            OSError: The disk is full or fails; nothing was changed.
            UnfinishedChange: It was begun, but not finished; whoever changes the game next does that.
        """

    def note(self, rows: Iterable[Row]) -> None:
        """Write rows into the journal, all or none."""

    def tidy(self, *names: str) -> None:
        """Remove what killed programs, or a full disk, have left half written below names that are held."""

    def remove(self, name: str) -> None:
        """Remove a file."""

    # --- what a moderator is told of it

    def figures(self, now: datetime.datetime) -> list[Figure]:
        """Return the figures of this home, for whoever watches over it; no game is opened for them.

        Raises:
            WrongInput: This is no home.
        """

    def free_bytes(self) -> int:
        """Return how much more can be kept here."""

    def open_to_others(self, names: Iterable[str]) -> list[WrongInput]:
        """Return a mistake for each of these names that others than its owner can read, with the way out."""


class SingleWriter:
    """What a store has where one program at a time works on mails, and files and rows lie in two places."""

    @contextlib.contextmanager
    def claimed(self, table: str, number: int) -> Iterator[bool]:
        """Have a mail to oneself: whoever processes or sends mails here holds all of them."""
        yield True

    def together(self) -> AbstractContextManager[None]:
        """Make changes one after the other: files and rows are kept in two places."""
        return contextlib.nullcontext()
