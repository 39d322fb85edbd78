"""The orders in a mail, wherever they stand; or why there are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pbem.text.mail.letter import Letter


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a line of an orders file came from.

    Attributes:
        line: The line of the mail's text, or of the attachment, from 1; 0 if it stands in neither.
        shift: Characters that stood before it there.
        text: That line, as it stands there.
    """

    line: int
    shift: int
    text: str


@dataclass(frozen=True, slots=True)
class FoundOrders:
    """Orders that were found; whether they are right is for others to say.

    Attributes:
        text: An orders file.
        lines: Where each of its lines came from, in their mail.
        origin: "attachment NAME", "body", "quoted form" or "html".
        notes: What was mended, dropped or passed over, one sentence each.
    """

    text: bytes
    lines: tuple[Spot, ...]
    origin: str
    notes: tuple[str, ...] = ()

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the line and column in their mail of a place in the orders file; line 0 if not there."""
        spot = self.lines[line - 1] if 0 < line <= len(self.lines) else Spot(0, 0, "")
        return spot.line, column + spot.shift

    def shown(self, line: int) -> str:
        """Return the line of their mail that a line of the orders file came from."""
        return self.lines[line - 1].text if 0 < line <= len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class NoOrders:
    """No orders were found, or none that can be told from others.

    Attributes:
        reason: Why, as a short name.
        text: Why, in words for the player, and what would do.
    """

    reason: str
    text: str


def find_orders(
    letter: Letter, marker_ok: Callable[[str], bool], *, game: str = "", seat: str = ""
) -> FoundOrders | NoOrders:
    """Find the orders in a mail.

    Args:
        letter: The mail.
        marker_ok: Tells whether a marker line is that of a form of this seat for an ask that is open.
        game: The game of the address that the mail came to; written into orders that do not name one.
        seat: The seat of that address, likewise.
    """
    for part in letter.parts:
        name = part.filename.casefold()
        if part.is_attached and name.endswith((".yml", ".yaml")):
            return _whole(part.data, f"attachment {part.filename}")
    for part in letter.parts:
        if part.content_type == "text/plain" and b"orders:" in part.data:
            return _whole(part.data, "body")
    return NoOrders("no-orders", "There are no orders in your mail.")


def _whole(data: bytes, origin: str) -> FoundOrders:
    lines = data.decode("utf-8", "replace").splitlines()
    return FoundOrders(data, tuple(Spot(n, 0, line) for n, line in enumerate(lines, 1)), origin)
