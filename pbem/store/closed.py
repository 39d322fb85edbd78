"""A home that was closed, because it was moved: nothing is changed in it until it is reopened."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.store.errors import WrongInput

if TYPE_CHECKING:
    from pbem.store.interface import Store

MARK: Final = "closed.json"
"""The file of a home that says so; `pbem-spool` looks for it, too."""


class Closed(NamedTuple):
    """How a home was closed.

    Attributes:
        at: When, in words.
        why: Where it went, or another reason; or "".
        is_copy: It is a copy that was not finished: it may lack games, and what they have.
    """

    at: str
    why: str
    is_copy: bool = False

    def told(self, where: str) -> str:
        """Return it in words, with no full stop."""
        if self.is_copy:
            return f"{where} is a copy that was not finished: it may lack games, turns and rows"
        return f"{where} was closed {self.at}{f' ({self.why})' if self.why else ''}"


class HomeClosed(WrongInput):
    """The home was closed: it takes no changes."""


def how_closed(store: Store) -> Closed | None:
    """Return how a home was closed; None if it is open."""
    if store.kind(MARK) != "file":
        return None
    found = json.loads(store.read(MARK))
    return Closed(str(found["at"]), str(found["why"]), found.get("is_copy") is True)


def named(store: Store) -> str:
    """Return how people are told of a home: the folder where they are is this home."""
    where = store.spelled("")
    return "this home" if where == "." else where


def refuse_closed(store: Store) -> None:
    """Refuse a home that was closed; a copy that is being made takes what is copied.

    Raises:
        HomeClosed: It is so.
    """
    if not store.is_being_copied and (how := how_closed(store)) is not None:
        where = store.spelled("")
        if how.is_copy:
            raise HomeClosed(f"{how.told(named(store))}.", "Copy into a new, empty home.")
        hint = f"If it is to be used here again: pbem home close --reopen --home {where}"
        raise HomeClosed(f"{how.told(named(store))}; nothing is changed in it.", hint)
