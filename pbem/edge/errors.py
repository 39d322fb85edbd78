"""The kinds of wrong that end a command, each with its exit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


class WrongInput(Exception):
    """A mistake of the person at the keyboard: what was expected, what was found, where, and the way out."""

    exit_code: ClassVar[int] = 1

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(f"{text} {hint}".strip())


class Declined(WrongInput):
    """What somebody asked for cannot be done; the only such mistake that a player who wrote by mail is told.

    Attributes:
        for_player: The sentence for a player: nothing in it is a command or a file of the moderator's.
    """

    def __init__(self, text: str, hint: str = "", *, to_player: str = "") -> None:
        """Say what cannot be done; `hint` is the way out at the keyboard, `to_player` the one by mail."""
        super().__init__(text, hint)
        self.for_player = f"{text} {to_player}".strip()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a game is not run now.

    Attributes:
        name: What `--override` takes.
        text: What was found, without anything secret.
        can_override: Whether the moderator may run the game all the same.
    """

    name: str
    text: str
    can_override: bool = True

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class GateClosedError(Exception):
    """The gate refused a game; nothing was changed."""

    exit_code: ClassVar[int] = 3

    def __init__(self, reasons: tuple[Reason, ...]) -> None:
        super().__init__("; ".join(map(str, reasons)))
        self.reasons = reasons
