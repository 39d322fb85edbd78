"""One turn while it is carried out: what stands where now, and what is told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat, only
from pbem.rules.kit.ranking import add_up, without
from pbem.rules.kit.ruled import Running, next_to, round_from
from pbem.rules.web_of_power import events
from pbem.rules.web_of_power.board import board_of
from pbem.rules.web_of_power.drawing import Wanted, fill_hand
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.scoring import score_alliances, score_chains, score_cloisters
from pbem.rules.web_of_power.state import Act, Card, Discarded, Placed, Player, State

ROUND_OVER = "the pile ran out for the second time, and the round was finished"
NO_ROOM = "no piece can be placed any more"


class Course(Running[Facts, State, Player]):
    """A turn of the seat to move; it keeps what changes, and the events, while the rules go on.

    Attributes:
        seat: The seat on turn.
        board: The map as it is now.
        following: The seat that is on turn next.
    """

    def __init__(self, facts: Facts, state: State, dice: Dice) -> None:
        super().__init__(facts, state, dice, state.players)
        self.seat = state.to_move
        self.board = board_of(facts, state)
        self.following = next_to(state.seats, self.seat)

    def state(self) -> State:
        """Return the state as it is now."""
        board = self.board
        return replace(self.now, players=self.players, cloisters=board.cloisters, advisors=board.advisors)

    def place(self, act: Placed) -> None:
        """Pay the cards and put the pieces on the map.

        Source: rulebook, "Course of the game" and "Placing pieces".
        """
        self.board = self.board.after(self.seat, act)
        for seat, player in self.players.items():
            if seat != self.seat:
                news = (*player.news, act.country)
                self.change(seat, news=tuple(country for country in self.facts.lands if country in news))
        self._spend(act.cards)
        where, pieces, cards = act.country, act.pieces, act.cards
        self.tell(events.PiecesPlaced(seat=self.seat, country=where, pieces=pieces, cards=cards, to=ALL))

    def discard(self, act: Discarded) -> None:
        """Throw a card away.

        Source: rulebook, "Course of the game" and "Drawing cards": who places no piece changes a card.
        """
        self._spend((act.card,))
        self.tell(events.CardDiscarded(seat=self.seat, card=act.card, to=ALL))

    def _spend(self, cards: tuple[Card, ...]) -> None:
        player = self.players[self.seat]
        self.alter(discards=add_up((self.now.discards, Counter(cards))))
        hand, known = without(player.hand, cards), without(player.known, cards)  # a known one goes first
        self.change(self.seat, hand=hand, known=known)

    def draw(self, wanted: Wanted) -> None:
        """Fill the hand up and turn up new open cards; an empty pile ends the half.

        Source: rulebook, "Drawing cards" and "Scoring and the end".
        """
        count = self._fill_hand(wanted)
        if self.now.pile:
            self._turn_up()
        if not self.now.pile and self.now.half == 1:
            self._end_first_half(wanted[count:] or wanted[-1:])
        if not self.now.pile:
            self.alter(closing=True)
            self.tell(events.PileRanOut(half=2, still=self._still(), to=ALL))

    def _fill_hand(self, wanted: Wanted) -> int:
        """Take missing cards one by one; what is taken from the open cards is known to all.

        Returns:
            How many cards were taken.
        """
        seat, player = self.seat, self.players[self.seat]
        taken, drawn = fill_hand(self.facts, player.hand, self.now.pile, self.now.face_up, wanted)
        if taken or drawn:
            self.alter(pile=self.now.pile[len(drawn) :], face_up=without(self.now.face_up, taken))
            hand, known = (*player.hand, *taken, *drawn), (*player.known, *taken)
            self.change(seat, hand=self.facts.in_order(hand), known=self.facts.in_order(known))
            if drawn:
                self.tell(events.CardsDrawn(seat=seat, cards=drawn, to=only(seat)))
            self.tell(events.HandFilled(seat=seat, taken=taken, from_pile=len(drawn), to=ALL))
        return len(taken) + len(drawn)

    def _turn_up(self) -> None:
        """Turn up open cards in place of those that were taken.

        Source: rulebook, "Drawing cards": open cards are replaced when the hand is full, not before.
        """
        face_up, pile = self.now.face_up, self.now.pile
        if cards := pile[: self.facts.limits.face_up - len(face_up)]:
            pile = pile[len(cards) :]
            self.alter(pile=pile, face_up=(*face_up, *cards))
            self.tell(events.CardsTurnedUp(cards=cards, pile=len(pile), to=ALL))

    def _end_first_half(self, wanted: Wanted) -> None:
        """Score the cloisters and shuffle the discards; then a short hand and the open cards are filled up.

        Source: rulebook, "Scoring and the end"; the second half begins at the left of the start marker, but
        with the option `next_in_turn` the order is not broken.
        """
        self.tell(events.PileRanOut(half=1, still=(), to=ALL))
        self._score_cloisters(1)
        deck = [card for card in self.facts.counts for _ in range(self.now.discards.get(card, 0))]
        self.alter(half=2, pile=self.dice.shuffled(deck, "reshuffle"), discards={})
        if not self.before.next_in_turn:
            self.following = next_to(self.before.seats, self.before.starter)
        self.tell(events.SecondHalfBegun(cards=len(deck), seat=self.following, to=ALL))
        self._fill_hand(wanted)
        self._turn_up()

    def is_last(self) -> bool:
        """Tell whether the last round ends with this turn: at the right of the start marker.

        Source: rulebook, "Scoring and the end": until the last player has had a turn.
        """
        return self.now.closing and not self._still()

    def _still(self) -> tuple[Seat, ...]:
        """Return the seats that have a turn after this one in this round."""
        in_round = round_from(self.before.seats, self.before.starter)
        return in_round[in_round.index(self.seat) + 1 :]

    def pass_on(self) -> None:
        """Count the turn, note which countries the seat leads in, and let the next seat be on turn.

        Source: rulebook, "Set-up": clockwise from the start player.
        """
        led, asks = self.board.led_by(self.seat), self.players[self.seat].asks + 1
        self.change(self.seat, asks=asks, led=led, news=())
        self.alter(to_move=self.following)

    def finish(self, reason: str) -> None:
        """Score everything: cloisters as before, then the alliances, then the chains.

        Source: rulebook, "Scoring and the end".
        """
        self.alter(ended=reason)
        self._score_cloisters(2)
        alliances = self.facts.alliances[self.before.alliances]
        found = score_alliances(self.board, alliances)
        self._add(points for points in found.values())
        joined = {number: alliances[number] for number in found}
        self.tell(events.AlliancesScored(points=found, countries=joined, totals=self._totals(), to=ALL))
        chains = score_chains(self.board, self.before.seats)
        self._add([{seat: sum(map(len, rows)) for seat, rows in chains.items()}])
        self.tell(events.ChainsScored(chains=chains, totals=self._totals(), to=ALL))

    def _score_cloisters(self, half: int) -> None:
        """Add the points for the cloisters of all countries.

        Source: rulebook, "Scoring the cloisters".
        """
        found = {country: points for country, points in score_cloisters(self.board).items() if points}
        self._add(found.values())
        self.tell(events.CloistersScored(half=half, points=found, totals=self._totals(), to=ALL))

    def _add(self, earned: Iterable[dict[Seat, int]]) -> None:
        for seat, count in add_up(earned).items():
            self.change(seat, points=self.players[seat].points + count)

    def _totals(self) -> dict[Seat, int]:
        return {seat: self.players[seat].points for seat in self.before.seats}


def carry_out(course: Course, act: Act, wanted: Wanted) -> None:
    """Carry out one turn: place or throw away, draw, and see whether the game is over.

    Source: rulebook, "Course of the game".
    """
    if isinstance(act, Placed):
        course.place(act)
    else:
        course.discard(act)
    is_full = not course.board.takes_a_piece(course.before.seats)
    if not is_full and not course.now.closing:
        course.draw(wanted)
    course.pass_on()
    if is_full or course.is_last():
        course.finish(NO_ROOM if is_full else ROUND_OVER)
