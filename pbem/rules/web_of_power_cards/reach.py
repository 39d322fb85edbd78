"""Which cards can come to an end of their rows until a later ask, and conditions that cannot hold by then."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.core.conditions import is_term_met
from pbem.core.events import Seat
from pbem.core.foresight import CONDITION
from pbem.core.interface import Json, Problem
from pbem.rules.kit.ruled import round_from
from pbem.rules.kit.supposed import why_unfit
from pbem.rules.kit.tables import as_list
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import COLOURS, THREE, Card, Law, Take
from pbem.rules.web_of_power_cards.table import Table
from pbem.rules.web_of_power_cards.view import ON_TABLE, View
from pbem.rules.web_of_power_cards.wording import thing


class Until(NamedTuple):
    """What is certain of the table at a later ask of a seat, and what may change until then.

    Attributes:
        facts: The cards and the numbers.
        view: What the seat knows now.
        me: The seat.
        own: So many own turns of the seat come before.
        table: The table now, or after the present turn of the seat if all of that is known.
        mine: The cards that the seat surely takes before.
        turns_of: How many turns of each seat come before; one that is known is left out.
        helps: So many law cards of each type may be played in these turns.
    """

    facts: Facts
    view: View
    me: Seat
    own: int
    table: Table
    mine: frozenset[Card]
    turns_of: Mapping[Seat, int]
    helps: Mapping[Law, int]

    @property
    def turns(self) -> int:
        """So many turns are open in which anybody may take cards."""
        return sum(self.turns_of.values())

    @property
    def own_open(self) -> int:
        """So many of the open turns are the seat's own."""
        return self.turns_of[self.me]

    def keeps(self) -> bool:
        """Tell whether no own turn comes before the ask, so that what lies before the seat stays."""
        return not self.own and self.view.to_move != self.me

    def may_be_at_end(self, card: Card, *, cleared: Collection[Card] = (), more: int = 0) -> bool:
        """Tell whether a card can lie at an end of its row.

        Args:
            card: The card; it lies on the table.
            cleared: Cards that are taken before it.
            more: So many further turns, or cards of any kind, may go before it.
        """
        return any(self._clears(side, self.turns + more) for side in self._sides(card, cleared))

    def may_be_taken(self, card: Card) -> bool:
        """Tell whether a card that lies can be taken before the ask."""
        return any(self._clears((*side, card), self.turns) for side in self._sides(card, ()))

    def depths(self, card: Card) -> range:
        """Return how many cards may still have to go before a card, if it lies."""
        sides = self._sides(card, ())
        most = min(map(len, sides))
        least = next(
            left
            for left in range(most + 1)
            if any(self._clears(side[: len(side) - left], self.turns) for side in sides)
        )
        return range(least, most + 1)

    def lies(self, card: Card) -> bool:
        """Tell whether a card may lie on the table then."""
        return card not in self.mine and card in self.table.cards

    def most_left(self) -> int:
        """Return how many cards lie at most: who has a stone in the game always takes one.

        Source: rulebook, "Take a card"; a seat is skipped only if it has no stone to pay with.
        """
        takes = sum(min(turns, self.table.scene(seat).spare) for seat, turns in self.turns_of.items())
        return len(self.table.cards) - takes

    def _sides(self, card: Card, cleared: Collection[Card]) -> tuple[tuple[Card, ...], ...]:
        """Return the cards to the left and to the right of a card, those at the ends of the row first."""
        row = next(row for row in self.table.rows if card in row)
        place, gone = row.index(card), {*self.mine, *cleared}
        left, right = row[:place], row[:place:-1]
        return tuple(tuple(one for one in side if one not in gone) for side in (left, right))

    def _clears(self, cards: Sequence[Card], turns: int) -> bool:
        """Tell whether so many turns can take some cards; each takes one at least."""
        return len(cards) <= turns or turns_to_take(self.facts, cards, self.helps, turns) <= turns


def until(facts: Facts, view: View, me: Seat, before: Sequence[Take | None]) -> Until:
    """Return what is certain of the table at a later ask.

    Args:
        facts: The cards and the numbers.
        view: What the seat knows now.
        me: The seat.
        before: What it does at each of its asks before that one; None where that is open.
    """
    table, mine, known = view.table(), set[Card](), 0
    if before and view.to_move == me and before[0] is not None:
        done = try_out(facts, view, me, before[0])
        if not done.unknown and done.taken:
            table, known = done.table, 1
    for move in before[known:]:
        mine.update(move.surely_taken(facts.lands) if move else ())
    assert view.to_move is not None, "somebody is on turn"
    order = round_from(tuple(view.players), view.to_move)
    first = order[: order.index(me)]
    turns = {seat: len(before) + (seat in first) for seat in (order if before else (*first, me))}
    turns[me] -= known
    others = sum(side.laws for seat, side in view.players.items() if seat != me) + len(view.table().covered)
    helps = {law: min(view.unseen[law], others) + view.laws.count(law) for law in (COLOURS, THREE)}
    return Until(facts, view, me, len(before), table, frozenset(mine), turns, helps)


def turns_to_take(facts: Facts, cards: Sequence[Card], helps: Mapping[Law, int], most: int) -> int:
    """Return the least number of turns in which cards can be taken in this order, each by any seat.

    Args:
        facts: The cards and the numbers.
        cards: The cards.
        helps: So many law cards of each type may be played for it.
        most: More turns than these are not counted: then one more is returned.

    Source: rulebook, "Take a card": one colour and so many circle symbols in a turn.
    """
    furthest = {(0, 0): 0}
    for turns in range(most + 1):
        if max(furthest.values()) >= len(cards):
            return turns
        after: dict[tuple[int, int], int] = {}
        for (colours, threes), start in furthest.items():
            for any_colour in range(min(helps[COLOURS] - colours, 1) + 1):
                for more in range(min(helps[THREE] - threes, 1) + 1):
                    used = (colours + any_colour, threes + more)
                    end = _in_one_turn(facts, cards, start, any_colour=any_colour > 0, more=more > 0)
                    after[used] = max(after.get(used, 0), end)
        furthest = after
    return most + 1


def _in_one_turn(facts: Facts, cards: Sequence[Card], start: int, *, any_colour: bool, more: bool) -> int:
    """Return how far one turn comes that begins with a card."""
    limit, symbols, end = facts.limit_with_law if more else facts.limit, 0, start
    while end < len(cards):
        land = facts.lands[cards[end]]
        symbols += land.symbols
        if not any_colour and land.country != facts.lands[cards[start]].country:
            break
        if land.symbols and symbols > limit:
            break
        end += 1
    return end


def impossible(then: Until, when: Mapping[str, Json]) -> Problem | None:
    """Say why a condition cannot hold at a later ask of a seat; None if it may."""
    if not when:
        return None
    ids = (*then.view.cards, *then.view.players, *then.view.unseen, *then.facts.countries, *then.facts.routes)
    names = {str(name).casefold(): str(name) for name in ids}  # the case of names does not count
    for path, wanted in when.items():
        parts = [names.get(part.casefold(), part) for part in path.split(".")]
        if text := _why_not(then, path, parts, wanted):
            return Problem((*CONDITION, path), text)
    return None


def _why_not(then: Until, path: str, parts: Sequence[str], wanted: Json) -> str:
    """Say why what is wanted cannot stand at a path then; "" if it may, or if that is not known."""
    said = thing(then.facts, ".".join(parts))
    if stays := _stays(then, parts):
        return "" if is_term_met({path: wanted}, then.view) else f"{said} {stays}"
    match parts, wanted:
        case ["ends" | "can_take"], dict():
            return _why_not_at_end(then, wanted.get("has"))
        case ["players", seat, "cards", *_], dict() if seat in then.view.players:
            return _why_not_held(then, Seat(seat), wanted.get("has"))
    unfit = why_unfit(_values(then, parts), wanted)
    return f"{said} {unfit} then" if unfit else ""


def _stays(then: Until, parts: Sequence[str]) -> str:
    """Say that what stands at a path stays; "" if it may change."""
    keeps = then.keeps()
    match parts:
        case ["cards", name, "country" | "symbol" | "symbols" | "route"] if name in then.view.cards:
            return "stays as it is"
        case ["me" | "countries" | "names" | "law_names" | "numbers", *_]:
            return "stays as it is until then"
        case ["laws", *_] if keeps:
            return "stays as it is until then"
        case ["players", then.me, "cards" | "lands" | "routes" | "removed" | "laws", *_] if keeps:
            return "stays as it is until then"  # only own turns change it
    return ""


def _values(then: Until, parts: Sequence[str]) -> Collection[object] | None:
    """Return everything that may stand at a path then; None if that is not bounded."""
    view, me = then.view, then.me
    match parts:
        case ["to_move"]:
            return (me,)
        case ["left"]:
            return range(1, then.most_left() + 1)
        case ["unseen", law]:
            return range(1 + {str(one): number for one, number in view.unseen.items()}.get(law, 0))
        case ["lost_claim"] if then.keeps() and view.lost:
            return (True,)
        case ["lost_claim"] if not (then.own_open or then.table.lying(me)):
            return (False,)  # others take cards under own stones only where one lies
        case ["cards", name, fact] if name in view.cards:
            return _card_values(then, Card(name), fact)
        case ["players", seat, "asks"] if seat in view.players:
            before = view.players[Seat(seat)].asks - (view.to_move == seat)
            return (before + (then.own + 1 if seat == me else then.turns_of.get(Seat(seat), 0)),)
        case ["players", seat, "lands" | "routes", name] if seat in view.players:
            side = view.players[Seat(seat)]
            counts = {str(one): n for one, n in (*side.lands.items(), *side.routes.items())}
            return range(counts[name], counts[name] + view.left + 1) if name in counts else None
    return None


def _card_values(then: Until, card: Card, fact: str) -> Collection[object] | None:
    """Return everything that a fact of a card may be then."""
    place = then.view.cards[card]
    if place.holder != ON_TABLE or not then.lies(card):
        holder = then.me if place.holder == ON_TABLE else place.holder
        return {"holder": (holder,), "law": (False,)}.get(fact, (None,))
    may_go = then.may_be_taken(card)
    match fact:
        case "holder":
            return (ON_TABLE, *(then.turns_of if may_go else ()))
        case "depth":
            return (*then.depths(card), *([None] if may_go else []))
        case "law":
            return (place.law, False) if may_go else (place.law,)
        case "stone" if then.keeps() and place.stone != then.me:
            return (None, *(seat for seat in then.view.players if seat != then.me))
    return None


def _why_not_at_end(then: Until, wanted: Json) -> str:
    """Say which card that is wanted at an end cannot lie there then."""
    for card in _cards(then, wanted):
        if not then.lies(card):
            return f"{card} does not lie on the table then"
        if not then.may_be_at_end(card):
            return f"{card} cannot come to an end of its row by then"
    return ""


def _why_not_held(then: Until, seat: Seat, wanted: Json) -> str:
    """Say which card that a seat should hold another one keeps."""
    for card in _cards(then, wanted):
        holder = then.view.cards[card].holder
        if holder not in (ON_TABLE, seat):
            return f"{card} stays with {holder}"
        if holder == ON_TABLE and then.lies(card) and not then.may_be_taken(card):
            return f"{card} cannot be taken by then"
    return ""


def _cards(then: Until, wanted: Json) -> Iterator[Card]:
    """Yield the cards that a condition names."""
    names = {str(one).casefold() for one in as_list(wanted)}
    yield from (card for card in then.view.cards if card.casefold() in names)
