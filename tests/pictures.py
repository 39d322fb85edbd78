"""Positions of every game for the tests of pictures: early, in the middle and at the end."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from pbem.core.book import Orders
from pbem.core.events import Seat, visible
from pbem.core.interface import Ask, Json, Outcome
from pbem.core.opening import Begun, Opening
from pbem.core.turn import Policy, Position, Run, advance
from pbem.play.config.registry import OURS
from pbem.text.reports.facts import Frame, facts
from pbem.text.reports.report import Report, extend_history
from tests.homes import PATCHED
from tests.subjects import subject

RULES: Final = sorted(path.parent.name.replace("_", "-") for path in OURS.glob("*/orders.schema.json"))
NO_ORDERS: Final = Orders()
NASTY: Final = "{{ 7*7 }} <script>alert(1)</script> & ]]> \"'<!-- </svg>"

STEPS: Final = {"early": 3, "middle": 0.5, "end": 1.0}
"""How far a game has come, in steps or as a part of it all."""


@dataclass(frozen=True)
class Scene:
    """A position that bots came to.

    Attributes:
        rules: The rules.
        opening: They, with their opening.
        run: The last run of the game.
        names: The players.
        history: Public numbers turn by turn.
    """

    rules: str
    opening: Opening[Any, Any, Any]
    run: Run[Begun[Any]]
    names: Mapping[Seat, str] = field(default_factory=dict)
    history: Mapping[str, Json] = field(default_factory=dict)
    _told: dict[Seat | None, bytes] = field(default_factory=dict, repr=False, compare=False)

    @property
    def ask(self) -> Ask | Outcome:
        """Whom the game waits for."""
        return self.run.ask

    @property
    def asked(self) -> list[Seat]:
        """The seats that are asked."""
        return [] if isinstance(self.ask, Outcome) else sorted(self.ask.seats)

    def facts(self, seat: Seat | None, orders: Orders = NO_ORDERS) -> dict[str, Json]:
        """Return what a reader's report says; it is worked out once, as many tests look at each report."""
        if PATCHED or orders != NO_ORDERS:
            return self._facts(seat, orders)
        if seat not in self._told:
            self._told[seat] = pickle.dumps(self._facts(seat, orders))
        told: dict[str, Json] = pickle.loads(self._told[seat])
        return told

    def _facts(self, seat: Seat | None, orders: Orders) -> dict[str, Json]:
        frame = Frame(
            game="picture-1",
            rules=self.rules,
            turn=3,
            seat=seat,
            players=self.names,
            deadline="",
            commitment="",
            key_asked=False,
            asked=self.run.position.asked,
            orders=orders,
            history=self.history,
        )
        view = self.opening.view(self.run.position.game, seat)
        return facts(self.opening, frame, view, self.run.ask, visible(self.run.events, seat))

    def pictures(self, seat: Seat | None) -> dict[str, str]:
        """Return a reader's pictures by name, those that there are."""
        templates, told = subject(self.rules).environment, self.facts(seat)
        assert templates is not None
        report = Report(templates, told)
        drawn = {"board": report.board, "plots": report.plots}
        return {name: picture for name, picture in drawn.items() if picture}


@cache
def course(rules: str, seats: int | None = None) -> tuple[Scene, ...]:
    """Return every position of a game that bots play to its end, step by step."""
    found = subject(rules, seats)
    opening = Opening(found.rules, found.seats, found.options)
    bots = {seat: ("greedy", "random")[number % 2] for number, seat in enumerate(found.seats)}
    policy = Policy(bots=bots, most_steps=1)
    position: Position[Begun[Any]] = Position(None)
    names = {seat: f"Player {seat}" for seat in found.seats}
    history: dict[str, Json] = {}
    runs: list[Scene] = []
    while not runs or not isinstance(runs[-1].ask, Outcome):
        run = advance(opening, found.seats, position, {}, bytes(32), policy)
        position = run.position
        public = opening.view(position.game, None)
        history = extend_history(
            history, len(runs) + 1, {title: count(public) for title, count in found.plots.items()}
        )
        runs.append(Scene(rules, opening, run, names, history))
    return tuple(runs)


@cache
def scenes(rules: str, seats: int | None = None) -> Mapping[str, Scene]:
    """Return a game's positions by name; bots play it, the last step of each run is told."""
    runs = course(rules, seats)
    opening, names = runs[0].opening, runs[0].names
    chosen = {name: runs[int(at) if at > 1 else int((len(runs) - 1) * at)] for name, at in STEPS.items()}
    nobody = dict.fromkeys(opening.seats, Orders())
    before: Position[Begun[Any]] = Position(None)
    start = Run(before, (), (), nobody, opening.ask(None), frozenset(opening.seats))
    return {"start": Scene(rules, opening, start, names), **chosen}


def readers(scene: Scene) -> tuple[Seat | None, ...]:
    """Return who looks at a position: one who is asked, one who is not if there is one, and the spectator."""
    others = [seat for seat in scene.names if seat not in scene.asked]
    return (*scene.asked[:1], *others[:1], None)
