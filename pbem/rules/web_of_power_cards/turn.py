"""One turn as it is carried out: on the saved game by `resolve`, and on a view by checks and forecasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbem.core.events import ALL, Event, Seat, only
from pbem.rules.kit.ranking import without
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_power_cards import events
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import RETURN, Card, Law, Player, State, Take, next_seat
from pbem.rules.web_of_power_cards.table import Stock, Table, may_place, why_not_free
from pbem.rules.web_of_power_cards.taking import LIFTS, Obstacle, obstacle


class Missed(NamedTuple):
    """A part of an order that cannot be carried out.

    Attributes:
        path: Where in `do`; its first word is the field.
        why: The reason.
        card: The card that cannot be taken; None if it is about a stone.
        by_law: The law card that would help, may be used and may still turn up.
    """

    path: tuple[str | int, ...]
    why: str
    card: Card | None = None
    by_law: Law | None = None


def carry_out(
    facts: Facts, table: Table, seat: Seat, laws: tuple[Law, ...], hidden: Mapping[Card, Law], move: Take
) -> Turn:
    """Take cards, place a claiming stone, and note what could not be done.

    What is given is told with `Turn`; a view knows none of the law cards on land cards.

    Source: rulebook, "Course of the game", a and b.
    """
    turn = Turn(facts, table, seat, laws, hidden, move, move.use)
    turn.take_cards()
    turn.take_back_stone()
    turn.place_stone()
    return turn


@dataclass(slots=True)
class Turn:
    """A turn while it is carried out, and then what it comes to.

    Attributes:
        facts: The cards and the numbers.
        table: The table after it.
        seat: The seat on turn.
        laws: The law cards that the seat holds after it, as far as known.
        hidden: The law cards on land cards, as far as known.
        move: The order.
        usable: The law cards that may still be played.
        taken: The cards taken, in order.
        played: The law cards that it played.
        unknown: Law cards that it took without knowing them, on a view.
        broken: The owner of the stone on each card that was taken from under another's.
        told: What happened, in order.
        missed: What could not be carried out.
    """

    facts: Facts
    table: Table
    seat: Seat
    laws: tuple[Law, ...]
    hidden: Mapping[Card, Law]
    move: Take
    usable: tuple[Law, ...]
    taken: tuple[Card, ...] = ()
    played: tuple[Law, ...] = ()
    unknown: int = 0
    broken: dict[Card, Seat] = field(default_factory=dict)
    told: list[Event] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)

    @property
    def paid_from_card(self) -> bool:
        """Whether a stone on a card was given up."""
        return any(isinstance(event, events.ClaimBroken) and event.paid_from for event in self.told)

    @property
    def why_unpaid(self) -> str:
        """Why no stone on a card was given up, where none was."""
        return "a stone of your reserve pays first" if self.broken else "you pay nothing for these cards"

    def take_cards(self) -> None:
        """Take what must be taken, then what else can be, always the first that is possible.

        Source: rulebook, "Take a card": as many cards as the seat likes, at least one.
        """
        for number, names in enumerate(self.move.take):
            if (missed := self._take_first(self._wanted(names))) is not None:
                card, why = missed
                law = self._lifting(why)
                by_law = law if law in self.usable and law not in self.laws and self.unknown else None
                text = why.text if self.facts.are_cards(names) else self.facts.none_of(names)
                self.missed.append(Missed(("take", number), text, card, by_law))
        while also := self._wanted(self.move.also, is_paid=False):
            if self._take_first(also) is not None:
                break

    def take_back_stone(self) -> None:
        """Play the law card that brings back a stone, if it is to be used and was not played to pay with it.

        Source: rulebook, law card "Take back a claiming stone": only if one was removed from the game.
        """
        while self._may_play(RETURN):
            self._play(RETURN)

    def place_stone(self) -> None:
        """Put a claiming stone on a card, if the order says so."""
        if self.move.claim and (why := self._claim()):
            self.missed.append(Missed(("claim",), why))

    def _claim(self) -> str:
        """Put a stone on the first card that is free, from the reserve or else from a card; "" or why not.

        Source: rulebook, "Place a claiming stone".
        """
        wanted, seat, table = self.facts.all_named(self.move.claim), self.seat, self.table
        card = next((one for one in wanted if one in table.free()), None)
        if card is None:
            return why_not_free(table, wanted)
        if may_place(self.facts, table, seat):
            self.table = table.with_stone(card, seat).stocked(seat, reserve=-1)
            left = self.table.stocks[seat].reserve
            self.told.append(events.StonePlaced(seat=seat, card=card, reserve=left, to=ALL))
            return ""
        mine = table.lying(seat)
        if not mine:
            return "you have no claiming stone left"
        source = next((one for one in self.facts.all_named(self.move.lift) if one in mine), None)
        if source is None:
            why = "you can place no further stone, only move one"
            return f"{why}: from: [X] must say which, on {' or '.join(mine)}"
        self.table = table.without_stone(source).with_stone(card, seat)
        self.told.append(events.StoneMoved(seat=seat, card_from=source, card_to=card, to=ALL))
        return ""

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
            law = self._lifting(why)
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
        scene = self.table.scene(self.seat, self.taken, in_force, more=RETURN in helping)
        why = obstacle(self.facts, scene, card)
        owner = self.table.stones.get(card, self.seat)
        if why is not None or owner == self.seat:
            return why
        mine, can_pay = self.table.lying(self.seat), self.table.stocks[self.seat].reserve or RETURN in helping
        is_said = not set(mine).isdisjoint(self.move.pay)  # then it may pay before a law card brings one back
        law_pays = self.facts.law_pays_first and self._may_play(RETURN)
        if can_pay or is_said or (self._paying_card() and not law_pays):
            return None
        text = f"a stone of {owner} lies on {card}, and your reserve is empty"
        return Obstacle(
            "choice", f"{text}: pay: [X] must say which of your stones to give up, on {' or '.join(mine)}"
        )

    def _lifting(self, why: Obstacle) -> Law | None:
        """Return the law card that clears an obstacle; in version 1 none spared a stone on a card."""
        return LIFTS.get(why.kind) if why.kind != "choice" or self.facts.law_pays_first else None

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
        self.usable, self.laws = without(self.usable, (law,)), without(self.laws, (law,))
        self.played = (*self.played, law)
        self.told.append(events.LawPlayed(seat=self.seat, law=law, to=ALL))
        if law == RETURN:
            self.table = self.table.stocked(self.seat, reserve=1, removed=-1)

    def _paying_card(self) -> Card | None:
        """Return the card from which a stone is given up when the reserve is empty; None if it must be named.

        Source: rulebook, "Taking a Land card covered by a claiming stone", second paragraph and example.
        """
        mine, wanted = self.table.lying(self.seat), self.facts.all_named(self.move.pay)
        return next((card for card in wanted if card in mine), mine[0] if len(mine) == 1 else None)

    def _pick_up(self, card: Card) -> None:
        """Take a card that can be taken, and settle what lies on it."""
        number, row = next((n, row) for n, row in enumerate(self.table.rows, 1) if card in row)
        side = "left" if card == row[0] else "right"
        shown = same_fields(self.facts.lands[card], "country", "symbol", "symbols", "route")
        taken = events.CardTaken(seat=self.seat, card=card, row=number, side=side, to=ALL, **shown)
        self.told.append(taken)
        owner = self.table.stones.get(card)
        self.table = self.table.without_card(card)
        self.taken = (*self.taken, card)
        if owner is not None:
            self._settle(card, owner)
        if card in self.table.covered:
            self._take_law(card)

    def _settle(self, card: Card, owner: Seat) -> None:
        """Give the stone on a card that was taken back to its owner; if that is another seat, pay for it.

        Source: rulebook, "Taking a Land card covered by a claiming stone", first and second paragraph.
        """
        self.table = self.table.without_stone(card).stocked(owner, reserve=1)
        if owner == self.seat:
            self.told.append(events.StoneTakenBack(seat=owner, card=card, to=ALL))
            return
        source = None if self.table.stocks[self.seat].reserve else self._paying_card()
        paid = self.table.without_stone(source) if source else self.table.stocked(self.seat, reserve=-1)
        self.table = paid.stocked(self.seat, removed=1)
        self.broken[card] = owner
        left = self.table.scene(self.seat).spare
        self.told.append(
            events.ClaimBroken(seat=self.seat, owner=owner, card=card, paid_from=source, left=left, to=ALL)
        )

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
        self.laws = (*self.laws, law)
        self.told.append(events.LawSeen(seat=self.seat, law=law, to=only(self.seat)))


def after_turn(state: State, done: Turn) -> State:
    """Return the state after a turn or a skip, with the next seat to move."""
    players = dict(state.players)
    for one, stock in done.table.stocks.items():
        player = players[one]
        lost = tuple(card for card, owner in done.broken.items() if owner == one)
        if one == done.seat:
            cards = (*player.cards, *done.taken)
            players[one] = Player(cards, done.laws, stock.reserve, stock.removed, player.asks + 1, lost=())
        elif lost or stock != Stock(player.reserve, player.removed):
            lost = (*player.lost, *lost)
            players[one] = replace(player, reserve=stock.reserve, removed=stock.removed, lost=lost)
    return replace(
        state,
        to_move=next_seat(state),
        laws={card: law for card, law in state.laws.items() if card in done.table.covered},
        stones=done.table.stones,
        players=players,
        played=(*state.played, *done.played),
        skips=0 if done.taken else state.skips + 1,
    )
