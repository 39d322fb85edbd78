"""Why no orders were found, in words."""

from __future__ import annotations

from typing import NamedTuple

from pbem.play.config.templates import mail_words
from pbem.play.homes.home import Home
from pbem.text.mail.noorders import NoOrders


class WhyNone(NamedTuple):
    """Why no orders were found.

    Attributes:
        why: Why, for the player.
        way: What would do, for a player who is not shown that anyway.
        told: Why, for the moderator: without a word of what the player wrote.
    """

    why: str
    way: str
    told: str

    @property
    def text(self) -> str:
        """Why, and what would do."""
        return f"{self.why} {self.way}".rstrip()


def words_of(home: Home, found: NoOrders) -> WhyNone:
    """Return the three lines that the template of a reason makes."""
    return WhyNone(*mail_words(home.templates, f"noorders/{found.reason}", found.said).splitlines())
