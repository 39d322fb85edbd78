"""One turn while it is carried out: what stands where now, and what is told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.rules.web_of_power import events
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.drawing import Table, fill_hand, still_known, turn_up
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.scoring import (
    score_alliances,
    score_chains,
    score_cloisters,
)
from pbem.rules.web_of_power.state import Act, Card, Discarded, Placed, Player, State

ROUND_OVER = "the pile ran out for the second time, and the round was finished"
NO_ROOM = "no piece can be placed any more"


class Course:
    """A turn of the seat to move; it keeps the state and the events while the rules go on."""

    def __init__(self, facts: Facts, state: State, dice: Dice) -> None:
        self.facts = facts
        self.state = state
        self.dice = dice
        self.seat = state.to_move
        self.told: list[Event] = []

    @property
    def board(self) -> Board:
        """The map as it is now."""
        return board_of(self.facts, self.state)

    @property
    def player(self) -> Player:
        """What lies before the seat on turn."""
        return self.state.players[self.seat]

    def place(self, act: Placed) -> None:
        """Pay the cards and put the pieces on the map.

        Source: rulebook, "Course of the game" and "Placing pieces".
        """
        board = self.board.after(self.seat, act)
        news = {seat: self._with_news(seat, act) for seat in self.state.seats if seat != self.seat}
        self.state = replace(
            self.state,
            cloisters=board.cloisters,
            advisors=board.advisors,
            players={**self.state.players, **news},
        )
        self._spend(act.cards)
        self.told.append(
            events.PiecesPlaced(
                seat=self.seat, country=act.country, pieces=act.pieces, cards=act.cards, to=ALL
            )
        )

    def _with_news(self, seat: Seat, act: Placed) -> Player:
        player = self.state.players[seat]
        fresh = {*player.news, act.country}
        return replace(player, news=tuple(country for country in self.facts.lands if country in fresh))

    def discard(self, act: Discarded) -> None:
        """Throw a card away.

        Source: rulebook, "Course of the game" and "Drawing cards": who places no piece changes a card.
        """
        self._spend((act.card,))
        self.told.append(events.CardDiscarded(seat=self.seat, card=act.card, to=ALL))

    def _spend(self, cards: tuple[Card, ...]) -> None:
        player = self.player
        hand = Counter(player.hand) - Counter(cards)
        piled = Counter(self.state.discards) + Counter(cards)
        self._set_player(
            replace(
                player,
                hand=self.facts.in_order(hand.elements()),
                known=still_known(player.known, cards),
            )
        )
        self.state = replace(self.state, discards=dict(piled))

    def draw(self, wanted: tuple[str, ...]) -> None:
        """Fill the hand up and turn up new open cards; an empty pile ends the half.

        Source: rulebook, "Drawing cards" and "Scoring and the end".
        """
        self._fill_hand(wanted)
        if self.state.pile:
            self._turn_up()
        if not self.state.pile and self.state.half == 1:
            self._end_first_half(wanted)
        if not self.state.pile:
            self.state = replace(self.state, closing=True)
            self._tell_run_out(2, self._still())

    def _fill_hand(self, wanted: tuple[str, ...]) -> None:
        """Take missing cards one by one; what is taken from the open cards is known to all."""
        player, state = self.player, self.state
        table = fill_hand(self.facts, Table(player.hand, state.pile, state.face_up), wanted)
        if not table.taken and not table.drawn:
            return
        known = self.facts.in_order((*player.known, *table.taken))
        self.state = replace(state, pile=table.pile, face_up=table.face_up)
        self._set_player(replace(player, hand=self.facts.in_order(table.hand), known=known))
        if table.drawn:
            self.told.append(events.CardsDrawn(seat=self.seat, cards=table.drawn, to=only(self.seat)))
        self.told.append(
            events.HandFilled(seat=self.seat, taken=table.taken, from_pile=len(table.drawn), to=ALL)
        )

    def _turn_up(self) -> None:
        state = self.state
        table, cards = turn_up(self.facts, Table((), state.pile, state.face_up))
        self.state = replace(state, pile=table.pile, face_up=table.face_up)
        if cards:
            self.told.append(events.CardsTurnedUp(cards=cards, pile=len(table.pile), to=ALL))

    def _end_first_half(self, wanted: tuple[str, ...]) -> None:
        """Score the cloisters and shuffle the discards; then a short hand and the open cards are filled up.

        Source: rulebook, "Scoring and the end".
        """
        self._tell_run_out(1, ())
        self._score_cloisters(1)
        deck = [card for card in self.facts.counts for _ in range(self.state.discards.get(card, 0))]
        pile = self.dice.shuffled(deck, "reshuffle")
        self.state = replace(self.state, half=2, pile=pile, discards={})
        begun = events.SecondHalfBegun(cards=len(pile), seat=self.next_seat(first_of_half=True), to=ALL)
        self.told.append(begun)
        self._fill_hand(wanted)
        self._turn_up()

    def next_seat(self, *, first_of_half: bool) -> Seat:
        """Return who is on turn next; the second half begins at the left of the start marker.

        Source: rulebook, "Scoring and the end"; with the option `next_in_turn` the order is not broken.
        """
        before = self.state.starter if first_of_half and not self.state.next_in_turn else self.seat
        seats = self.state.seats
        return seats[(seats.index(before) + 1) % len(seats)]

    def is_last(self) -> bool:
        """Tell whether the last round ends with this turn: at the right of the start marker.

        Source: rulebook, "Scoring and the end": until the last player has had a turn.
        """
        return self.state.closing and not self._still()

    def _still(self) -> tuple[Seat, ...]:
        """Return the seats that have a turn after this one in this round."""
        seats, at = self.state.seats, self.state.seats.index(self.state.starter)
        in_round = seats[at:] + seats[:at]
        return in_round[in_round.index(self.seat) + 1 :]

    def pass_on(self, seat: Seat) -> None:
        """Count the turn, note which countries the seat leads in, and let another seat be on turn."""
        board = self.board
        led = tuple(country for country in self.facts.lands if self.seat in board.leaders(country))
        self._set_player(replace(self.player, asks=self.player.asks + 1, led=led, news=()))
        self.state = replace(self.state, to_move=seat)

    def finish(self, reason: str) -> None:
        """Score everything: cloisters as before, then the alliances, then the chains.

        Source: rulebook, "Scoring and the end".
        """
        self.state = replace(self.state, ended=reason)
        self._score_cloisters(2)
        alliances = self.facts.alliances[self.state.alliances]
        found = score_alliances(self.board, alliances)
        self._add(points for points in found.values())
        joined = {one.number: one.countries for one in alliances if one.number in found}
        self.told.append(
            events.AlliancesScored(points=found, countries=joined, totals=self._totals(), to=ALL)
        )
        chains = score_chains(self.board, self.state.seats)
        self._add([{seat: sum(map(len, rows)) for seat, rows in chains.items()}])
        self.told.append(events.ChainsScored(chains=chains, totals=self._totals(), to=ALL))

    def _score_cloisters(self, half: int) -> None:
        """Add the points for the cloisters of all countries.

        Source: rulebook, "Scoring the cloisters".
        """
        found = {country: points for country, points in score_cloisters(self.board).items() if points}
        self._add(found.values())
        self.told.append(events.CloistersScored(half=half, points=found, totals=self._totals(), to=ALL))

    def _add(self, earned: Iterable[dict[Seat, int]]) -> None:
        players = dict(self.state.players)
        for points in earned:
            for seat, count in points.items():
                players[seat] = replace(players[seat], points=players[seat].points + count)
        self.state = replace(self.state, players=players)

    def _totals(self) -> dict[Seat, int]:
        return {seat: self.state.players[seat].points for seat in self.state.seats}

    def _tell_run_out(self, half: int, still: tuple[Seat, ...]) -> None:
        self.told.append(events.PileRanOut(half=half, still=still, to=ALL))

    def _set_player(self, player: Player) -> None:
        self.state = replace(self.state, players={**self.state.players, self.seat: player})


def board_of(facts: Facts, state: State) -> Board:
    """Return the map with the pieces of a state."""
    return Board(facts, state.cloisters, state.advisors)


def carry_out(course: Course, act: Act, wanted: tuple[str, ...]) -> None:
    """Carry out one turn: place or throw away, draw, and see whether the game is over.

    Source: rulebook, "Course of the game".
    """
    was_first_half = course.state.half == 1
    if isinstance(act, Placed):
        course.place(act)
    else:
        course.discard(act)
    if not course.board.takes_a_piece(course.state.seats):
        course.pass_on(course.next_seat(first_of_half=False))
        course.finish(NO_ROOM)
        return
    if not course.state.closing:
        course.draw(wanted)
    ended_half = was_first_half and course.state.half == 2
    is_last = course.is_last()
    course.pass_on(course.next_seat(first_of_half=ended_half))
    if is_last:
        course.finish(ROUND_OVER)
