"""Web of Power: the card game, in the order of its rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Ask, Json, Outcome, Step
from pbem.rules.kit.ruled import Ahead, Parts, RuledAhead, kinds_in, label_after
from pbem.rules.web_of_power_cards import bots, events, forecast, foresight, planning, wording
from pbem.rules.web_of_power_cards.check import check_move, misnamed_before_deal
from pbem.rules.web_of_power_cards.choices import least, list_choices
from pbem.rules.web_of_power_cards.conditions import conditions_in
from pbem.rules.web_of_power_cards.facts import Facts, load_facts
from pbem.rules.web_of_power_cards.scoring import decide, fill_chart
from pbem.rules.web_of_power_cards.state import SEATS, Card, Law, Player, State, Take, deal_laws, seated
from pbem.rules.web_of_power_cards.taking import takeable
from pbem.rules.web_of_power_cards.turn import after_turn, carry_out
from pbem.rules.web_of_power_cards.view import View, build_view, lay_out, why_over


def redeal(facts: Facts, state: State, seat: Seat | None, dice: Dice) -> State:
    """Return the game with the law cards on the table and before the others in another order.

    Nothing that a seat sees bears on them: who holds one need not play it. At the end all are known.
    """
    if why_over(facts, state) is not None:
        return state
    others = tuple(one for one in seated(state.players) if one != seat)
    places = tuple(card for row in state.layout for card in row if card in state.laws)
    hidden = [state.laws[card] for card in places]
    hidden += [law for one in others for law in state.players[one].laws]
    held = {one: len(player.laws) for one, player in state.players.items() if one != seat}
    return deal_laws(state, dice.shuffled(hidden, "redeal"), places, held)


class WebOfPowerCards(RuledAhead[Facts, State, View, Take]):
    """The rules, built from their facts."""

    name = "web-of-power-cards"
    version = 2
    state: type[State] = State
    event_kinds = kinds_in(events)
    parts = Parts(
        facts=load_facts,
        wording=wording.wording,
        view=build_view,
        read=Facts.read,
        check=check_move,
        choices=list_choices,
        forecast=forecast.forecast,
        suggest=bots.suggest,
        draft=wording.draft,
        redeal=redeal,
        misnamed=misnamed_before_deal,
        conditions=conditions_in,
    )
    ahead = Ahead(seats=SEATS, horizon=foresight.horizon, foresee=foresight.foresee, plan=planning.plan)

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
            players={seat: Player(reserve=self.facts.stones) for seat in seats},
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
        if (reason := why_over(self.facts, state)) is not None:
            return self._score(state, reason)
        seat, player = state.to_move, state.players[state.to_move]
        label = label_after(seat, player.asks)
        if self._can_take(state) or (player.laws and player.removed):
            return Ask("turn", label, frozenset({seat}))
        return Ask("skip", label, frozenset())

    def hold(self, view: View) -> Json:
        """Return a silent seat's order: one card, the one that brings it most."""
        return least(self.facts, view)

    def resolve(self, state: State, moves: Mapping[Seat, Take], dice: Dice) -> Step[State]:
        """Carry out the turn of the seat on turn, or its skip.

        Raises:
            ValueError: The seat ordered nothing that it can do, or a skip although it can take a card.

        Source: rulebook, "Course of the game"; "Taking a Land card covered by a claiming stone", second
        paragraph.
        """
        seat = state.to_move
        move, laws = moves.get(seat, Take(())), state.players[seat].laws
        done = carry_out(self.facts, lay_out(state), seat, laws, state.laws, move)
        if not done.taken and (move.take or self._can_take(state)):
            raise ValueError(f"expected a card to take from {seat}, got {move if move.take else 'a skip'}")
        missed = tuple(
            events.WishMissed(seat=seat, part=str(one.path[0]), why=one.why, to=only(seat))
            for one in done.missed
        )
        told = done.told or [events.TurnSkipped(seat=seat, to=ALL)]
        return self._reveal_at_end(after_turn(state, done), (*told, *missed))

    def _can_take(self, state: State) -> bool:
        return bool(takeable(self.facts, lay_out(state).scene(state.to_move)))

    def _reveal_at_end(self, state: State, told: tuple[Event, ...]) -> Step[State]:
        """Turn over the law cards that seats still hold once the game is over.

        Source: rulebook, law card "-2 victory points": it is not shown before the end.
        """
        if why_over(self.facts, state) is None:
            return Step(state, told)
        held = {seat: state.players[seat].laws for seat in seated(state.players)}
        if not any(held.values()):
            return Step(state, told)
        return Step(state, (*told, events.LawsRevealed(laws=held, to=ALL)))

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


class FirstWebOfPowerCards(WebOfPowerCards):
    """The rules as they were in version 1."""

    version = 1

    def __init__(self, facts: Facts) -> None:
        super().__init__(replace(facts, law_pays_first=False))


load = WebOfPowerCards.load
load_first = FirstWebOfPowerCards.load
