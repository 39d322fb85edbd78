"""Mistakes of an orders file: where each is and what would do, and the lines as they could be written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from pbem.core.remedies import Remedy

FaultKind: TypeAlias = Literal[
    # the file
    "yaml",
    "not-orders",
    "envelope",
    "no-orders",
    "without-lines",
    "half-choice",
    "hidden-message",
    # whose it is
    "game-unknown",
    "game-other",
    "game-over",
    "game-cancelled",
    "seat-unknown",
    "seat-other",
    "key-missing",
    "key-wrong",
    "key-repeated",
    "key-of-former",
    "form-of-former",
    # its lines
    "orders-no-list",
    "do-empty",
    "schema",
    "field-unknown",
    "field-missing",
    "fields-together",
    "label",
    "label-passed",
    "until",
    "until-beside-at",
    "shadowed",
    "rule",
    "never-playable",
    # its conditions
    "condition-empty",
    "condition-unknown",
    "condition-twice",
    "condition-value",
    "condition-never",
    "condition-unclear",
    # its press
    "press-off",
    "press-anonymous",
    "press-reader",
    "press-secret",
    "press-full",
    # the mail that it came in
    "mail-unreadable",
    "mail-without-orders",
]
"""What is wrong, for programs; its place and words are of the one mistake."""


class Fault(NamedTuple):
    """One mistake in an orders file: where, what was read, what is wrong, what would do.

    Attributes:
        line: Counted from 1.
        column: Counted from 1.
        text: What was read and what is wrong.
        hint: What would do; may be empty.
        part: What can be left out for it: a line of orders ("2"), an action of one ("2.bid_1"), or "".
        kind: Its kind.
        remedies: What would do, for programs; no mistake comes before another for them.
    """

    line: int
    column: int
    text: str
    hint: str = ""
    part: str = ""
    kind: FaultKind = "rule"
    remedies: tuple[Remedy, ...] = ()

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        """Tell whether it comes before another mistake in the file."""
        return self[:-1] < other[:-1]

    @property
    def sentence(self) -> str:
        """What is wrong and what would do, without its place."""
        end = "" if self.text.endswith((".", "?", "!")) else "."
        return self.text + (f"{end} {self.hint}" if self.hint else "")

    def __str__(self) -> str:
        """Return `LINE:COLUMN: text. hint`, as it follows the file's name."""
        return f"{self.line}:{self.column}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Corrected:
    """Lines of an orders file as they could be written.

    Attributes:
        line: The first line that they stand for, from 1.
        count: So many lines they stand for.
        lines: The lines.
    """

    line: int
    count: int
    lines: tuple[str, ...]


class Faults(list[Fault]):
    """All mistakes of an orders file, with what would do.

    Attributes:
        offer: The lines that would be accepted in place of those that are wrong; empty if nobody can say.
        is_example: The offer is an example of orders, and not what was written.
        notes: What was taken for what all the same, each with its line.
        whole: The whole file with the offer in it, without comments; empty without an offer.
        is_mixed: An example stands in the offer beside what was written, where nobody can say what was meant.
        is_less: What nobody can mend is left out of the offer; the other lines are as they were written.
        done: What the offer leaves out, and where an example stands in it, a sentence each.
        older: The game and the seat, if these are orders for asks that have passed; None if they are not.
    """

    def __init__(
        self,
        faults: Iterable[Fault] = (),
        offer: tuple[Corrected, ...] = (),
        notes: tuple[tuple[str, int], ...] = (),
        *,
        is_example: bool = False,
        whole: tuple[str, ...] = (),
        is_mixed: bool = False,
        is_less: bool = False,
        done: tuple[str, ...] = (),
        older: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(faults)
        self.offer = offer
        self.notes = notes
        self.is_example = is_example
        self.whole = whole
        self.is_mixed = is_mixed
        self.is_less = is_less
        self.done = done
        self.older = older
