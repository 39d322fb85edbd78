"""One turn as it is carried out: on the saved game by `resolve`, and on a view by checks and forecasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from pbem.core.events import ALL, Event, Seat, only
from pbem.rules.kit.ranking import without
from pbem.rules.kit.ruled import next_to
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_power_cards import events
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import RETURN, Card, Law, Player, State, Take, seated
from pbem.rules.web_of_power_cards.table import Stock, Table, pay, paying_card, place_stone, take_back_own
from pbem.rules.web_of_power_cards.taking import LIFTS, Obstacle, obstacle

UNKNOWN: Final[Mapping[Card, Law]] = {}
"""What a view knows of the law cards on the table."""


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

    Args:
        facts: The cards and the numbers.
        table: What lies open.
        seat: The seat on turn.
        laws: Its law cards.
        hidden: The law cards on land cards; UNKNOWN on a view.
        move: The order.

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
        scene = self.table.scene(self.seat, self.taken, in_force, more=RETURN in helping)
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
        self.usable, self.laws = without(self.usable, (law,)), without(self.laws, (law,))
        self.played = (*self.played, law)
        self.told.append(events.LawPlayed(seat=self.seat, law=law, to=ALL))
        if law == RETURN:
            self.table = self.table.stocked(self.seat, reserve=1, removed=-1)

    def _paying_card(self) -> Card | None:
        return paying_card(self.table.lying(self.seat), self.facts.all_named(self.move.pay))

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
        self.laws = (*self.laws, law)
        self.told.append(events.LawSeen(seat=self.seat, law=law, to=only(self.seat)))


def next_seat(state: State) -> Seat:
    """Return the seat whose turn is next, clockwise.

    Source: rulebook, "Course of the game" and "Next player".
    """
    return next_to(seated(state.players), state.to_move)


def after_turn(state: State, done: Turn) -> State:
    """Return the state after a turn, with the next seat to move."""
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
        skips=0,
    )
