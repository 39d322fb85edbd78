"""Verbs that the moderator can mail too, and the mail that such a verb is run for."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from pbem.play.homes.home import Home


class MailableVerb(click.Command):
    """A verb that can be mailed.

    Attributes:
        needs: So many of its arguments a mail must give.
        asks_first: Names of options with which it is done only when the moderator has said yes to it; its own
            name where that is always so.
        is_look: It changes nothing.
    """

    def __init__(
        self,
        *more: Any,
        needs: int = 1,
        asks_first: tuple[str, ...] = (),
        is_look: bool = False,
        **named: Any,
    ) -> None:
        super().__init__(*more, **named)
        self.needs, self.asks_first, self.is_look = needs, asks_first, is_look


class Mailed(NamedTuple):
    """A mail that a verb is run for.

    Attributes:
        home: Where it is done.
        said: When it was asked for: days are read as they were meant then.
        is_tried: It is done in a copy: the turn that is made later has another root.
        printed: What the verb prints, which is the answer.
    """

    home: Home
    said: datetime.datetime
    is_tried: bool
    printed: list[str]


def mailed() -> Mailed | None:
    """Return the mail that the verb at work is run for; None at the keyboard."""
    context = click.get_current_context(silent=True)
    return context.find_object(Mailed) if context is not None else None
