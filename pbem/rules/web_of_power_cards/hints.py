"""What the form page needs besides a view: what can be taken and which stones it leaves, and likely turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.nets import Net
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.choices import Haul, law_sets, list_hauls
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.state import PLAYABLE, Card, Law, Take
from pbem.rules.web_of_power_cards.taking import GONE, INSIDE, LOCKED, ends
from pbem.rules.web_of_power_cards.turn import Turn
from pbem.rules.web_of_power_cards.view import View

DEEPEST: Final = 4
"""So many cards are looked up; what goes beyond is left to the host."""


class Takes:
    """Tables of cards to take, with every sentence and every node once; both are named by their numbers.

    A node holds `next`, a row for each card that can be taken then, with the node after it; `not`, why other
    cards at the ends of the rows cannot; `reserve`, the own stones in reserve; `on`, the cards that others
    lay on before some had to be given up; `given`, how many those are; `unpaid`, why none is; and `paid`,
    how many stones the cards cost in all. What is nothing is left out, but for the reserve.
    """

    def __init__(self, facts: Facts, view: View, me: Seat) -> None:
        self._facts = facts
        self._view = view
        self._me = me
        self._mine = view.table().lying(me)
        self.net = Net()
        self._known: dict[tuple[tuple[Law, ...], bool, frozenset[Card], str], int] = {}

    def node(self, use: tuple[Law, ...], cards: tuple[Card, ...] = (), *, pays: bool) -> int:
        """Return the node once some cards are taken.

        Args:
            use: The law cards of the seat that may help.
            cards: The cards.
            pays: Whether the seat has said which of its stones on cards to give up.
        """
        country = self._facts.lands[cards[0]].country if cards else ""
        key = (use, pays, frozenset(cards), country)
        if key not in self._known:
            self._known[key] = self._made(use, cards, pays)
        return self._known[key]

    def _made(self, use: tuple[Law, ...], cards: tuple[Card, ...], pays: bool) -> int:
        done, rows, why = self._tried(use, cards, pays), list[Json](), dict[str, Json]()
        for card in ends(done.table.rows) if len(cards) < DEEPEST else ():
            if missed := self._tried(use, (*cards, card), pays).missed:
                why[card] = self.net.line(missed[0].why)
            else:
                rows.append([card, self.node(use, (*cards, card), pays=pays)])
        node = {"next": rows, "not": why, **self._stones(done)}
        return self.net.node(
            {name: found for name, found in node.items() if found or name in ("reserve", "unpaid")}
        )

    def _stones(self, done: Turn) -> dict[str, Json]:
        on = [card for card in self._mine if card not in done.taken]
        given = len(on) - len(done.table.lying(self._me))
        found: dict[str, Json] = {"reserve": done.table.stocks[self._me].reserve, "on": list[Json](on)}
        why: dict[str, Json] = {} if given else {"unpaid": self.net.line(done.why_unpaid)}
        return {**found, **why, "given": given, "paid": len(done.broken)}

    def _tried(self, use: tuple[Law, ...], cards: tuple[Card, ...], pays: bool) -> Turn:
        take = tuple((card,) for card in cards)
        pay = self._mine if pays else ()
        return try_out(self._facts, self._view, self._me, Take(take, use=use, pay=pay))


def list_hints(rules: WebOfPowerCards, view: View) -> Json:
    """Return the hints for the owner of a view that is asked; None for any other.

    Returns:
        `laws`: its law cards that can be played; `takes`: for each set of them, joined by commas in that
        order, a number of the `nodes` that `Takes` has, first for orders that do not say which stones to
        give up, then for those that do; `lines`; `deepest`: how many cards are looked up; `inside` and
        `gone`: sentences with `{}` for a card, and for the cards on either side; `locked`: the sentence for
        an own stone at an end of a row, "" where it changes nothing.
    """
    if view.me is None or not view.is_asked():
        return None
    laws = [law for law in PLAYABLE if law in view.laws]
    takes = Takes(rules.facts, view, view.me)
    found: list[Json] = [
        {",".join(use): takes.node(use, pays=pays) for use in law_sets(laws)} for pays in (False, True)
    ]
    return {
        "laws": list[Json](laws), "takes": found, "lines": takes.net.lines, "nodes": takes.net.nodes,
        "deepest": DEEPEST, "inside": INSIDE, "gone": GONE,
        "locked": "" if view.numbers.own_claim_free else LOCKED,
    }  # fmt: skip


MOST: Final = 300
"""So many turns are tried; what goes beyond is left to the host."""


def list_trials(rules: WebOfPowerCards, view: View) -> tuple[Json, ...]:
    """Return turns for the owner of a view: cards by themselves, what can be taken together, and stones."""
    lying, hauls = [*view.table().depths()], list_hauls(rules.facts, view)
    singles: list[Json] = [{"take": [card]} for card in view.can_take]
    together: list[Json] = [order for haul in hauls for order in _in_any_order(haul)]
    claims: list[Json] = [order for haul in hauls for order in _with_stones(view, haul, lying)]
    return (*singles, *together[:MOST], *claims[:MOST])


def _in_any_order(haul: Haul) -> Iterator[Json]:
    if len(haul.cards) <= 3:
        for cards in permutations(haul.cards):
            yield {**haul.order, "take": list[Json](cards)}


def _with_stones(view: View, haul: Haul, lying: Sequence[Card]) -> Iterator[Json]:
    """Yield a haul with a stone on a free card, from the reserve and moved from each card of the seat.

    On any other free card a stone would do the same, which the form page knows.
    """
    stones = view.table().stones
    for card in [card for card in lying if card not in haul.cards and card not in stones][:1]:
        yield {**haul.order, "claim": [card]}
        for source in (one for one in lying if stones.get(one) == view.me and one not in haul.cards):
            yield {**haul.order, "claim": [card], "from": [source]}
