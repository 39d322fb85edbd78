"""A file of players as its host wrote it: a deadline in words becomes the moment that they mean."""

from __future__ import annotations

import datetime
from typing import NamedTuple

from pbem.host.people.gamewriting import with_deadline
from pbem.host.time.whens import read_when
from pbem.play.config.placed import Placed, read_placed
from pbem.play.config.schedule import is_zone
from pbem.play.homes.home import Home
from pbem.store.errors import Declined, WrongInput
from pbem.store.place import Readable
from pbem.text.schemas.codec import fields_of

Moment = datetime.datetime


class Exact(NamedTuple):
    """A file of players whose deadline is written out; mistakes in it are told where its host wrote them.

    Attributes:
        path: Where it lies.
        data: What it says.
    """

    path: Readable
    data: bytes

    def __str__(self) -> str:
        """Return where it lies."""
        return str(self.path)

    def read_bytes(self) -> bytes:
        """Return its content."""
        return self.data


def with_exact_deadline(home: Home, path: Readable, now: Moment) -> Readable:
    """Return a file of players with its deadline written out, which may be words: `Friday 20:00`.

    They are read in the zone of the home, else in that of the file's schedule.

    Args:
        home: The home.
        path: The file.
        now: The moment, from which days are counted.

    Raises:
        WrongInput: The file cannot be read, or its deadline; with FILE:LINE:COLUMN.
    """
    file = read_placed(path)
    written = file.value.get("deadline")
    if not isinstance(written, str):
        return path  # there is none, or the schema says what is wrong with it
    try:
        due = read_when(written, now, _zone(home, file)).due
    except Declined as wrong:
        raise WrongInput(f"{file.at('deadline')}: {wrong}") from None
    if due.isoformat() == written:
        return path
    return Exact(path, with_deadline(path, path.read_bytes().decode(), due).encode())


def _zone(home: Home, file: Placed) -> str:
    """Return the zone that is meant where none is written."""
    named = str(fields_of(file.value.get("schedule")).get("zone", ""))
    return home.zone() or (named if is_zone(named) else "UTC")
