"""What the orders of a game may look like: those of its rules, and start forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.labels import BEFORE_DEAL, START
from pbem.text.schemas.envelope import has_luck
from pbem.text.schemas.schema import Schema


class Grammar(NamedTuple):
    """What the orders of a game may look like.

    Attributes:
        seats: All seats.
        move: The schema of the rules' `do`.
        start: The schema of a start form's `do`.
        actions: Fields of `do` that stand for themselves.
        renew: Returns an order as the rules that are installed mean it, where an older version is answered.
        is_dealt: The game was dealt: what stands under the label of the start is an order with an old label,
            unless it has luck words or their seal.
        holders: Tells the name of each seat's player, where it may be told.
    """

    seats: tuple[Seat, ...]
    move: Schema
    start: Schema
    actions: frozenset[str] = frozenset()
    renew: Callable[[Json], Json] | None = None
    is_dealt: bool = False
    holders: Callable[[], Mapping[Seat, str]] = dict

    def schema_of(self, at: Json, do: Json) -> Schema:
        """Return what a line is read by: a start form has its label, or luck words where no order has such.

        Args:
            at: The label, None where there is none.
            do: The order.
        """
        fields = do.keys() if isinstance(do, dict) else frozenset[str]()
        is_theirs = has_luck(self.move.schema)
        if at == START and self.is_dealt and not is_theirs:
            return self.move if fields.isdisjoint(("luck", "seal")) else self.start
        return self.start if at in BEFORE_DEAL or ("luck" in fields and not is_theirs) else self.move
