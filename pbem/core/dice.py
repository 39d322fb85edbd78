"""Dice without a generator: every draw is a keyed hash of where it stands in the game."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from pbem.core.events import Seat

T = TypeVar("T")

_SPAN = 1 << 256


@dataclass(frozen=True, slots=True)
class Dice:
    """The draws of one step.

    A draw is HMAC-SHA256 over (step, label, n) under the game's key, made unbiased by rejection. Asking twice
    for the same (label, n) gives the same draw, and no draw depends on how many others were asked for.
    """

    key: bytes
    step: int

    def below(self, limit: int, label: str, n: int = 0) -> int:
        """Return a uniform whole number from 0 to limit - 1; limit must be at least 1."""
        if limit < 1:
            raise ValueError(f"limit must be at least 1, got {limit} for the draw {label!r}")
        fair = _SPAN - _SPAN % limit
        attempt = 0
        while True:
            place = json.dumps(["draw", self.step, label, n, attempt]).encode()
            value = int.from_bytes(hmac.digest(self.key, place, "sha256"), "big")
            if value < fair:
                return value % limit
            attempt += 1

    def roll(self, sides: int, label: str, n: int = 0) -> int:
        """Return a uniform whole number from 1 to sides."""
        return self.below(sides, label, n) + 1

    def pick(self, items: Sequence[T], label: str, n: int = 0) -> T:
        """Return one of the items, each as likely as the others; there must be at least one."""
        return items[self.below(len(items), label, n)]

    def shuffled(self, items: Sequence[T], label: str) -> tuple[T, ...]:
        """Return the items in a uniform random order (Fisher-Yates, draw n for position n)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1, label, last)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def apart(self, *names: str) -> Dice:
        """Return dice of the same step that share no draw with these: a bot's, or another world's."""
        return Dice(hmac.digest(self.key, json.dumps(["apart", *names]).encode(), "sha256"), self.step)

    def with_luck(self, words: Mapping[Seat, str]) -> Dice:
        """Return the game's dice: this seed mixed with the luck words of all seats."""
        spoken = json.dumps(["luck", sorted(words.items())], ensure_ascii=True)
        return Dice(hmac.digest(self.key, spoken.encode(), "sha256"), self.step)


def commitment(seed: bytes) -> str:
    """Return the SHA-256 by which the host commits to a seed before the seats send their luck words."""
    return hashlib.sha256(seed).hexdigest()


NO_DICE: Final = Dice(b"", 0)
"""For what is to follow from a view alone: ties are broken the same way in every game."""
