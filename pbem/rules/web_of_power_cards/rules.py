"""Web of Power: the card game, in the order of its rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from pbem.core.dice import Dice
from pbem.core.drafts import Draft
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.foresight import Later, Outlook, Plan
from pbem.core.interface import Ask, Choices, Forecast, Json, Label, Outcome, Problem, Step
from pbem.rules.web_of_power_cards import bots, events, forecast, foresight, planning, wording
from pbem.rules.web_of_power_cards.check import check_move
from pbem.rules.web_of_power_cards.choices import list_choices
from pbem.rules.web_of_power_cards.facts import Facts, load_facts
from pbem.rules.web_of_power_cards.moves import read_move
from pbem.rules.web_of_power_cards.redeal import redeal
from pbem.rules.web_of_power_cards.result import Done
from pbem.rules.web_of_power_cards.scoring import decide, fill_chart
from pbem.rules.web_of_power_cards.sight import build_view, lay_out
from pbem.rules.web_of_power_cards.state import SEATS, Card, Law, Move, Player, Skip, State, seated
from pbem.rules.web_of_power_cards.table import Stock
from pbem.rules.web_of_power_cards.taking import takeable
from pbem.rules.web_of_power_cards.turn import carry_out
from pbem.rules.web_of_power_cards.view import View


class WebOfPowerCards:
    """The rules, built from their facts."""

    name = "web-of-power-cards"
    version = 1
    upgrades: tuple[Callable[[dict[str, Json]], dict[str, Json]], ...] = ()
    state: type[State] = State
    constants: Mapping[str, str] = MappingProxyType({})
    event_kinds: tuple[type[Event], ...] = events.KINDS

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.wording = wording.wording(facts)
        self.horizon = foresight.horizon(facts)

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Draw the start player, lay out the land cards and the law cards, and give each seat its stones.

        Source: rulebook, "Set-up".
        """
        if seats != SEATS[: len(seats)]:
            raise ValueError(f"expected the seats {', '.join(SEATS[: len(seats)])}, got {', '.join(seats)}")
        layout = self._deal_lands(dice)
        return State(
            to_move=dice.pick(seats, "start player"),
            layout=layout,
            laws=self._deal_laws(layout, dice),
            stones={},
            players={seat: Player((), (), self.facts.stones, 0, 0, ()) for seat in seats},
            played=(),
            skips=0,
            own_claim_free=options.get("own_claim_free", False) is True,
        )

    def _deal_lands(self, dice: Dice) -> tuple[tuple[Card, ...], ...]:
        """Shuffle the land cards and lay them face up in rows.

        Source: rulebook, "Set-up", fourth point.
        """
        cards, width = dice.shuffled(tuple(self.facts.lands), "land cards"), self.facts.columns
        return tuple(cards[row * width : (row + 1) * width] for row in range(self.facts.rows))

    def _deal_laws(self, layout: tuple[tuple[Card, ...], ...], dice: Dice) -> Mapping[Card, Law]:
        """Shuffle the law cards and lay them face down on the marked land cards.

        Source: rulebook, "Set-up", fifth point.
        """
        laws = dice.shuffled(self.facts.laws, "law cards")
        places = self.facts.law_places
        return {layout[row - 1][column - 1]: law for (row, column), law in zip(places, laws, strict=True)}

    def ask(self, state: State) -> Ask | Outcome:
        """Ask the seat on turn; let it skip if it can take nothing; or tell how the game ended.

        A seat that can take nothing, but holds a law card and has a stone out of the game, is asked all the
        same: whether it holds the law card that helps is its secret.

        Source: rulebook, "Course of the game" and "Next player".
        """
        if (reason := self._why_over(state)) is not None:
            return self._score(state, reason)
        seat, player = state.to_move, state.players[state.to_move]
        label = Label(f"{seat}-{player.asks + 1}")
        if self._can_take(state) or (player.laws and player.removed):
            return Ask("turn", label, frozenset({seat}))
        return Ask("skip", label, frozenset())

    def view(self, state: State, seat: Seat | None) -> View:
        """Return everything this seat may know."""
        return build_view(self.facts, state, seat, is_over=self._why_over(state) is not None)

    def read(self, order: Json) -> Move:
        """Return an order that fits the schema as a move."""
        return read_move(order, self.facts.words, self.facts.law_words)

    def check(self, view: View, move: Move) -> tuple[Problem, ...]:
        """Return why a move is not legal."""
        return check_move(self.facts, view, move)

    def hold(self, view: View) -> Json:
        """Return a silent seat's order: one card, the one that brings it most."""
        return bots.hold(self.facts, view)

    def choices(self, view: View) -> Choices:
        """Return what may be ordered."""
        return list_choices(self.facts, view)

    def forecast(self, view: View, move: Move) -> Forecast:
        """Return what a legal move will do."""
        return forecast.forecast(self.facts, view, move)

    def foresee(self, view: View, later: Later[Move]) -> Outlook:
        """Return what the owner of a view can know of an order for a later ask."""
        return foresight.foresee(self.facts, view, later)

    def plan(self, view: View, now: Move | None, asks: int) -> Plan:
        """Return lines for the next turns of a seat."""
        return planning.plan(self.facts, view, now, asks)

    def suggest(self, view: View, dice: Dice, skill: str) -> Json:
        """Return a bot's order; None if the seat is not on turn."""
        return bots.suggest(self.facts, view, dice, skill)

    def draft(self, view: View, choices: Choices) -> Draft:
        """Return orders that fit the position, as examples."""
        return wording.draft(self.facts, view, choices)

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        """Return the same game with the law cards that the seat does not know dealt anew."""
        return state if self._why_over(state) is not None else redeal(state, seat, dice)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
        """Carry out the turn of the seat on turn, or its skip.

        Raises:
            ValueError: The seat ordered nothing that it can do, or a skip although it can take a card.

        Source: rulebook, "Course of the game".
        """
        seat = state.to_move
        move = moves.get(seat, Skip())
        if isinstance(move, Skip):
            if self._can_take(state):
                raise ValueError(f"expected a card to take from {seat}, got a skip")
            return self._skip(state)
        table, player = lay_out(state), state.players[seat]
        done = carry_out(self.facts, table, seat, player.laws, state.laws, move)
        if not done.taken:
            raise ValueError(f"expected at least one card to take from {seat}, got {move}")
        missed = tuple(
            events.WishMissed(seat=seat, part=str(one.path[0]), why=one.why, to=only(seat))
            for one in done.missed
        )
        return self._reveal_at_end(_after(state, done), (*done.told, *missed))

    def _skip(self, state: State) -> Step[State]:
        """Pass the turn of a seat that can take nothing.

        Source: rulebook, "Taking a Land card covered by a claiming stone", second paragraph.
        """
        seat, player = state.to_move, state.players[state.to_move]
        players = {**state.players, seat: replace(player, asks=player.asks + 1, lost=())}
        after = replace(state, to_move=_next(state), players=players, skips=state.skips + 1)
        return self._reveal_at_end(after, (events.TurnSkipped(seat=seat, to=ALL),))

    def _can_take(self, state: State) -> bool:
        return bool(takeable(self.facts, lay_out(state).scene(state.to_move)))

    def _reveal_at_end(self, state: State, told: tuple[Event, ...]) -> Step[State]:
        """Turn over the law cards that seats still hold once the game is over.

        Source: rulebook, law card "-2 victory points": it is not shown before the end.
        """
        if self._why_over(state) is None:
            return Step(state, told)
        held = {seat: state.players[seat].laws for seat in seated(state.players)}
        if not any(held.values()):
            return Step(state, told)
        return Step(state, (*told, events.LawsRevealed(laws=held, to=ALL)))

    def _why_over(self, state: State) -> str | None:
        """Return the reason if the game is over.

        Source: rulebook, "Next player": all land cards are taken. A round of skips would end it too, but
        whoever owns a stone on a card that is at an end can take that one, so none comes about.
        """
        if sum(len(player.cards) for player in state.players.values()) == len(self.facts.lands):
            return "all land cards are taken"
        return "nobody can take a card" if state.skips >= len(state.players) else None

    def _score(self, state: State, reason: str) -> Outcome:
        """Fill in the score chart and name the winner.

        Source: rulebook, "Scoring and the end of the game".
        """
        seats = seated(state.players)
        held = {seat: state.players[seat].cards for seat in seats}
        chart = fill_chart(self.facts, held, {seat: state.players[seat].laws for seat in seats})
        totals = {seat: chart[seat].total for seat in seats}
        winners, decided_by = decide(totals, {seat: len(cards) for seat, cards in held.items()})
        return Outcome(reason, winners, totals, decided_by)


def load(data: Mapping[str, Json]) -> WebOfPowerCards:
    """Build the rules from the tables of `data/web_of_power_cards.yaml`.

    Raises:
        ValueError: The tables do not add up.
    """
    return WebOfPowerCards(load_facts(data))


def _next(state: State) -> Seat:
    """Return the seat whose turn is next, clockwise.

    Source: rulebook, "Course of the game" and "Next player".
    """
    seats = seated(state.players)
    return seats[(seats.index(state.to_move) + 1) % len(seats)]


def _after(state: State, done: Done) -> State:
    """Return the state after a turn, with the next seat to move."""
    seat, players = state.to_move, dict(state.players)
    for one, stock in done.table.stocks.items():
        player = players[one]
        lost = tuple(card for card, owner in done.broken.items() if owner == one)
        if one == seat:
            players[one] = Player(
                cards=(*player.cards, *done.taken),
                laws=done.laws,
                reserve=stock.reserve,
                removed=stock.removed,
                asks=player.asks + 1,
                lost=(),
            )
        elif lost or stock != Stock(player.reserve, player.removed):
            players[one] = replace(
                player, reserve=stock.reserve, removed=stock.removed, lost=(*player.lost, *lost)
            )
    return State(
        to_move=_next(state),
        layout=state.layout,
        laws={card: law for card, law in state.laws.items() if card in done.table.covered},
        stones=done.table.stones,
        players=players,
        played=(*state.played, *done.played),
        skips=0,
        own_claim_free=state.own_claim_free,
    )
