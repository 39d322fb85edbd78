"""Lines that are ready for a seat's next turns: the best cards that may be there, and always some card."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from pbem.core.events import Seat
from pbem.core.foresight import Plan, Planned
from pbem.core.interface import Json, Label
from pbem.rules.kit.words import listing
from pbem.rules.web_of_power_cards.bots import Thought
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.choices import Haul, list_hauls, weigh
from pbem.rules.web_of_power_cards.expected import Guess
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.reach import until
from pbem.rules.web_of_power_cards.scoring import Standing
from pbem.rules.web_of_power_cards.state import ANY, COLOURS, PLAYABLE, THREE, Card, Take, write_take
from pbem.rules.web_of_power_cards.table import Table
from pbem.rules.web_of_power_cards.taking import Rows, count_symbols, ends, needed_laws
from pbem.rules.web_of_power_cards.view import View

LINES: Final = 12
"""So many lines are written for one turn, besides the one that always fits."""
LIKED: Final = 16
"""So many single cards that one names, best first."""
ALSO: Final = 8
"""So many further cards a line names at most."""
DEEP: Final = 1.0
"""Cards are planned rather than those that bring so many points more, but lie behind one card more."""
CARDS: Final = 3
"""A line takes so many cards at most, but for the larger hauls that are expected."""
POSSIBLE: Final = 6
"""So many other tables are looked at than the one that is expected."""
FORESEEN: Final = 4
"""So many larger hauls are looked at, as they are expected."""

_Cards: TypeAlias = tuple[tuple[Card, ...], tuple[Card, ...]]
"""Cards to be taken, and those of them that must lie at an end for it first."""
_Wish: TypeAlias = tuple[Haul, tuple[Card, ...]]
"""A haul, and those of its cards that must lie at an end first."""


def plan(facts: Facts, view: View, now: Take | None, asks: int) -> Plan:
    """Return lines for the next turns of a seat, the best cards first."""
    if view.me is None or view.to_move is None:
        return Plan()
    planner = _Planner(facts, view, view.me, now if view.to_move == view.me else None)
    lines = [line for number in range(1, asks + 1) for line in planner.lines(number)]
    return Plan(tuple(lines))


class _Planner:
    """A seat thinks of its next turns."""

    def __init__(self, facts: Facts, view: View, me: Seat, now: Take | None) -> None:
        self.facts = facts
        self.view = view
        self.me = me
        self.before: tuple[Take | None, ...] = (now,) if view.to_move == me else ()
        done = try_out(facts, view, me, now) if now is not None else None
        self.table = done.table if done else view.table()
        self.beside = _beside(self.table.rows)
        guess = Guess(facts, view, me, done)
        self.expected = guess.expected()
        self.tables = (self.expected.table(), *guess.possible(POSSIBLE))
        self.thought = Thought(facts, self.expected, me)

    def lines(self, number: int) -> Iterator[Planned]:
        """Yield lines for one of the next turns, counted from 1."""
        label = Label(f"{self.me}-{self.view.players[self.me].asks + number}")
        then = until(self.facts, self.view, self.me, (*self.before, *[None] * (number - 1)))
        if then.most_left() < 1:
            return
        reachable = [card for card in self.table.cards if then.lies(card) and then.may_be_at_end(card)]
        hauls = [(self._haul(cards), first) for cards, first in self._sets(reachable)]
        hauls += self._foreseen()
        worth = {haul.cards: self.thought.worth(haul) for haul, _ in hauls}
        depths = self.expected.table().depths()
        before = {first: sum(depths.get(card, 0) for card in first) for _, first in hauls}
        hauls.sort(key=lambda one: DEEP * before[one[1]] - worth[one[0].cards])
        ranked = sorted(hauls, key=lambda one: -worth[one[0].cards])
        liked = [haul.cards[0] for haul, _ in ranked if len(haul.cards) == 1]
        chosen = self._chosen(self._apart(hauls), worth)
        for haul, first in sorted(chosen, key=lambda one: -worth[one[0].cards]):
            order = {**self._order(haul), **self._also(haul, liked)}
            yield Planned(label, order, self._note(haul), self._when(haul, first))
        yield self._any(label, liked[:LIKED], worth)

    def _chosen(self, wishes: list[_Wish], worth: Mapping[tuple[Card, ...], float]) -> list[_Wish]:
        """Return the wishes for the lines: first those that bring most over what may be on the table.

        What a wish brings over those before it only goes down, so one that once brought less is not counted.
        """
        value, fits = [worth[haul.cards] for haul, _ in wishes], self._fits(wishes)
        best = [min(worth.values(), default=0.0)] * len(self.tables)
        gains, found = [math.inf] * len(wishes), list[int]()
        while len(found) < LINES:
            most, first = 1e-9, None
            for number, at_most in enumerate(gains):
                if at_most > most:
                    gains[number] = sum(max(value[number] - best[one], 0) for one in fits[number])
                    if gains[number] > most:
                        most, first = gains[number], number
            if first is None:
                break
            found.append(first)
            for one in fits[first]:
                best[one] = max(best[one], value[first])
        others = [number for number in range(len(wishes)) if number not in found]
        return [wishes[number] for number in (found + others)[:LINES]]

    def _fits(self, wishes: Sequence[_Wish]) -> list[list[int]]:
        """Return for each wish the tables on which it lies ready, for no more stones than is thought."""
        ready = [({*ends(table.rows)}, self._priced(table)) for table in self.tables]
        return [
            [
                number
                for number, (at_end, priced) in enumerate(ready)
                if at_end.issuperset(first) and priced.issuperset(haul.cards)
            ]
            for haul, first in wishes
        ]

    def _priced(self, table: Table) -> set[Card]:
        """Return the cards of a table that may come about that cost no more than they do now."""
        stones, me = table.stones, self.me
        return {card for card in table.cards if stones.get(card, me) == me or self._costs(card)}

    def _any(self, label: Label, liked: Sequence[Card], worth: Mapping[tuple[Card, ...], float]) -> Planned:
        """Return the line that always fits: the best cards that are there, at any price."""
        use = [law for law in (COLOURS, THREE) if law in self.expected.laws]
        least = self.thought.weights.spend if use else 0
        also = [card for card in liked if worth[card,] > least]
        order = write_take((), also=also, use=use, pay=[ANY])
        take: list[Json] = [[*liked, ANY]]
        text = "If nothing better is there: the best cards left, for a stone if need be"
        return Planned(label, {"take": take, **order, **self._claim(self._haul(()))}, text)

    def _foreseen(self) -> Iterator[_Wish]:
        """Yield larger hauls that could be taken from the table as it is expected."""
        at_ends, standing = {*self.expected.ends}, self.thought.standing
        hauls = list_hauls(self.facts, self.expected, standing=standing)
        found = [haul for haul in hauls if len(haul.cards) > CARDS]
        found.sort(key=self.thought.worth, reverse=True)
        for haul in found[:FORESEEN]:
            yield self._haul(haul.cards), tuple(card for card in haul.cards if card in at_ends)

    def _apart(self, hauls: Iterable[_Wish]) -> list[_Wish]:
        """Return the first wish for each set of cards, without those that an own stone forbids."""
        found: dict[frozenset[Card], _Wish] = {}
        for haul, first in hauls:
            if not all(map(self._waits, first)):
                found.setdefault(frozenset(haul.cards), (haul, first))
        return [*found.values()]

    def _waits(self, card: Card) -> bool:
        """Tell whether a card lies under an own stone, and so is only taken where no other can be."""
        return self.table.stones.get(card) == self.me and not self.table.own_claim_free

    def _arranged(self, cards: Sequence[Card], first: Collection[Card]) -> tuple[Card, ...]:
        """Return cards in an order in which they can be taken, those under own stones as late as possible."""
        found: list[Card] = []
        while len(found) < len(cards):
            open_cards = [
                card
                for card in cards
                if card not in found and (card in first or any(card in self.beside[one] for one in found))
            ]
            found.append(min(open_cards, key=self._waits))
        return tuple(found)

    def _sets(self, reachable: Sequence[Card]) -> Iterator[_Cards]:
        """Yield cards that may be taken together, and those of them that must be at an end for it first."""
        open_sets: list[_Cards] = [((card,), (card,)) for card in reachable]
        seen = set[tuple[frozenset[Card], frozenset[Card]]]()
        for cards, first in open_sets:  # it grows on the way
            yield self._arranged(cards, first), first
            if len(cards) == CARDS:
                continue
            behind = {one for card in cards for one in self.beside[card]} - {*cards}
            next_behind = (*(one for one in reachable if one in behind), *sorted(behind - {*reachable}))
            for card in dict.fromkeys((*next_behind, *reachable)):
                more, needed = (*cards, card), first if card in behind else (*first, card)
                key = (frozenset(more), frozenset(needed))
                if card in cards or key in seen:
                    continue
                seen.add(key)
                if self._go_together(more):
                    open_sets.append((more, needed))

    def _go_together(self, cards: tuple[Card, ...]) -> bool:
        has_all = all(law in self.expected.laws for law in needed_laws(self.facts, cards))
        return has_all and count_symbols(self.facts, cards) <= self.facts.limit_with_law

    def _haul(self, cards: tuple[Card, ...], standing: Standing | None = None) -> Haul:
        return weigh(standing or self.thought.standing, self.me, cards, needed_laws(self.facts, cards))

    def _order(self, haul: Haul) -> dict[str, Json]:
        """Return the order for some cards, with a stone for the card that would be best next."""
        may_turn_up = not self.table.covered.isdisjoint(haul.cards)
        use = (*haul.use, *self.expected.returning(), *PLAYABLE * may_turn_up)
        costs = any(map(self._costs, haul.cards))
        order = write_take(haul.cards, use=dict.fromkeys(use), pay=[ANY] * costs)
        return {**order, **self._claim(haul)}

    def _claim(self, haul: Haul) -> dict[str, Json]:
        """Return where a stone goes then, if the seat has one in the game: others may give one back."""
        return self.thought.claim(haul) if self.table.scene(self.me).spare else {}

    def _also(self, haul: Haul, liked: Sequence[Card]) -> dict[str, Json]:
        """Return the cards that are taken too if they can be then, best first.

        They are of the same countries, or of any where a law card allows it; where that one may only turn
        up in the turn, and is spent for them, they must be worth it.
        """
        countries = {self.facts.lands[card].country for card in haul.cards}
        may_turn_up = not self.table.covered.isdisjoint(haul.cards)
        standing, also = self.thought.standing_after(haul), dict[Card, float]()
        for card in liked:
            fits = COLOURS in haul.use or self.facts.lands[card].country in countries
            if card not in haul.cards and (fits or may_turn_up):
                worth = self.thought.worth(self._haul((card,), standing))
                if worth > (0 if fits else self.thought.weights.spend):
                    also[card] = worth
        found = sorted(also, key=lambda card: -also[card])[:ALSO]
        return {"also": list[Json](found)} if found else {}

    def _when(self, haul: Haul, first: tuple[Card, ...]) -> dict[str, Json]:
        """Return the condition on which some cards can be taken: no stone of others lies on them by then."""
        when: dict[str, Json] = {}
        for path, waits in (("can_take", False), ("ends", True)):
            if has := list[Json](card for card in first if self._waits(card) == waits):
                when[path] = {"has": has if len(has) > 1 else has[0]}
        for card in haul.cards:
            if card not in first:
                when[f"cards.{card}.holder"] = "table"
            if self.table.stones.get(card, self.me) == self.me:
                when[f"cards.{card}.stone"] = [self.me, None]
        return when

    def _note(self, haul: Haul) -> str:
        points = f"{haul.gain:+d} point{'s' * (abs(haul.gain) != 1)}"
        paid = sum(map(self._costs, haul.cards))
        price = f", for {'a stone' if paid == 1 else f'{paid} stones'}" if paid else ""
        return f"If {listing(haul.cards)} can be taken: {points}{price}"

    def _costs(self, card: Card) -> bool:
        """Tell whether a card lies under a stone of another seat, which has to be paid for."""
        return self.table.stones.get(card, self.me) != self.me


def _beside(rows: Rows) -> dict[Card, tuple[Card, ...]]:
    """Return the cards that lie beside each in its row: they come to an end when it goes from there."""
    return {
        card: (*row[max(place - 1, 0) : place], *row[place + 1 : place + 2])
        for row in rows
        for place, card in enumerate(row)
    }
