"""Web of Power, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pbem.core.dice import Dice
from pbem.core.drafts import Draft
from pbem.core.events import Event, Seat
from pbem.core.foresight import Later, Outlook, Plan
from pbem.core.interface import Ask, Choices, Forecast, Json, Label, Outcome, Problem, Step
from pbem.rules.web_of_power import bots, events, forecast, foresight, wording
from pbem.rules.web_of_power.check import check_move
from pbem.rules.web_of_power.choices import list_choices
from pbem.rules.web_of_power.choosing import Seated, choose_act
from pbem.rules.web_of_power.course import Course, board_of, carry_out
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import read_move
from pbem.rules.web_of_power.plan import plan_ahead
from pbem.rules.web_of_power.redeal import redeal
from pbem.rules.web_of_power.scoring import decide
from pbem.rules.web_of_power.sight import build_view
from pbem.rules.web_of_power.state import ANY, SEATS, Card, Move, Player, State
from pbem.rules.web_of_power.tables import load_facts
from pbem.rules.web_of_power.view import View


class WebOfPower:
    """The rules, built from their facts."""

    name = "web-of-power"
    version = 2
    upgrades: tuple[Callable[[dict[str, Json]], dict[str, Json]], ...] = ()
    state: type[State] = State
    constants: Mapping[str, str] = MappingProxyType({})
    event_kinds: tuple[type[Event], ...] = (
        events.PiecesPlaced,
        events.CardDiscarded,
        events.CardsDrawn,
        events.HandFilled,
        events.CardsTurnedUp,
        events.PileRanOut,
        events.CloistersScored,
        events.AlliancesScored,
        events.ChainsScored,
        events.SecondHalfBegun,
    )

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.wording = wording.wording(facts)
        self.horizon = foresight.horizon(facts)

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Deal three cards each, turn up two, and give somebody the start marker.

        Source: rulebook, "Set-up".
        """
        if seats != SEATS[: len(seats)] or len(seats) not in self.facts.removed:
            raise ValueError(f"expected the first 3 to 5 of {', '.join(SEATS)}, got {', '.join(seats)}")
        chosen = str(options.get("alliances", "land"))
        if chosen not in self.facts.alliances:
            raise ValueError(f"expected the alliances {', '.join(self.facts.alliances)}, got {chosen}")
        starter = dice.pick(seats, "starter") if options.get("start_player") == "lot" else seats[0]
        limits = self.facts.limits
        cards = dice.shuffled(self.facts.deck(len(seats)), "deal")
        dealt = len(seats) * limits.hand
        return State(
            seats=seats,
            starter=starter,
            to_move=starter,
            half=1,
            closing=False,
            ended="",
            alliances=chosen,
            next_in_turn=options.get("next_in_turn") is True,
            players={
                seat: self._seated(cards[place * limits.hand : (place + 1) * limits.hand])
                for place, seat in enumerate(seats)
            },
            cloisters={},
            advisors={},
            pile=cards[dealt + limits.face_up :],
            face_up=cards[dealt : dealt + limits.face_up],
            discards={},
        )

    def _seated(self, hand: tuple[Card, ...]) -> Player:
        return Player(self.facts.in_order(hand), known=(), points=0, asks=0, led=(), news=())

    def ask(self, state: State) -> Ask | Outcome:
        """Ask the seat on turn, or tell how the game ended.

        Source: rulebook, "Set-up": clockwise from the start player.
        """
        if state.ended:
            return self._outcome(state)
        seat = state.to_move
        return Ask("move", Label(f"{seat}-{state.players[seat].asks + 1}"), frozenset({seat}))

    def _outcome(self, state: State) -> Outcome:
        """Name the winners.

        Source: rulebook, "Scoring and the end".
        """
        board = board_of(self.facts, state)
        scores = {seat: state.players[seat].points for seat in state.seats}
        left = {seat: board.cloisters_left(seat) + board.advisors_left(seat) for seat in state.seats}
        winners, decided_by = decide(scores, left)
        return Outcome(state.ended, winners, scores, decided_by)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
        """Carry out the turn of the seat to move.

        Raises:
            ValueError: Its move is not legal here.

        Source: rulebook, "Course of the game".
        """
        seat = state.to_move
        move = moves.get(seat)
        course = Course(self.facts, state, dice)
        me = Seated(course.board, seat, state.players[seat].hand, state.alliances)
        act = None if move is None else choose_act(me, move)
        if move is None or act is None or state.ended:
            raise ValueError(f"expected a legal move from {seat}, got {dict(moves)}")
        carry_out(course, act, move.draw)
        return Step(course.state(), tuple(course.told))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return everything this seat may know."""
        return build_view(self.facts, state, seat)

    def read(self, order: Json) -> Move:
        """Return an order that fits the schema as a move."""
        return read_move(self.facts, order)

    def check(self, view: View, move: Move) -> tuple[Problem, ...]:
        """Return why a move is not legal."""
        return check_move(self.facts, view, move)

    def hold(self, view: View) -> Json:
        """Return the least a silent seat can do: throw a card away that has no like in the hand."""
        return {"discard": ANY} if view.me is not None and view.me == view.to_move else None

    def choices(self, view: View) -> Choices:
        """Return what may be ordered, with what it does."""
        return list_choices(self.facts, view)

    def forecast(self, view: View, move: Move) -> Forecast:
        """Return what a legal move will do."""
        return forecast.forecast(self.facts, view, move)

    def foresee(self, view: View, later: Later[Move]) -> Outlook:
        """Return what the owner of a view can know of an order for a later ask."""
        return foresight.foresee(self.facts, view, later)

    def plan(self, view: View, now: Move | None, asks: int) -> Plan:
        """Return lines for the next turns of a seat."""
        return plan_ahead(self.facts, view, now, asks)

    def suggest(self, view: View, dice: Dice, skill: str) -> Json:
        """Return a bot's order; None if the seat is not on turn."""
        return bots.suggest(self.facts, view, dice, skill)

    def draft(self, view: View, choices: Choices) -> Draft:
        """Return orders that fit the position, as examples."""
        return wording.draft(self.facts, view, choices)

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        """Return another world that this seat cannot tell from the given one."""
        return redeal(self.facts, state, seat, dice)


def load(data: Mapping[str, Json]) -> WebOfPower:
    """Build the rules from the tables of `data/web_of_power.yaml`.

    Raises:
        ValueError: The tables do not add up.
    """
    return WebOfPower(load_facts(data))
