"""What a submission would do now: its mistakes, the forecast of each line, and both in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, Generic, Literal, TypeVar

from pbem.core.book import BEFORE_DEAL, Line, Orders, is_for_another_ask
from pbem.core.conditions import (
    OPERATORS,
    explain_absence,
    explain_mismatch,
    find_duplicate_path,
    is_blank_value,
    paths_of,
    unknown_path,
    unknown_test,
)
from pbem.core.events import ALL, Seat
from pbem.core.foresight import CONDITION, UNSEEN, horizon_of, why_never_holds
from pbem.core.interface import Ask, Json, Label, Outcome, Playable, Problem
from pbem.core.predicates import parts_of
from pbem.core.remedies import Advice
from pbem.core.statements import Entry, Flaw, Reader, is_met, term_origins
from pbem.core.wording import did_you_mean, sentence_list, wording_of
from pbem.text.faults import Fault, FaultKind, describe_past_last_turn, label_fault
from pbem.text.lookahead import AskContext, Chance, Lookahead, problems_with_names
from pbem.text.orders import Submission


@dataclass(frozen=True, slots=True)
class Prospect:
    """What one line is going to be.

    Attributes:
        number: The line's place in the submission, from 1.
        standing: "plays" now, "if silent" (it could be played at the deadline), "else" (an earlier line plays
            instead), "not now" (its condition does not hold), "later" (it waits for its ask) or "refused" (it
            has a mistake).
        lines: The forecast, or the reason; one sentence each.
        meant: The line in words, as it was understood: when, if what, and what then.
        asks: What becomes of it at its asks after the present one, as far as that is known.
        stop: "first" if the own stop ends it before it is tried, for certain; "now" if that stop holds as
            things stand; else "".
        waste: What a line that is played now spends or does for nothing, a clause each.
    """

    number: int
    standing: str
    lines: tuple[str, ...]
    meant: str = ""
    asks: tuple[Chance, ...] = ()
    stop: Literal["", "first", "now"] = ""
    waste: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a submission, or, if nothing is, what each of its lines will try.

    Attributes:
        loose: Mistakes outside the lines.
        by_line: Mistakes of lines, by the line's number.
        prospects: What each line is going to be, in the order written.
        unanswered: The present ask, if its seat is asked and no line answers it as things stand; else "".
        notes: What may be a slip: paths of `stop_if` that are not in the view now.
        waits: The lines count at the deadline and not before.
        besides: What else was understood, a sentence each: what stops the lines, and each message.
        cautions: What the sender may not have meant, though nothing is wrong, a clause each: no line answers
            the present ask, an order does something for nothing, or the own stop ends a line.
    """

    loose: tuple[Fault, ...]
    by_line: Mapping[int, tuple[Fault, ...]]
    prospects: tuple[Prospect, ...]
    unanswered: str = ""
    notes: tuple[str, ...] = ()
    waits: bool = False
    besides: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()

    @property
    def faults(self) -> list[Fault]:
        """All mistakes, in the order of the file."""
        return sorted([*self.loose, *(fault for found in self.by_line.values() for fault in found)])


STOP_FIRST: Final = "never tried: your stop holds before it"
"""What is said of a line that `stop_if` ends before it is tried, for certain."""

_STANDINGS: Final = {"plays": "will be played", "if silent": "if you send nothing else by the deadline"}


def verdict_lines(verdict: Verdict, at_deadline: str = "") -> list[str]:
    """Return what a submission will try, in lines: for each line of orders one, and what belongs to it.

    Args:
        verdict: What was judged.
        at_deadline: What is done besides waiting, if no line answers; the end of a sentence.
    """
    out = []
    if verdict.unanswered:
        waits = f"the game will wait for you{at_deadline}"
        out.append(f"No line answers {verdict.unanswered} as things stand; {waits}.")
    out.extend(f"stop_if: {note}" for note in verdict.notes)
    for prospect in verdict.prospects:
        if prospect.standing == "refused":
            continue
        standing = _STANDINGS.get(prospect.standing, prospect.standing)
        out.append(numbered_order_text(prospect.number, prospect.meant))
        if prospect.standing in _STANDINGS:
            out.append(f"  {standing}: {' '.join(prospect.lines[:1])}")
            out.extend(f"    {line}" for line in prospect.lines[1:])
        else:
            out.append(f"  {standing}: {'; '.join(prospect.lines)}")
    if any(prospect.standing in ("later", "not now") for prospect in verdict.prospects):
        out.append("Where none of these lines can be played, the game waits for new orders of yours.")
    if verdict.waits:
        out.append("These orders count at the deadline; the game is not run early for you.")
    out.extend(verdict.besides)
    return out


def numbered_order_text(number: int, meant: str) -> str:
    """Return a line of orders in words, with its number: "order 1: at red-8: draw a card."."""
    return f"order {number}: {meant}."


def chance_in_words(chance: Chance, line: Line) -> str:
    """Say what becomes of a line at one of its asks."""
    found, has_condition = chance.outlook, bool(line.when or line.if_silent or chance.is_behind)
    if chance.is_stopped:
        return STOP_FIRST
    if chance.instead is not None:
        return f"order {chance.instead.number} is played instead"
    if found.never:
        return f"it cannot be played: {found.never[0].text}"
    if found.unknown == UNSEEN:
        return UNSEEN
    if found.unknown:
        return f"cannot be judged yet: {found.unknown}"
    conditions = (*["its condition holds then"] * has_condition, *found.provided)
    told = f"will be played if {sentence_list(conditions)}" if conditions else "will be played"
    return ". ".join((told, *found.besides))


def shadow_advice(shadow: Line, line: Line) -> str:
    """Say what would let a line be played that another one, above it, is always played instead of."""
    if shadow.keep and shadow.at is None:
        return f"Put it above order {shadow.number}: a standing order stands last."
    if len(line.when) > len(shadow.when):
        return f"Put it above order {shadow.number}, which asks for less."
    if shadow.when:
        return f"Leave it out, or change its `when`: order {shadow.number} has the same."
    return f"Leave it out, or give order {shadow.number} a `when`."


def _numbered_orders(prospects: Iterable[Prospect]) -> str:
    """Return lines by their numbers: "orders 2 and 3"; "" for none."""
    numbers = [str(one.number) for one in prospects]
    return f"order{'s' * (len(numbers) > 1)} {sentence_list(numbers)}" if numbers else ""


FLAWS: Final[Mapping[str, FaultKind]] = {
    "unknown": "condition-unknown",
    "value": "condition-value",
    "empty": "condition-empty",
    "twice": "condition-twice",
    "never": "condition-never",
    "always": "condition-always",
}
"""What is wrong with a condition, as kinds of faults."""

S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")
ONE_OF_THEM: Final = "Capitals do not count: leave one of them out."


class Judge(Generic[S, V, M]):
    """Judges one seat's submission on that seat's own view of the present position."""

    def __init__(
        self,
        rules: Playable[S, V, M],
        state: S,
        asked: Mapping[str, int],
        seat: Seat,
        outcome: Outcome | None = None,
        players: Mapping[Seat, str] | None = None,
    ) -> None:
        self.rules = rules
        self.wording = wording_of(rules)
        self.ask = outcome or rules.ask(state)
        self.view = rules.view(state, seat)
        self.horizon = horizon_of(rules, self.view)
        self.asked = asked
        self.seat = seat
        self.players = players or {}

    def verdict(self, submission: Submission) -> Verdict:
        """Return every mistake that the seat can know of, and what each line is going to be."""
        if isinstance(self.ask, Outcome):
            text, hint = "this game is over", "Nothing more can be ordered."
            return Verdict((submission.fault(("game",), text, hint, kind="game-over"),), {}, ())
        orders = submission.orders
        loose = self._condition_faults(submission, ("stop_if",), orders.stop_if)
        faults: dict[int, list[Fault]] = {}
        prospects = {line.number: Prospect(line.number, "refused", ()) for line in orders.lines}
        played: Line | None = None
        for line in orders.lines:
            found = self._line_faults(submission, line)
            if not found and self._is_for_now(line) and played is None:
                found, prospects[line.number] = self._judge_now(submission, line)
                played = line if prospects[line.number].standing == "plays" else None
            faults[line.number] = found
        here = AskContext(self.rules, self.view, self.ask, self.asked, self.seat)
        ahead = Lookahead(here, {} if loose else orders.stop_if)
        chances = ahead.chances([line for line in orders.lines if not faults[line.number]], played)
        may_stay = next(iter(ahead.stops.values()), True) is not False  # where it is looked at first
        is_over = bool(ahead.stop) and may_stay and is_met(self.rules, orders.stop_if, self.view, self.seat)
        for line in orders.lines:
            if not faults[line.number]:
                prospect, asks = prospects[line.number], chances[line.number]
                faults[line.number], prospect = self._judge_later(submission, line, prospect, asks, played)
                if is_over and prospect.standing in ("later", "not now") and not prospect.stop:
                    prospect = replace(prospect, stop="now")
                prospects[line.number] = replace(prospect, meant=self.meant(line, asks), asks=tuple(asks))
        unanswered = self.ask.label if self.seat in self.ask.seats and played is None else ""
        notes = () if self.ask.label in BEFORE_DEAL else self._absence_texts(orders.stop_if)
        by_line = {number: tuple(found) for number, found in faults.items() if found}
        every, since = tuple(prospects.values()), next(iter(ahead.stops), Label(""))
        now = "" if played is None else f", before order {played.number} is played"
        part = self._part_met(orders.stop_if)
        holds = f" It holds now{now}{part}." if any(one.stop == "now" for one in every) else ""
        besides = self._other_effects(orders, since, holds)
        cautions = tuple(self._cautions(unanswered, every, played))
        return Verdict(tuple(loose), by_line, every, unanswered, notes, orders.wait, tuple(besides), cautions)

    def around(self, submission: Submission) -> list[Fault]:
        """Return what is wrong around the orders of lines: with their conditions and labels."""
        if isinstance(self.ask, Outcome):
            return []
        return [one for line in submission.orders.lines for one in self._line_faults(submission, line)]

    def _cautions(self, unanswered: str, prospects: Sequence[Prospect], played: Line | None) -> Iterator[str]:
        """Yield what the sender may not have meant, though nothing is wrong."""
        if unanswered:
            yield f"no line answers {unanswered} as things stand"
        yield from (f"in order {one.number}: {waste}" for one in prospects for waste in one.waste)
        if ended := _numbered_orders(one for one in prospects if one.stop == "first"):
            yield f"your stop holds first and ends {ended}"
        if played is None and (ended := _numbered_orders(one for one in prospects if one.stop == "now")):
            yield f"your stop holds now; if it still does when the game waits for you next, it ends {ended}"

    def meant(self, line: Line, chances: Sequence[Chance]) -> str:
        """Return a line with these chances in words: "at red-8, if the crown is on E5: draw a card; once"."""
        parts = [f"at {line.at}" if line.at is not None else "whenever the game waits for you"]
        past = describe_past_last_turn(line.until, self.horizon) if line.until is not None else ""
        if line.until is not None and not past:
            parts = [f"whenever the game waits for you, up to and with {line.until}"]
        conditions = [self.wording.condition(line.when)] * bool(line.when)
        conditions += ["no line above can be played"] * any(one.is_behind for one in chances)
        if conditions:
            parts.append(f"if {', and '.join(conditions)}")
        if line.if_silent:
            parts.append("if the deadline passes and nothing else of yours fits")
        stays = "; once" if line.at is None and line.until is None else ""
        if past:
            stays = f"; it stays to the end of the game, for {past}"
        elif line.keep and line.until is None:
            stays = "; it stays until you send other orders, if need be to the end of the game"
        return f"{', '.join(parts)}: {self.wording.order(line.do)}{stays}"

    def _part_met(self, condition: Mapping[str, Json]) -> str:
        """Return which parts of an `any` hold now, as ": the crown is on E5"; "" if all do or it is none."""
        parts = (parts_of(condition.get("any")) or ()) if len(condition) == 1 else ()
        met = [one for one in parts if is_met(self.rules, one, self.view, self.seat)]
        return f": {self.wording.condition({'any': [*met]})}" if met and len(met) < len(parts) else ""

    def _other_effects(self, orders: Orders, since: Label, holds: str) -> Iterator[str]:
        """Return what stops the lines, at which ask first and whether it holds now, and each message."""
        if orders.stop_if and orders.lines:
            condition, first = self.wording.condition(orders.stop_if), f", from {since} on" if since else ""
            yield f"Stop{first}: if {condition}, all these lines are over and the game waits for you.{holds}"
        for press in orders.press:
            named = (
                ["all"] if press.to == ALL else [self._seat_with_player(seat) for seat in sorted(press.to)]
            )
            unsigned = ", without your name" if press.anonymous else ""
            yield f"Message to {sentence_list(named)}{unsigned}:"
            yield from (f"  | {line}" for line in press.say.strip().splitlines())
        if orders.detail:
            yield f"Your reports are {orders.detail} from the next one on."

    def _seat_with_player(self, seat: Seat) -> str:
        """Return a seat in words, with its player: "Red (Ann Boleyn)"."""
        name = self.wording.name(seat)
        return f"{name} ({self.players[seat]})" if seat in self.players else name

    def _is_for_now(self, line: Line) -> bool:
        if not isinstance(self.ask, Ask) or self.seat not in self.ask.seats | self.ask.optional:
            return False
        return line.at is None or line.at == self.ask.label

    def _judge_now(self, submission: Submission, line: Line) -> tuple[list[Fault], Prospect]:
        if not is_met(self.rules, line.when, self.view, self.seat):
            return [], Prospect(
                line.number, "not now", ("its condition does not hold", *self._absence_texts(line.when))
            )
        move = self.rules.read(line.do)
        problems = self.rules.check(self.view, move)
        if not problems:
            forecast = self.rules.forecast(self.view, move)
            if line.if_silent:
                return [], Prospect(line.number, "if silent", forecast.lines)
            return [], Prospect(line.number, "plays", forecast.lines, waste=forecast.waste)
        if is_for_another_ask(line, problems):
            return [], Prospect(line.number, "later", ("it answers another kind of ask, and waits for one",))
        if line.keep and not any(problem.bearable for problem in problems):
            why = tuple(problem.text for problem in problems)
            return [], Prospect(line.number, "not now", why)
        return self._faults(submission, line, problems), Prospect(line.number, "refused", ())

    def _lasting_faults(self, submission: Submission, line: Line) -> list[Fault]:
        """Return what is wrong with a line that is not played now, and always will be."""
        problems = self.rules.check(self.view, self.rules.read(line.do))
        return self._faults(submission, line, tuple(problem for problem in problems if problem.lasting))

    def _faults(
        self,
        submission: Submission,
        line: Line,
        problems: tuple[Problem, ...],
        kind: FaultKind = "rule",
    ) -> list[Fault]:
        place = ("orders", line.number - 1, "do")
        return [
            submission.fault((*place, *one.path), one.text, one.hint, one.remedies, kind=kind)
            for one in problems
        ]

    def _never_faults(self, submission: Submission, line: Line, never: tuple[Problem, ...]) -> list[Fault]:
        """Return why a line can never be played, each with its place in its order or its condition."""
        of_order = tuple(problem for problem in never if problem.path[:1] != CONDITION)
        faults = self._faults(submission, line, of_order, "never-playable")
        written = term_origins(line.when, self.wording.predicates, self.seat)
        for problem in problems_with_names(never, line.when, self.wording.names, written):
            if problem.path[:1] == CONDITION:
                place = ("orders", line.number - 1, *problem.path)
                text, hint, remedies = problem.text, problem.hint, problem.remedies
                kind: FaultKind = "condition-never"
                faults.append(submission.fault(place, text, hint, remedies, kind=kind, at_key=True))
        return faults

    def _judge_later(
        self, submission: Submission, line: Line, now: Prospect, chances: list[Chance], played: Line | None
    ) -> tuple[list[Fault], Prospect]:
        """Judge a line for the asks after the present one, as far as its owner's knowledge reaches."""
        assert isinstance(self.ask, Ask)
        refused = Prospect(line.number, "refused", ())
        asks = self._asks_that_count(line, chances)
        is_never_tried = bool(chances) and all(one.is_stopped for one in asks or chances[:1])
        if now.standing != "refused":
            then = self._said_of(line, chances, asks) if chances else UNSEEN
            if is_never_tried and now.standing in ("later", "not now"):
                now = replace(now, lines=(STOP_FIRST,), stop="first")
            elif line.keep and then != UNSEEN:
                then = STOP_FIRST if is_never_tried else then
                now = replace(now, lines=(*now.lines, f"afterwards, {then}"))
            faults = [] if now.standing == "plays" else self._lasting_faults(submission, line)
            return faults, refused if faults else now
        over = played if line.at == self.ask.label and played and not played.when else None
        shadow = chances[0].instead if chances else over
        if shadow is not None and shadow.number < line.number:
            text = f"order {shadow.number} is played wherever this line could be, so this one never is"
            hint = shadow_advice(shadow, line)
            return [submission.fault(("orders", line.number - 1), text, hint, kind="shadowed")], refused
        never = self._never_faults(submission, line, chances[0].outlook.never if chances else ())
        if faults := never or self._lasting_faults(submission, line):
            return faults, refused
        if not chances:
            return [], Prospect(line.number, "else", ("not needed, as a line above it is played",))
        said = STOP_FIRST if is_never_tried else self._said_of(line, chances, asks)
        stop: Literal["", "first"] = "first" if is_never_tried else ""
        return [], Prospect(line.number, "later", (said, *self._absence_texts(line.when)), stop=stop)

    def _asks_that_count(self, line: Line, chances: list[Chance]) -> list[Chance]:
        """Return the own asks of a line that are told of, besides what is so at each."""
        own = chances[1:]
        if not line.keep:  # it is used, or lapses, at the first ask at which it is tried
            own = [] if line.when else [one for one in own if not one.instead][:1]
        if self.horizon.follow_ups and all(one.outlook.never for one in own):
            own = []  # it answers what is asked in between
        return own

    def _said_of(self, line: Line, chances: list[Chance], asks: list[Chance]) -> str:
        """Say what becomes of one of these lines at its asks, those together at which it is the same."""
        words = [chance_in_words(one, line) for one in (chances[0], *asks)]
        if not line.keep or {*words[1:]} <= {words[0]}:
            return words[-1]
        told = []
        for text, span in groupby(zip(asks, words[1:], strict=True), lambda one: one[1]):
            labels = [str(one.label) for one, _ in span]
            told.append(f"at {' to '.join(dict.fromkeys((labels[0], labels[-1])))}: {text}")
        return "; ".join(told)

    def _absence_texts(self, condition: Mapping[str, Json]) -> tuple[str, ...]:
        known = self.wording.predicates
        return tuple(
            told
            for path in paths_of(condition)
            if path not in known and (told := explain_absence(self.view, path))
        )

    def _line_faults(self, submission: Submission, line: Line) -> list[Fault]:
        place = ("orders", line.number - 1)
        faults = self._condition_faults(submission, (*place, "when"), line.when)
        assert isinstance(self.ask, Ask)
        at = line.at
        if at is not None and (
            wrong := label_fault(at, self.ask, self.asked, self.seat, self.players, self.horizon)
        ):
            faults.append(submission.fault((*place, "at"), wrong.text, *wrong.advice, kind=wrong.kind))
        until = line.until
        if until is not None and at is not None:
            hint = "Leave one of them out: `until` is for lines without `at`."
            text = "a line for one ask cannot stay up to another"
            faults.append(submission.fault((*place, "until"), text, hint, kind="until-beside-at"))
        elif (
            until is not None
            and not describe_past_last_turn(until, self.horizon)
            and (wrong := label_fault(until, self.ask, self.asked, self.seat, self.players, self.horizon))
        ):
            faults.append(submission.fault((*place, "until"), wrong.text, *wrong.advice, kind="until"))
        return faults

    def _condition_faults(
        self, submission: Submission, place: tuple[str | int, ...], condition: Mapping[str, Json]
    ) -> list[Fault]:
        if isinstance(self.ask, Ask) and self.ask.label in BEFORE_DEAL:
            return []  # conditions are on views of the rules, and there are none before the deal
        reader = Reader(self.wording, self.view, self.horizon, self.seat, self.players)
        found = (one if isinstance(one, Flaw) else self._flaw(one, reader) for one in reader.read(condition))
        return [
            submission.fault(
                (*place, *one.place), one.text, *one.advice, kind=FLAWS[one.kind], at_key=one.at_key
            )
            for one in found
            if one is not None
        ]

    def _flaw(self, entry: Entry, reader: Reader) -> Flaw | None:
        """Return what is wrong with a path and what is wanted there."""
        place, path, wanted, advice = entry.place, entry.path, entry.wanted, Advice()
        if is_blank_value(self.view, path, wanted):
            return Flaw(place, "empty", f"this condition is not filled in: {self.wording.thing(path)}")
        if unknown := unknown_path(self.view, path):
            if self.wording.predicates:
                unknown, advice = f"there is no {path} in your view", reader.suggest_conditions(path)
            return Flaw(place, "unknown", unknown, advice, at_key=True)
        if other := find_duplicate_path(entry.beside, path):
            text = f"the condition on {other} stands here already"
            return Flaw(place, "twice", text, Advice(ONE_OF_THEM), at_key=True)
        if (wrong := unknown_test(wanted)) is not None:
            word = wrong[-1] if wrong else "{}"
            if word in OPERATORS:
                return Flaw((*place, *wrong), "value", f"{word} needs a number")
            text = f"{word!r} is no test; there are {', '.join(OPERATORS)}"
            return Flaw(
                (*place, *wrong), "value", text, did_you_mean(word, OPERATORS, cutoff=0.5), bool(wrong)
            )
        if unfit := explain_mismatch(self.view, path, wanted):
            return Flaw(place, "value", unfit)
        if told := why_never_holds(self.view, path, wanted, self.horizon, self.wording):
            return Flaw(place, "never", *told)
        return None
