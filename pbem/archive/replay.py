"""The replay of a game: a board for each moment, and beside it what was ordered and what happened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pbem.archive.finished import SeatMove, TurnDetails
from pbem.archive.public import (
    NAMELESS,
    Masking,
    PublishedReport,
    PublishPolicy,
    Turn,
    may_publish_event,
    redact_facts,
)
from pbem.archive.rendering import Pages
from pbem.archive.story import lines_of, points_of, scores_of
from pbem.archive.timeline import Sheet, merge_boards
from pbem.core.book import START, TOGETHER, Orders, parts
from pbem.core.events import ALL, Recorded, Seat, visible
from pbem.core.interface import Json, System
from pbem.core.opening import DealtGame
from pbem.play.config.templates import translate_template_errors
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.moments import PublicMoment, ReplayMoment, address, read_public_moments
from pbem.store.errors import WrongInput
from pbem.text.codec import encode_event, items_of
from pbem.text.reports.facts import Frame, facts, texts_in
from pbem.text.reports.report import Report

PUBLIC: Final = "public"
EVERYTHING: Final = "all"
"""Through whose eyes a replay is seen besides those of seats: the public's while a game runs, then all."""

_READER: Final = re.compile(r' data-[\w-]+="[^"]*"| \(you\)')
"""What a board has for its reader alone though it shows the same to all: who he is, and what he can click."""


@dataclass(frozen=True, slots=True)
class ReplayEvent:
    """Something that happened, with the seats that were told; none if all were."""

    seats: tuple[str, ...]
    event: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """A moment as a replay shows it.

    Attributes:
        turn: The number of its turn.
        address: What stands behind the # of its address.
        label: What was asked in its step, or "".
        stage: Which part of the step it ends, in words, or "".
        orders: What was ordered in its step, where the step begins.
        entries: What happened since the moment before.
        board: The board, or "".
        points: The points by seat as the public saw them then, where they are known.
    """

    turn: int
    address: str
    label: str
    stage: str
    orders: tuple[SeatMove, ...]
    entries: tuple[ReplayEvent, ...]
    board: str
    points: Mapping[str, int]

    @property
    def seat(self) -> str:
        """The seat that was asked, or "" if all were, or nothing was."""
        found = parts(self.label)
        return found.owner if found is not None and found.owner != TOGETHER else ""

    @property
    def asked(self) -> str:
        """What was asked besides a turn, in words, or ""."""
        found = parts(self.label)
        word = found.word if found is not None else "the start" if self.label == START else self.label
        return word.replace("_", " ")


class Replay:
    """The replay of a game, from which the pages for all readers are made.

    Attributes:
        fault: Why a board of it could not be drawn; "" if all were, so far.
    """

    def __init__(
        self,
        saved: SavedGame,
        turns: Sequence[Turn],
        insides: Mapping[int, TurnDetails],
        allowed: PublishPolicy,
        names: frozenset[str],
    ) -> None:
        """Take what is shown.

        Args:
            saved: The game.
            turns: Its turns as everybody may know them.
            insides: What its turns show besides; nothing while it runs.
            allowed: What may be published of it.
            names: Every name that a player of it ever had.

        Raises:
            WrongInput: A turn is damaged.
        """
        self.saved = saved
        self.turns = turns
        self.insides = insides
        self.allowed = allowed
        self.names = names
        self.fault = ""
        self.mask = Masking(() if allowed.names else names)

    def page(self, pages: Pages, game: Mapping[str, Any], eyes: str) -> str:
        """Return the page of the replay.

        Args:
            pages: Makes pages.
            game: What the index tells of the game.
            eyes: PUBLIC or, of a game that is over, EVERYTHING or a seat.
        """
        if eyes in self.open_to:
            return pages.page("same.html", game=game, rules=self.saved.start.rules, eyes=eyes)
        shown = self.shown(eyes)
        known = {name for one in shown for entry in one.entries for name in texts_in(dict(entry.event))}
        known |= {name for one in shown for order in one.orders for name in texts_in(order.do)}
        wording = self.saved.opening.wording.names
        return pages.page(
            "replay.html",
            game=game,
            rules=self.saved.start.rules,
            names={name: wording[name] for name in sorted(known) if name in wording},
            seats=self.eyes,
            eyes=eyes,
            shown=shown,
            sheets=self._picture(shown),
            lines=lines_of([one.points for one in shown]),
            counted=next(iter(self._system.plots), ""),
            order=self.saved.start.seats,
        )

    @property
    def _system(self) -> System:
        system = self.saved.system.system
        assert system is not None, "find returns no broken rules"
        return system

    @cached_property
    def open_to(self) -> frozenset[str]:
        """The seats of a game that is over that saw at each moment what everybody saw, and nothing besides.

        Their pages would say again what the page of all eyes says, so each is a line that leads there.
        """
        seats = frozenset(map(str, self.saved.start.seats if self.insides else ()))
        for number, inside in self.insides.items():
            if number and not inside.moments:
                return frozenset()
            for moment in inside.moments if number else ():
                if seats and isinstance(moment.game, DealtGame):  # else there is no board yet
                    every = self._public_board(moment, EVERYTHING)
                    seats = frozenset(one for one in seats if self._public_board(moment, one) == every)
        return seats

    @property
    def eyes(self) -> tuple[str, ...]:
        """The seats of a game that is over through whose eyes a replay of its own is seen."""
        seats = self.saved.start.seats if self.insides else ()
        return tuple(str(seat) for seat in seats if seat not in self.open_to)

    def _public_board(self, moment: ReplayMoment, eyes: str) -> str:
        """Return the board at a moment without what it has for its reader alone."""
        return _READER.sub("", self._moment_board(moment, eyes))

    def _picture(self, shown: Sequence[ReplayFrame]) -> tuple[Sheet, ...]:
        try:
            return merge_boards([one.board for one in shown])
        except ValueError as fault:
            self.fault = self.fault or f"{fault}."
            return ()

    def shown(self, eyes: str) -> list[ReplayFrame]:
        """Return the moments of the game through somebody's eyes."""
        shown: list[ReplayFrame] = []
        for turn in self.turns:
            if turn.number:
                before = shown[-1] if shown else None
                shown += self._turn_frames(
                    turn, eyes, before.board if before else "", before.points if before else {}
                )
        return shown

    def _turn_frames(
        self, turn: Turn, eyes: str, board: str, points: Mapping[str, int]
    ) -> Iterable[ReplayFrame]:
        """Yield the moments of a turn; where it could not be played again, its end alone.

        Within a step a seat sees the board as it was before: it was told of none other.
        """
        moments = self.insides[turn.number].moments if self.insides else ()
        if not moments:
            yield from (() if self.insides else self._public_frames(turn)) or [
                self._reported_frame(turn, eyes)
            ]
            return
        ordered = {step.label: step.answers for step in self.insides[turn.number].steps}
        for moment in moments:
            seen = self._visible_events(moment.events, eyes)
            entries = tuple(entry for one in seen for entry in self._published_events(one))
            if moment is moments[-1] and eyes != EVERYTHING:
                told = self.insides[turn.number].reports[eyes]
                board = self._report_board(told, [dict(one.event) for one in entries])
            elif moment.ends or eyes == EVERYTHING:
                board = self._moment_board(moment, eyes)
            if (moment.ends or eyes == EVERYTHING) and isinstance(moment.game, DealtGame):
                points = points_of(self._system.plots, self.saved.opening.view(moment.game, None))
            orders = ordered.get(moment.label, ()) if moment.begins else ()
            yield ReplayFrame(
                turn.number,
                moment.address,
                moment.label,
                moment.stage.replace("_", " "),
                tuple(one for one in orders if eyes in (EVERYTHING, one.seat)),
                entries,
                board,
                points,
            )

    def _public_frames(self, turn: Turn) -> list[ReplayFrame]:
        """Return the moments of a turn as the public saw them, if the turn keeps them."""
        steps = read_public_moments(self.saved.turns.at(turn.number), turn.told.facts)
        return [
            ReplayFrame(
                turn.number,
                address(turn.number, one.number, one.stage),
                one.label,
                one.stage.replace("_", " "),
                (),
                tuple(ReplayEvent((), event) for event in one.events if isinstance(event, dict)),
                self._report_board(turn.told, one.events) if one is steps[-1] else self._board_of(turn, one),
                points_of(self._system.plots, one.view)
                or (self._reported_points(turn) if one is steps[-1] else {}),
            )
            for one in steps
        ]

    def _reported_points(self, turn: Turn) -> Mapping[str, int]:
        """Return the points that a turn's report tells, for a view of an older version."""
        return scores_of(turn.told.facts).at(turn.number)

    @property
    def newest_board(self) -> str:
        """The board of the newest turn as everybody may know it, with what was done last."""
        told = self.turns[-1].told
        events = [event for event in items_of(told.facts["events"]) if isinstance(event, dict)]
        last = next((event.get("at") for event in reversed(events) if event.get("at")), "")
        return self._report_board(told, [event for event in events if event.get("at", "") in ("", last)])

    def _report_board(self, told: PublishedReport, events: Sequence[Json]) -> str:
        """Return the board of a report as a replay draws it; as it was, if this version cannot.

        Args:
            told: The report.
            events: What happened in the moment that is shown.
        """
        try:
            with translate_template_errors():
                return Report(
                    self.saved.environment, {**told.facts, "events": [*events], "replay": True}
                ).board
        except WrongInput:
            return told.board

    def _board_of(self, turn: Turn, seen: PublicMoment) -> str:
        """Return the board within a turn, made as for its report of what the public saw then."""
        told = {**turn.told.facts, "view": seen.view, "ask": seen.ask, "events": [*seen.events]}
        names = self.saved.opening.wording.names
        told["names"] = {one: names[one] for one in sorted(texts_in(told)) if one in names}
        return self._draw_board({**told, "replay": True})

    def _reported_frame(self, turn: Turn, eyes: str) -> ReplayFrame:
        """Return the end of a turn as its report told it: all that is known of it, or may be."""
        told = self.insides[turn.number].reports[eyes] if eyes in self.saved.start.seats else turn.told
        events = told.facts["events"]
        assert isinstance(events, list), "every report has them"
        entries = tuple(ReplayEvent((), event) for event in events if isinstance(event, dict))
        labels = [*dict.fromkeys(str(entry.event.get("at", "")) for entry in entries)]
        label = ", ".join(label for label in labels if label) or "the whole turn"
        points = points_of(self._system.plots, turn.told.facts["view"]) or self._reported_points(turn)
        return ReplayFrame(
            turn.number, f"t{turn.number}-1", label, "", (), entries, self._report_board(told, events), points
        )

    def _visible_events(self, events: tuple[Recorded, ...], eyes: str) -> tuple[Recorded, ...]:
        return events if eyes == EVERYTHING else visible(events, Seat(eyes))

    def _published_events(self, entry: Recorded) -> Iterable[ReplayEvent]:
        """Yield an event as it may be published."""
        told = encode_event(entry.event)
        to = told.pop("to")
        event: dict[str, Json] = {"at": entry.at, "public": to == ALL, **told}
        if may_publish_event(event, self.allowed):
            heard = (
                ()
                if to == ALL
                else tuple(str(one) for one in self.saved.start.seats if one in entry.event.to)
            )
            yield ReplayEvent(heard, self.mask.event(event))

    def _moment_board(self, moment: ReplayMoment, eyes: str) -> str:
        """Return the board at a moment, made as for a report: of a reader's view and what he may know."""
        saved, system = self.saved, self._system
        events = self._visible_events(moment.events, eyes)
        if isinstance(moment.game, DealtGame) and eyes == EVERYTHING:
            view, more = system.whole(saved.rules, moment.game.state)
            events += tuple(Recorded(moment.label, event) for event in more)
        else:
            view = saved.opening.view(moment.game, None if eyes == EVERYTHING else Seat(eyes))
        frame = Frame(
            game=saved.name,
            rules=saved.start.rules,
            turn=moment.turn,
            seat=None,
            players=dict.fromkeys(saved.start.seats, NAMELESS),
            deadline="",
            commitment=saved.start.commitment,
            key_asked=False,
            asked={},
            orders=Orders(),
        )
        told = facts(saved.opening, frame, view, moment.ask, events)
        return self._draw_board(redact_facts({**told, "replay": True}, self.allowed, self.names))

    def _draw_board(self, facts: Mapping[str, Json]) -> str:
        try:
            with translate_template_errors():
                return Report(self.saved.environment, facts).board
        except WrongInput as wrong:
            self.fault = self.fault or str(wrong)
            return ""
