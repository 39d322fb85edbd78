"""How orders for later asks are judged in games of bots, and what became of them when the ask came."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pbem.contract.playing import LookaheadChecker, facts_of
from pbem.contract.subject import Checked, PositionViews, Subject
from pbem.core.book import Line, Orders, first_open_count
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.foresight import plan_of
from pbem.core.interface import Ask, Json, Label, Outcome
from pbem.core.statements import condition_term, is_met
from pbem.core.turn import Policy, Position, advance
from pbem.play.config.templates import subject
from pbem.text.judging import Judge, Verdict
from pbem.text.lookahead import AskContext, Chance, Lookahead
from pbem.text.orders import Submission, open_envelope
from pbem.text.strictyaml import dump
from tests.benchmarks.pace import SEATS

SKILLS: Final = ("greedy", "random")
"""What the others play: one game, and one future of a file, of each."""

FUTURE: Final = 12
"""So many steps of a future are played."""

NEVER: Final = ("never-playable", "condition-never", "shadowed")
"""The kinds of mistakes of lines that can never be played."""


@dataclass(slots=True)
class Result(Checked):
    """What was judged, and what came of it.

    Attributes:
        file_lines: Lines of whole files.
        vain: Those called impossible at an ask that came.
        certain: Those called legal there, for certain.
        stops: Stops of which it was said for certain whether they hold at an ask that came.
    """

    file_lines: int = 0
    vain: int = 0
    certain: int = 0
    stops: int = 0


def judged(name: str, never: int, lines: int = 0, file_lines: int = 0) -> Result:
    """Play games until enough orders were judged and their asks came, or one was wrong.

    Args:
        name: The rules.
        never: So many that were called impossible are compared at least.
        lines: So many are judged at least.
        file_lines: So many lines of whole files are judged at least, each in two futures.
    """
    found, result = subject(name, SEATS.get(name, 3)), Result()
    while (
        result.never < never or result.lines_ahead < lines or result.file_lines < file_lines
    ) and not result.breaches:
        result.games += 1
        play(found, result, single=20 * (name in SEATS), files=result.file_lines < file_lines)
    return result


class ShownWatch(LookaheadChecker):
    """Judges orders that wait for conditions that forms show, too."""

    def condition(self, seat: Seat, view: Any, dice: Dice) -> Mapping[str, Json]:
        """Return the term of a condition that forms show, or one that holds now on any fact of the view."""
        rules = self.subject.rules
        shown = [*rules.conditions(view)] if hasattr(rules, "conditions") else []
        if shown and dice.below(2, "shown"):
            return condition_term(rules, dice.pick(shown, "condition"), seat)
        return super().condition(seat, view, dice)


def play(found: Subject, result: Result, single: int, *, files: bool) -> None:
    """Play one game by bots; judge single orders at each step, and a file at some."""
    key = hashlib.sha256(f"ahead/{result.games}".encode()).digest()
    watch = ShownWatch(found, result, lines=single)
    skill = SKILLS[(result.games + 1) % 2]
    state = found.rules.setup(found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0))
    number, tried = 0, list[Json]()
    while not isinstance(ask := found.rules.ask(state), Outcome):
        number += 1
        dice, looks = Dice(key, number), PositionViews(found.rules, state)
        orders = {
            seat: bot_order(found.rules, state, seat, dice.apart("bot", seat), skill) for seat in ask.seats
        }
        tried += orders.values()
        for seat in found.seats[:1]:
            tried += [one.do for one in plan_of(found.rules, looks.view(seat), None, 1).lines]
        where = f"game {result.games}, {ask.label}"
        if files and orders and len(tried) > 3 and not dice.below(3, "file"):
            writer = Writer(found, looks, ask, dict(watch.asked), orders, tried[-40:], dice.apart("file"))
            compare(writer, key, result, where)
        moves = {seat: found.rules.read(order) for seat, order in orders.items()}
        watch.watch(looks, ask, moves, dice, where)
        state = found.rules.resolve(state, moves, dice).state


@dataclass(slots=True)
class Writer:
    """Writes a file of orders for now and later: lines that stand, with conditions, and a stop.

    Attributes:
        found: The rules.
        looks: The position.
        ask: Whom the game waits for.
        asked: The highest count asked before, by owner of the label.
        orders: What those who are asked order.
        tried: Orders that somebody gave before.
        dice: What is written.
    """

    found: Subject
    looks: PositionViews
    ask: Ask
    asked: Mapping[str, int]
    orders: Mapping[Seat, Json]
    tried: list[Json]
    dice: Dice
    seat: Seat = field(init=False)

    def __post_init__(self) -> None:
        self.seat = self.dice.pick([*self.orders] if self.dice.below(3, "own") else self.found.seats, "seat")

    def file(self) -> dict[str, Json]:
        """Return the file."""
        owner, first = first_open_count(self.ask, self.asked, self.seat)
        soon = first + (self.ask.label == f"{owner}-{first}")
        lines = list[Json]()
        for number in range(self.dice.below(3, "lines") + 2):
            dice = self.dice.apart("line", str(number))
            label = f"{owner}-{soon + dice.below(3, 'count')}"
            how: dict[str, Json] = dice.pick([{"at": label}, {"until": label}, {"keep": True}, {}], "how")
            do = dice.pick(self.tried, "do")
            if not number and self.seat in self.orders:
                how = {"at": self.ask.label} if "at" in how else how
                do = self.orders[self.seat]
            elif not dice.below(3, "when"):
                how = {**how, "when": self.condition(dice)}
            lines.append({**how, "do": do})
        stop = self.stop() if self.dice.below(4, "stop") else {}
        return {"game": "g", "seat": self.seat, "orders": lines, **({"stop_if": stop} if stop else {})}

    def condition(self, dice: Dice) -> dict[str, Json]:
        """Return a condition that forms show, or one that holds now on any fact of the view."""
        view, rules = self.looks.view(self.seat), self.found.rules
        shown = [*rules.conditions(view)] if hasattr(rules, "conditions") else []
        if shown and dice.below(2, "shown"):
            return dict(dice.pick(shown, "condition"))
        return dict([dice.pick([*told(view).items()], "fact")])

    def stop(self) -> dict[str, Json]:
        """Return a stop: mostly one that the order for now makes true, or no longer true."""
        moves = {seat: self.found.rules.read(order) for seat, order in self.orders.items()}
        step = self.found.rules.resolve(self.looks.state, moves, self.dice)
        now, then = told(self.looks.view(self.seat)), told(self.found.rules.view(step.state, self.seat))
        changed = [path for path in now if path in then and now[path] != then[path]]
        if not changed or not self.dice.below(3, "any"):
            return self.condition(self.dice)
        path = self.dice.pick(changed, "path")
        return {path: self.dice.pick([now[path], then[path]], "when")}


def told(view: object) -> dict[str, Json]:
    """Return the single values of a view that a condition can want, by path."""
    return {path: value for path, value in facts_of(view) if value not in (None, "")}


def compare(writer: Writer, key: bytes, result: Result, where: str) -> None:
    """Judge a file, and compare what is said of it with what is played of it in two futures."""
    file = writer.file()
    while True:
        envelope = open_envelope(dump(file).encode())
        assert not isinstance(envelope, list), envelope
        lines = tuple(_line(number, one) for number, one in enumerate(_items(file), 1))
        stop: Any = file.get("stop_if", {})
        orders = Orders(lines, stop, fresh=True)
        judge = Judge(writer.found.rules, writer.looks.state, writer.asked, writer.seat)
        verdict = judge.verdict(Submission(envelope, orders, frozenset()))
        bad = [n for n, faults in verdict.by_line.items() if any(one.kind not in NEVER for one in faults)]
        if verdict.loose:
            file = {name: value for name, value in file.items() if name != "stop_if"}
        elif bad:
            file = {**file, "orders": [one for n, one in enumerate(_items(file), 1) if n not in bad]}
        else:
            break
    result.file_lines += len(lines)
    played = next((one.number for one in verdict.prospects if one.standing == "plays"), 0)
    here = AskContext(judge.rules, judge.view, writer.ask, writer.asked, writer.seat)
    ahead = Lookahead(here, orders.stop_if)
    ahead.chances(lines, lines[played - 1] if played else None)
    for number, skill in enumerate(SKILLS):
        future = Future(writer, verdict, ahead.stops, result, f"{where}, {writer.seat}, {file}")
        future.play(orders, key + bytes([number]), skill)


def is_vain(chance: Chance) -> bool:
    """Tell whether it was said that a line is not played at an ask."""
    return bool(chance.outlook.never or chance.instead or chance.is_stopped)


def _items(file: Mapping[str, Json]) -> list[Any]:
    lines: Any = file["orders"]
    return list(lines)


def _line(number: int, told: Any) -> Line:
    until = told.get("until")
    keep = bool(until) or told.get("keep") is True
    return Line(number, told.get("at"), told.get("when", {}), keep, told["do"], until=until)


class Future:
    """One way in which a game may go on, with what was said of the file of a seat."""

    def __init__(self, writer: Writer, verdict: Verdict, stops: Any, result: Result, where: str) -> None:
        self.rules, self.seats, self.seat = writer.found.rules, writer.found.seats, writer.seat
        self.position = Position(writer.looks.state, 0, writer.asked)
        self.now = writer.ask.label
        self.verdict = verdict
        self.stops = stops
        self.result = result
        self.where = where

    def play(self, orders: Orders, seed: bytes, skill: str) -> None:
        """Play on step by step: the lines answer, for where none does, a bot."""
        lodged = {self.seat: orders}
        bots = {seat: skill for seat in self.seats if seat != self.seat}
        for _ in range(FUTURE):
            ask = self.rules.ask(self.position.game)
            if isinstance(ask, Outcome) or not lodged[self.seat].lines:
                return
            if self.seat in ask.seats and ask.label != self.now:
                self.compare_stop(ask.label, lodged[self.seat])
            for due in (False, True):
                policy = Policy(due=due, silent={self.seat: skill}, bots=bots, most_steps=1)
                run = advance(self.rules, self.seats, self.position, lodged, seed, policy)
                if run.steps:
                    break
            else:
                return
            if self.seat in ask.seats:
                self.compare(ask.label, lodged[self.seat], run.steps[0].sources.get(self.seat, ""))
            self.position, lodged = run.position, dict(run.orders)

    def compare_stop(self, label: Label, orders: Orders) -> None:
        """Compare what was said of the stop at an ask."""
        said = self.stops.get(label)
        if said is not None:
            self.result.stops += 1
            view = self.rules.view(self.position.game, self.seat)
            if is_met(self.rules, orders.stop_if, view, self.seat) is not said:
                self.result.breach("stop-wrong", f"the stop was to be {said} at {label}", self.where)

    def compare(self, label: Label, orders: Orders, source: str) -> None:
        """Compare what was said of each line with what the run made of it at an ask."""
        view = self.rules.view(self.position.game, self.seat)
        may_stop = label != self.now and orders.stop_if
        is_over = may_stop and is_met(self.rules, orders.stop_if, view, self.seat)
        for line in orders.lines:
            is_played = source == f"order {line.number}"
            chance = self.said(line, label)
            if line.number in self.verdict.by_line or (chance is not None and is_vain(chance)):
                self.result.vain += 1
                if is_played:
                    self.result.wrongly_never += 1
                    self.result.breach(
                        "never-wrong", f"order {line.number} was played at {label}", self.where
                    )
            elif not chance or not chance.outlook.is_sure or is_over:
                continue
            elif is_met(self.rules, line.when, view, self.seat):
                self.result.certain += 1
                problems = self.rules.check(view, self.rules.read(line.do))
                if any(not one.bearable for one in problems):
                    self.result.wrongly_sure += 1
                    told = f"order {line.number} was to be legal at {label}: {problems[0].text}"
                    self.result.breach("sure-wrong", told, self.where)

    def said(self, line: Line, label: Label) -> Chance | None:
        """Return what was said of a line at an ask."""
        prospect = next(one for one in self.verdict.prospects if one.number == line.number)
        if label == self.now:
            return None
        return next((one for one in prospect.asks if one.label == label), None)
