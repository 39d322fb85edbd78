"""One turn as it is carried out: on the saved game by `resolve`, and on a view by checks and forecasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Final

from pbem.core.events import ALL, Event, Seat, only
from pbem.rules.web_of_power_cards import events
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.result import Done, Missed
from pbem.rules.web_of_power_cards.state import RETURN, Card, Law, Take
from pbem.rules.web_of_power_cards.stones import pay, paying_card, place_stone, take_back_own
from pbem.rules.web_of_power_cards.table import Table
from pbem.rules.web_of_power_cards.taking import LIFTS, Obstacle, obstacle

UNKNOWN: Final[Mapping[Card, Law]] = {}
"""What a view knows of the law cards on the table."""


def carry_out(
    facts: Facts, table: Table, seat: Seat, laws: tuple[Law, ...], hidden: Mapping[Card, Law], move: Take
) -> Done:
    """Take cards, place a claiming stone, and note what could not be done.

    Args:
        facts: The cards and the numbers.
        table: What lies open.
        seat: The seat on turn.
        laws: Its law cards.
        hidden: The law cards on land cards; UNKNOWN on a view.
        move: The order.

    Source: rulebook, "Course of the game", a and b.
    """
    turn = _Turn(facts, table, seat, list(laws), hidden, move, list(move.use))
    turn.take_cards()
    turn.take_back_stone()
    turn.place_stone()
    taken, held, played = tuple(turn.taken), tuple(turn.laws), tuple(turn.played)
    told, missed = tuple(turn.told), tuple(turn.missed)
    return Done(turn.table, taken, held, played, turn.unknown, turn.broken, told, missed)


@dataclass(slots=True)
class _Turn:
    """The table while a turn is carried out; `usable` are the law cards that may still be played."""

    facts: Facts
    table: Table
    seat: Seat
    laws: list[Law]
    hidden: Mapping[Card, Law]
    move: Take
    usable: list[Law]
    taken: list[Card] = field(default_factory=list)
    played: list[Law] = field(default_factory=list)
    unknown: int = 0
    broken: dict[Card, Seat] = field(default_factory=dict)
    told: list[Event] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)

    def take_cards(self) -> None:
        """Take what must be taken, then what else can be, always the first that is possible.

        Source: rulebook, "Take a card": as many cards as the seat likes, at least one.
        """
        for number, names in enumerate(self.move.take):
            if (missed := self._take_first(self._wanted(names))) is not None:
                card, why = missed
                law = LIFTS.get(why.kind)
                by_law = law if law in self.usable and law not in self.laws and self.unknown else None
                text = why.text if self.facts.are_cards(names) else self.facts.none_of(names)
                self.missed.append(Missed(("take", number), text, card, by_law))
        while also := self._wanted(self.move.also, is_paid=False):
            if self._take_first(also) is not None:
                break

    def take_back_stone(self) -> None:
        """Play the law card that brings back a stone, if it is to be used and was not needed before.

        Source: rulebook, law card "Take back a claiming stone": only if one was removed from the game.
        """
        while self._may_play(RETURN):
            self._play(RETURN)

    def place_stone(self) -> None:
        """Put a claiming stone on the first card that is free for one, from the reserve or from a card.

        Source: rulebook, "Place a claiming stone".
        """
        if not self.move.claim:
            return
        wanted, lift = self.facts.all_named(self.move.claim), self.facts.all_named(self.move.lift)
        claimed = place_stone(self.facts, self.table, self.seat, wanted, lift)
        if isinstance(claimed, str):
            self.missed.append(Missed(("claim",), claimed))
        else:
            self.table, event = claimed
            self.told.append(event)

    def _wanted(self, names: tuple[str, ...], *, is_paid: bool = True) -> tuple[Card, ...]:
        """Return the cards that names stand for now; those of a country or `any` that cost a stone come last.

        Args:
            names: Cards, countries or `any`.
            is_paid: Whether a stone is paid for cards that are not named themselves.
        """
        found: list[Card] = []
        for name in names:
            cards = self.facts.named(name)
            if len(cards) > 1:
                free = [card for card in cards if self.table.stones.get(card, self.seat) == self.seat]
                cards = (*free, *(card for card in cards if is_paid and card not in free))
            found += cards
        return tuple(dict.fromkeys(found))

    def _take_first(self, wanted: tuple[Card, ...]) -> tuple[Card, Obstacle] | None:
        """Take the first of some cards that can be taken; return the first and why not if none can."""
        first: tuple[Card, Obstacle] | None = None
        for card in wanted:
            why = self._take(card)
            if why is None:
                return None
            first = first or (card, why)
        return first

    def _take(self, card: Card) -> Obstacle | None:
        """Take a card, with the law cards that it needs, or return why that is not possible."""
        helping: list[Law] = []
        while (why := self._obstacle(card, helping)) is not None:
            law = LIFTS.get(why.kind)
            if law is None or law in (*helping, *self._in_force()) or not self._may_play(law):
                return why
            helping.append(law)
        for law in helping:
            self._play(law)
        self._pick_up(card)
        return None

    def _obstacle(self, card: Card, helping: list[Law]) -> Obstacle | None:
        """Return what stands in the way of a card while some law cards help, or if a stone must be chosen."""
        in_force = self._in_force() | set(helping)
        scene = self.table.scene(self.seat, tuple(self.taken), in_force, more=RETURN in helping)
        why = obstacle(self.facts, scene, card)
        owner = self.table.stones.get(card, self.seat)
        if why is not None or owner == self.seat:
            return why
        if self.table.stocks[self.seat].reserve or RETURN in helping or self._paying_card():
            return None
        mine = " or ".join(self.table.lying(self.seat))
        text = f"a stone of {owner} lies on {card}, and your reserve is empty"
        return Obstacle("choice", f"{text}: pay: [X] must say which of your stones to give up, on {mine}")

    def _in_force(self) -> frozenset[Law]:
        return frozenset(law for law in self.played if law != RETURN)

    def _may_play(self, law: Law) -> bool:
        """Tell whether a law card is held and may be used; a stone can come back only if one is out."""
        is_there = law in self.usable and law in self.laws
        return is_there and (law != RETURN or self.table.stocks[self.seat].removed > 0)

    def _play(self, law: Law) -> None:
        """Play a law card, which leaves the game.

        Source: rulebook, "Taking a Land card covered by a Law card".
        """
        self.usable.remove(law)
        self.laws.remove(law)
        self.played.append(law)
        self.told.append(events.LawPlayed(seat=self.seat, law=law, to=ALL))
        if law == RETURN:
            self.table = self.table.stocked(self.seat, reserve=1, removed=-1)

    def _paying_card(self) -> Card | None:
        return paying_card(self.table.lying(self.seat), self.facts.all_named(self.move.pay))

    def _pick_up(self, card: Card) -> None:
        """Take a card that can be taken, and settle what lies on it."""
        number, row = next((n, row) for n, row in enumerate(self.table.rows, 1) if card in row)
        land = self.facts.lands[card]
        side = "left" if card == row[0] else "right"
        shown = {one.name: getattr(land, one.name) for one in fields(land)}
        taken = events.CardTaken(seat=self.seat, card=card, row=number, side=side, to=ALL, **shown)
        self.told.append(taken)
        owner = self.table.stones.get(card)
        self.table = self.table.without_card(card)
        self.taken.append(card)
        if owner is not None:
            self._settle(card, owner)
        if card in self.table.covered:
            self._take_law(card)

    def _settle(self, card: Card, owner: Seat) -> None:
        """Take back the own stone on a card that was taken, or pay for another's."""
        if owner == self.seat:
            self.table, event = take_back_own(self.table, card, owner)
        else:
            self.broken[card] = owner
            self.table, event = pay(self.table, self.seat, card, self._paying_card())
        self.told.append(event)

    def _take_law(self, card: Card) -> None:
        """Put the law card on a taken land card face down before the seat, which looks at it.

        Source: rulebook, "Taking a Land card covered by a Law card", first paragraph.
        """
        self.table = self.table._replace(covered=self.table.covered - {card})
        self.told.append(events.LawTaken(seat=self.seat, card=card, to=ALL))
        law = self.hidden.get(card)
        if law is None:
            self.unknown += 1
            return
        self.laws.append(law)
        self.told.append(events.LawSeen(seat=self.seat, law=law, to=only(self.seat)))
