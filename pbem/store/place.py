"""A name in a store, with what lies there: a file or a folder, wherever the store keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

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


class Reads(Protocol):
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


@dataclass(frozen=True, slots=True)
class Place:
    """A name in a store; it is used as a path is, but for writing, which is the store's.

    Attributes:
        store: The store.
        path: The name, from the top of the home: `games/web-1/turns/0003`; "" is the home.
    """

    store: Reads
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
