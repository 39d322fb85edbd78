"""Sealed luck words: a seat sends the hash of its words first, and its words when all seals were told."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pbem.core.events import Event, Seat, event_kind
from pbem.core.interface import Ask, Choice, Choices, Json, Menu, Problem
from pbem.core.labels import OPEN

SEAL: Final = "[0-9a-f]{64}"
"""How a seal is written."""

UNOPENED: Final[dict[str, Json]] = {"luck": ""}
"""What stands for a seat that does not open its seal."""


def seal_of(game: str, seat: str, words: str) -> str:
    """Return the seal of luck words: it tells nothing of words that nobody can guess, and fits no others."""
    return hashlib.sha256(json.dumps(["seal", game, seat, words]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StartView:
    """What a seat knows before the deal."""

    me: Seat | None
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class SealedView(StartView):
    """What a seat knows before the deal of a game whose luck words are sealed.

    Attributes:
        game: The id of the game, which is part of each seal.
        seals: The seals that were told to all; None while they come in.
        words: The luck words that were sent without a seal, told with the seals.
    """

    game: str
    seals: Mapping[Seat, str] | None
    words: Mapping[Seat, str]


class StartForm(NamedTuple):
    """A seat's start form: its luck word or the seal of it, and what else the rules ask for.

    Attributes:
        luck: The luck word.
        answers: The other fields.
        order: All of it as it was written: once the game was dealt, it may be an order of the rules.
        seal: The seal in place of a luck word, or "".
    """

    luck: str
    answers: Json
    order: Json
    seal: str = ""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A game whose start forms are in: the seals are told to all, and are to be opened.

    Attributes:
        seals: The seals of the seats that sent one.
        luck: The luck words of all others; "" for none.
        answers: What else each seat wrote in its start form.
    """

    seals: Mapping[Seat, str]
    luck: Mapping[Seat, str]
    answers: Mapping[Seat, Any]

    def ask(self) -> Ask:
        """Ask those who sent a seal for the words of it; silence leaves it shut in any game.

        The kind is that of start forms: what templates do for them, before the deal, is right here too.
        """
        return Ask("start", OPEN, frozenset(self.seals), silence=UNOPENED)

    def opened(self, words: Mapping[Seat, str]) -> dict[Seat, str]:
        """Return the luck words of all seats; a seal that was not opened stands for its words."""
        return {**self.luck, **{seat: words.get(seat) or seal for seat, seal in self.seals.items()}}


@event_kind
class LuckSealed(Event):
    """The start forms were in: their seals, and the luck words that came without one, are public now."""

    seals: Mapping[Seat, str]
    luck: Mapping[Seat, str]


@event_kind
class SealsUnopened(Event):
    """These seats did not open their seals; each seal counts in place of the words."""

    seats: tuple[Seat, ...]


def start_problems(view: StartView, form: StartForm) -> tuple[Problem, ...]:
    """Say what is wrong with a start form, or with the words of a seal.

    Args:
        view: What the seat knows.
        form: What it sent.
    """
    if not isinstance(view, SealedView):
        return ()
    if view.seals is None:
        return _seal_problems(form)
    seal = view.seals.get(view.me) if view.me is not None else None
    if seal is None:
        return (Problem((), "you sent no seal, so there is nothing to open", "Your luck words stand."),)
    if form.seal:
        return (Problem(("seal",), "the seals were told to all, and stay", _WORDS),)
    if form.answers:
        return (Problem((), "your start form was taken; only its seal is to be opened", _WORDS),)
    if seal_of(view.game, str(view.me), form.luck) != seal:
        hint = f"Your seal is {seal}; send the words that it was made of, letter by letter."
        return (Problem(("luck",), "these words do not give your seal", hint),)
    return ()


_WORDS: Final = "Send {luck: WORDS}."


def _seal_problems(form: StartForm) -> tuple[Problem, ...]:
    """Say what is wrong with a start form where seals come in."""
    if form.seal and form.luck:
        hint = "Send the seal alone, and keep the words until you are asked for them."
        return (Problem(("luck",), "whoever reads the words of a seal can use them", hint),)
    if form.seal and not re.fullmatch(SEAL, form.seal):
        return (
            Problem(
                ("seal",),
                "a seal is 64 digits and letters from a to f",
                "The order page makes one; `pbem luck` does so too.",
            ),
        )
    return ()


def opening_choices() -> Choices:
    """Return what a seat may order that is asked to open its seal."""
    what = Choice(
        {"luck": "the words of your seal"}, "the words that your seal was made of; they join the dice"
    )
    return Choices((Menu(("",), "The words of your seal", (what,)),))


def what_becomes_of(view: StartView, form: StartForm) -> str:
    """Say what will become of luck words, or of a seal, in words for the seat."""
    if form.seal:
        return (
            f"Your seal will be told to all: {form.seal}. Keep its words; you are asked for them then. "
            "If you do not send them, you are named, and the seal counts in place of the words."
        )
    if isinstance(view, SealedView) and view.seals is not None:
        return f"Your seal is opened, and its words will be mixed into the dice: {form.luck}"
    told = f"Your luck words will be mixed into the dice: {form.luck or '(none)'}"
    without = ", as they have no seal" if isinstance(view, SealedView) else ""
    return f"{told}. The host can read them before all are in{without}." if form.luck else told
