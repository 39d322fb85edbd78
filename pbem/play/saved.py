"""One game as it is saved in a home: everything a command needs of it, loaded when it is asked for."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.core.book import Orders
from pbem.core.dice import commitment
from pbem.core.events import Recorded, Seat, visible
from pbem.core.interface import AnyRules, Ask, Json, Label, Outcome
from pbem.core.labels import next_label
from pbem.core.missed import taken_over
from pbem.core.opening import Opened, Opening
from pbem.core.turn import Position
from pbem.play import registry, saves
from pbem.play.gamefile import Table
from pbem.play.home import Home, Secret
from pbem.play.templates import template_faults, templates_of
from pbem.store.errors import WrongInput
from pbem.text.judging import Judge
from pbem.text.mail.marker import accepts, marker
from pbem.text.orders import Grammar
from pbem.text.plots import extended
from pbem.text.report import Frame, Report, facts, render

if TYPE_CHECKING:
    from jinja2 import Environment

SPECTATOR: Final = "spectator"
"""Whose reports tell what is public."""

GamePosition = Position[Opened[Any] | None]


class SavedGame:
    """A game of a home, with its rules, at its newest turn."""

    def __init__(
        self, home: Home, name: str, *, folder: Path | None = None, at_turn: int | None = None
    ) -> None:
        """Open a game.

        Args:
            home: The moderator's folder.
            name: The id of the game.
            folder: Where the game lies, if it is not among the home's games yet.
            at_turn: Look at it after this turn instead of the newest.

        Raises:
            WrongInput: There is no such game, or it is damaged.
        """
        self.home = home
        self.name = name
        self.folder = home.game(name) if folder is None else folder
        self.turn = saves.newest(self.folder) if at_turn is None else at_turn
        self._judges: dict[Seat, Judge[Any, Any, Any]] = {}
        self._seen: tuple[Any, dict[Seat | None, Any]] = (None, {})

    @cached_property
    def start(self) -> saves.Start:
        """What was frozen when the game was made."""
        return saves.load_start(self.folder)

    @cached_property
    def system(self) -> registry.Installed:
        """The installed rule system."""
        return registry.find(self.start.rules)

    @cached_property
    def grammar(self) -> Grammar:
        """What orders of this game may look like."""
        system = self.system
        assert system.system is not None, "find returns no broken rules"
        return Grammar(
            self.start.seats, system.move_schema, system.start_schema, frozenset(system.system.actions)
        )

    @cached_property
    def rules(self) -> AnyRules:
        """The rules, built from the frozen data; games with the same data share them."""
        try:
            return _rules_of(self.start.rules, saves.data_file(self.folder).read_bytes())
        except (OSError, ValueError, RecursionError):
            return self.system.load(saves.load_data(self.folder))  # which says what is wrong with the file

    @cached_property
    def opening(self) -> Opening[Any, Any, Any]:
        """The rules with their opening, as the loop plays them."""
        return Opening(self.rules, self.start.seats, self.start.options, self.system.questions)

    @cached_property
    def secret(self) -> Secret:
        """The seed and the keys."""
        secret = self.home.secret(self.folder)
        if commitment(secret.seed) != self.start.commitment:
            text = f"{self.folder / 'secret.json'} holds another seed than the one the game was made with."
            raise WrongInput(text, "Restore it from your backup.")
        return secret

    @cached_property
    def table(self) -> Table:
        """The moderator's file of the game."""
        return self.home.table(self.folder, self.start.seats)

    @cached_property
    def record(self) -> dict[str, Json]:
        """The `turn.json` of the turn."""
        return saves.load_record(self.folder, self.turn)

    @cached_property
    def position(self) -> GamePosition:
        """The game after the turn."""
        return saves.load_position(self.folder, self.turn, self.rules)

    @cached_property
    def pending(self) -> dict[Seat, Orders]:
        """What the turn left over of each seat's orders."""
        return saves.load_pending(self.folder, self.turn, self.start.seats)

    @property
    def ask(self) -> Ask | Outcome:
        """Whom the game waits for, or how it ended."""
        return self.asked_at(self.position)

    def asked_at(self, position: GamePosition) -> Ask | Outcome:
        """Return whom a position waits for, or how the game ended, by its rules or by a vote."""
        return position.outcome or self.opening.ask(position.game)

    def view(self, game: Opened[Any] | None, seat: Seat | None) -> Any:
        """Return what a seat may know of a game; the gate and the report that follows look at it once."""
        if self._seen[0] is not game:
            self._seen = (game, {})
        views = self._seen[1]
        if seat not in views:
            views[seat] = self.opening.view(game, seat)
        return views[seat]

    @property
    def taken(self) -> Mapping[str, Json]:
        """SHA-256 of each seat's submission that was taken last."""
        taken = self.record.get("taken")
        return taken if isinstance(taken, dict) else {}

    @property
    def bots(self) -> dict[Seat, str]:
        """The seats that bots play, with their skills: by the moderator's file, or taken over."""
        return {**taken_over(self.position.attendance, self.table.misses), **self.table.bots}

    def key(self, seat: Seat) -> str:
        """Return the key that a seat's orders must carry where keys are asked for."""
        return self.secret.key(seat, _standby(self.table, self.position, seat))

    def holder(self, seat: Seat) -> str:
        """Return the name of the player who has the seat now: of `game.yaml`, or the standby."""
        return _standby(self.table, self.position, seat) or self.table.players[seat]

    def address(self, seat: Seat) -> str:
        """Return the address of the player who has the seat now; "" if none is written."""
        standby = _standby(self.table, self.position, seat)
        return self.table.standby.get(standby, "") if standby else self.table.addresses.get(seat, "")

    def judge(self, seat: Seat) -> Judge[Any, Any, Any]:
        """Return the judge of a seat's submissions; it looks at the game once for all of them."""
        if seat not in self._judges:
            self._judges[seat] = Judge(
                self.opening, self.position.game, self.position.asked, seat, self.position.outcome
            )
        return self._judges[seat]

    def reports(
        self,
        turn: int,
        position: GamePosition,
        orders: Mapping[Seat, Orders],
        events: tuple[Recorded, ...],
        deadline: datetime.datetime | None,
    ) -> dict[str, Report]:
        """Return the reports of a turn that is about to be committed: every seat's, and the spectator's.

        Args:
            turn: The turn's number.
            position: The game after it.
            orders: What it left over.
            events: What happened.
            deadline: When the orders that it asks for will be due, or None.

        Raises:
            WrongInput: A template fails.
        """
        made: dict[str, Report] = {}
        ask, history = self.asked_at(position), self._history(turn, position)
        for seat in (*self.start.seats, None):
            own = orders.get(seat, Orders()) if seat is not None else Orders()
            frame = self.frame(turn, position, seat, own, deadline, history)
            view = self.view(position.game, seat)
            told = facts(self.opening, frame, view, ask, visible(events, seat))
            with template_faults():
                made[seat or SPECTATOR] = render(self.environment, told)
        return made

    def frame(
        self,
        turn: int,
        position: GamePosition,
        seat: Seat | None,
        orders: Orders,
        deadline: datetime.datetime | None,
        history: Mapping[str, Json],
    ) -> Frame:
        """Return what a reader's report needs besides view and events."""
        players = self.table.players
        return Frame(
            game=self.name,
            rules=self.start.rules,
            turn=turn,
            seat=seat,
            players={one: _standby(self.table, position, one) or name for one, name in players.items()},
            deadline=self.table.spelled(deadline, seat) if deadline else "",
            commitment=self.start.commitment,
            key_asked=self.table.key,
            new_key=self._new_key(position, seat) if turn else "",
            own_tables=self.start.own_tables,
            marker=self._marker(position, seat),
            asked=position.asked,
            orders=replace(orders, press=()),
            history=history,
        )

    def _history(self, turn: int, position: GamePosition) -> dict[str, Json]:
        """Return what is public turn by turn: the spectator's last report holds it, and this turn is added.

        It begins with the first turn after the deal that was run by a version that keeps it.
        """
        assert self.system.system is not None, "find returns no broken rules"
        plots = self.system.system.plots
        if not plots or not turn:
            return {}
        last = saves.turn_folder(self.folder, turn - 1) / "reports" / SPECTATOR / "report.json"
        before = saves.read_json(last).get("history") if last.exists() else None
        if position.game is None:
            return extended(before, turn, {})
        seen = self.view(position.game, None)
        return extended(before, turn, {title: dict(count(seen)) for title, count in plots.items()})

    def is_form_of(self, seat: Seat) -> Callable[[str], bool]:
        """Return what tells the first line of a seat's form for what it is asked next from any other line."""
        return accepts(self.name, seat, self._next_labels(self.position, seat), self.secret.seed)

    def _marker(self, position: GamePosition, seat: Seat | None) -> str:
        """Return the first line of a seat's form; "" if it gets none."""
        labels = self._next_labels(position, seat) if seat is not None else ()
        return marker(self.name, str(seat), labels[0], self.secret.seed) if labels else ""

    def _next_labels(self, position: GamePosition, seat: Seat) -> tuple[Label, ...]:
        """Return the one label that a seat's form is for; none when the game is over."""
        ask = self.opening.ask(position.game)
        return () if isinstance(ask, Outcome) else (next_label(ask, position.asked, seat),)

    def _new_key(self, position: GamePosition, seat: Seat | None) -> str:
        """Return the key of a standby who takes a seat over in this turn, or ""."""
        if seat is None or not self.table.key:
            return ""
        before, now = (_standby(self.table, at, seat) for at in (self.position, position))
        return self.secret.key(seat, now) if now not in ("", before) else ""

    @property
    def environment(self) -> Environment:
        """The report templates of this game."""
        return templates_of(self.system, self.home.templates_folder)


def _standby(table: Table, position: GamePosition, seat: Seat) -> str:
    """Return the name of a seat's standby, while `game.yaml` names the player who was replaced; or ""."""
    substitute = position.attendance.substitutes.get(seat)
    return substitute.by if substitute is not None and substitute.of == table.players[seat] else ""


@lru_cache(maxsize=32)
def _rules_of(name: str, data: bytes) -> AnyRules:
    return registry.find(name).load(json.loads(data))
