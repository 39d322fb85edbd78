"""The table as a seat may find it at its next turn, if the others take what brings them much."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_power_cards.bots import Thought
from pbem.rules.web_of_power_cards.choices import list_hauls
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.scoring import Standing
from pbem.rules.web_of_power_cards.state import MINUS, Player, State, deal_laws, next_seat
from pbem.rules.web_of_power_cards.table import Table
from pbem.rules.web_of_power_cards.turn import Turn, after_turn, carry_out
from pbem.rules.web_of_power_cards.view import View, build_view, lay_out

OTHERS = 5
"""So many hauls are thought of that another seat may take instead of the best."""


class Guess:
    """A seat thinks of the turns of the others until its own next one."""

    def __init__(self, facts: Facts, view: View, me: Seat, done: Turn | None) -> None:
        """Begin with what lies open, and what the seat itself does before; None if that is not known."""
        self.facts = facts
        self.view = view
        self.me = me
        self.done = done
        self.begun = _begin(view, me)
        self.standing = Standing(facts, view.held())
        if done is not None:
            self.standing = self.standing.after(me, done.taken)

    def expected(self) -> View:
        """Return what the seat expects to see; law cards that nobody knows help nobody."""
        return build_view(self.facts, self._played_on(self.begun, None), self.me)

    def possible(self, number: int) -> tuple[Table, ...]:
        """Return tables that may come about: other law cards turn up, and the others take other cards.

        The same view gives the same ones, and they differ only in what the seat cannot know.
        """
        every = (Dice(b"possible", one) for one in range(number))
        return tuple(lay_out(self._played_on(self._dealt(dice), dice)) for dice in every)

    def _played_on(self, state: State, dice: Dice | None) -> State:
        """Return the game at the seat's next turn; with dice the others do not always take the best."""
        standing = self.standing
        if state.to_move == self.me:
            state = after_turn(state, self.done) if self.done else replace(state, to_move=next_seat(state))
        while state.to_move != self.me:
            seat, looks = state.to_move, build_view(self.facts, state, state.to_move)
            move = self.facts.read(self._order(looks, seat, standing, dice))
            done = carry_out(self.facts, looks.table(), seat, looks.laws, state.laws, move)
            state, standing = after_turn(state, done), standing.after(seat, done.taken)
        return state

    def _order(self, looks: View, seat: Seat, standing: Standing, dice: Dice | None) -> Json:
        """Return what another seat orders: the best for it, or with dice every second time something else."""
        thought = Thought(self.facts, looks, seat, standing)
        hauls = list_hauls(self.facts, looks, standing=standing)
        if dice is None or dice.below(2, f"other {seat}"):
            haul = thought.best(hauls, dice or Dice(b"expected", 0))
        else:
            others = sorted(hauls, key=thought.worth, reverse=True)[:OTHERS]
            haul = dice.pick(others, f"which {seat}") if others else None
        if haul is None:
            return None
        order, turns_up = thought.order(haul), not looks.table().covered.isdisjoint(haul.cards)
        # Any other claim that is illegal comes to nothing, and need not be looked for.
        return thought.legal(order) if haul.pay or turns_up else order

    def _dealt(self, dice: Dice) -> State:
        """Return the game with the law cards dealt that the seat does not know."""
        hidden = [law for law, number in self.view.unseen.items() for _ in range(number)]
        held = {seat: self.view.players[seat].laws for seat in self.begun.players if seat != self.me}
        return deal_laws(self.begun, dice.shuffled(hidden, "laws"), sorted(self.begun.laws), held)


def _begin(view: View, me: Seat) -> State:
    """Return the game as far as it lies open."""
    cards, width, table = [*view.cards], view.numbers.columns, view.table()
    assert view.to_move is not None, "somebody is on turn"
    return State(
        to_move=view.to_move,
        layout=tuple(tuple(cards[start : start + width]) for start in range(0, len(cards), width)),
        laws=dict.fromkeys(sorted(table.covered), MINUS),
        stones=table.stones,
        players={
            seat: Player(
                laws=view.laws if seat == me else (),
                **same_fields(side, "cards", "reserve", "removed", "asks"),
            )
            for seat, side in view.players.items()
        },
        played=view.played,
        skips=0,
        own_claim_free=view.numbers.own_claim_free,
    )
