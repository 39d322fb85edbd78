"""What can be taken, card after card, and which stones it leaves: tables that the form page looks up."""

from __future__ import annotations

from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.nets import Net
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.result import Done
from pbem.rules.web_of_power_cards.state import Card, Law, Take
from pbem.rules.web_of_power_cards.taking import ends
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

    def _stones(self, done: Done) -> dict[str, Json]:
        on = [card for card in self._mine if card not in done.taken]
        given = len(on) - len(done.table.lying(self._me))
        found: dict[str, Json] = {"reserve": done.table.stocks[self._me].reserve, "on": list[Json](on)}
        why: dict[str, Json] = {} if given else {"unpaid": self.net.line(done.why_unpaid)}
        return {**found, **why, "given": given, "paid": len(done.broken)}

    def _tried(self, use: tuple[Law, ...], cards: tuple[Card, ...], pays: bool) -> Done:
        take = tuple((card,) for card in cards)
        pay = self._mine if pays else ()
        return try_out(self._facts, self._view, self._me, Take(take, use=use, pay=pay))
