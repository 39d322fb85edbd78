"""Every fact of a report, as JSON: what a reader may know of a turn, what is asked, and what would do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple, TypeVar

from pbem.core.book import (
    OrderFired,
    OrderLapsed,
    Orders,
    PlayingStopped,
    find_answering_line,
    label_after_next,
    label_ahead,
    next_label,
)
from pbem.core.events import ALL, Recorded, Seat
from pbem.core.foresight import horizon_of, plan_of
from pbem.core.interface import Ask, Choices, Draft, Json, Outcome
from pbem.core.notices import order_answer_text
from pbem.core.opening import GameDealt, Opening, StartView
from pbem.core.statements import is_met, other_condition_examples, shown, state_condition
from pbem.text.codec import encode, encode_event
from pbem.text.lookahead import AskContext, Lookahead, followed


class Frame(NamedTuple):
    """What a report needs besides the view and the events.

    Attributes:
        game: The id of the game.
        rules: The name of its rules.
        turn: The turn's number.
        seat: The reader; None is the spectator.
        players: Name of the player in each seat, in seating order.
        deadline: When orders are due, in words, or "" when there is no deadline.
        commitment: SHA-256 of the secret seed.
        key_asked: Orders must carry the seat's key.
        asked: The highest count asked so far, by owner of the label.
        orders: The reader's own pending orders.
        own_tables: Names of the data tables that are the moderator's own.
        new_key: The key of a standby who has just taken the seat; "" for all others.
        marker: The first line of the reader's form, with its code; "" for a form that is not sent by mail.
        history: Public numbers turn by turn, as `text.reports.report` keeps them.
        silence: What becomes of the seat if no line of its fits at the deadline; the end of a sentence.
        press: Whether seats may write to each other.
        by_mail: The report goes out as a mail, with the form's page, and a mail comes back.
        is_away: The reader had announced to be away, so that its silence in this turn is no missed turn.
        bots: Seats that bots play: the game asks them, and waits for none of them.
        over: Numbers of the reader's lines that the last report told as over.
        origins: Where the luck words of each seat came from, in the report that tells the deal; else empty.
        welcome: What an invitation says besides (`play.turn.turnfiles`); empty for all later reports.
    """

    game: str
    rules: str
    turn: int
    seat: Seat | None
    players: Mapping[Seat, str]
    deadline: str
    commitment: str
    key_asked: bool
    asked: Mapping[str, int]
    orders: Orders
    new_key: str = ""
    own_tables: tuple[str, ...] = ()
    marker: str = ""
    history: Mapping[str, Json] = {}
    silence: str = "the game waits for you"
    press: bool = True
    by_mail: bool = False
    welcome: Mapping[str, Json] = {}
    origins: Mapping[str, Json] = {}
    is_away: bool = False
    bots: frozenset[Seat] = frozenset()
    over: frozenset[int] = frozenset()


S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")

# Where the turn's root will stand; a private-use character, which no orders file may hold.
FOOT: Final = "\ue000" * 19

AHEAD_OF_ONE: Final = 2
"""Against one opponent lines are ready for so many own asks: with one the game stops at every third step."""


STANDS: Final = 2
"""The standing order of a form stays for so many own asks after the next one."""


def facts(
    rules: Opening[S, V, M],
    frame: Frame,
    view: V | StartView,
    ask: Ask | Outcome,
    events: tuple[Recorded, ...],
) -> dict[str, Json]:
    """Return everything a report says, as JSON: a function of frame, view and visible events.

    Args:
        rules: The rules of the game, for the choices, the drafts and the standing of pending orders.
        frame: What the report needs besides.
        view: The reader's view after the turn.
        ask: Whom the game waits for now, or how it ended.
        events: The events the reader may know.
    """
    asked = isinstance(ask, Ask) and frame.seat in ask.seats | ask.optional
    choices = rules.choices(view) if asked else Choices(())
    draft: dict[str, Json] = {}
    if frame.seat and isinstance(ask, Ask):
        found = rules.draft(view, choices)
        here = AskContext(rules, view, ask, frame.asked, frame.seat)
        draft = _draft(rules, followed(here, found, found.now), frame.seat)
    if frame.seat and isinstance(ask, Ask) and "keep" in draft:
        end = horizon_of(rules, view).last
        draft["until"] = label_ahead(ask, frame.asked, frame.seat, STANDS, end)
    fired = (entry.event for entry in events if isinstance(entry.event, OrderFired))
    answered = {f"{one.label} {order_answer_text(one.order)}" for one in fired}
    told: dict[str, Json] = {
        "game": frame.game,
        "rules": frame.rules,
        "turn": frame.turn,
        "seat": frame.seat,
        "players": [{"seat": seat, "name": name} for seat, name in frame.players.items()],
        "deadline": frame.deadline,
        "commitment": frame.commitment,
        "key_asked": frame.key_asked,
        "new_key": frame.new_key,
        "marker": frame.marker,
        "own_tables": list(frame.own_tables),
        "history": dict(frame.history),
        "by_mail": frame.by_mail,
        "welcome": dict(frame.welcome),
        "events": [
            _field_facts(rules, entry, frame, answered)
            for entry in events
            if not (isinstance(entry.event, OrderLapsed) and entry.event.order in frame.over)
        ],
        "view": encode(view),
        "ask": _ask(ask, frame),
        "orders": pending_lines(rules, view, ask, frame.asked, frame.seat, frame.orders),
        "stop_if": dict(frame.orders.stop_if),
        "stops": rules.wording.condition(frame.orders.stop_if),
        **({"wait": True} if frame.orders.wait else {}),
        "menus": encode(choices.menus),
        "draft": draft,
        "silence": frame.silence,
        "press": frame.press,
        "detail": frame.orders.detail,
        "foot": FOOT,
    }
    asks = AHEAD_OF_ONE if len(frame.players) == 2 else 1
    if draft and (plan := _plan(rules, view, draft.get("now"), asks, frame.seat)):
        told["plan"] = plan
    if frame.seat and isinstance(ask, Ask) and not isinstance(view, StartView):
        examples = shown(rules.rules, view, frame.seat)
        told |= {"conditions": examples, "more_conditions": other_condition_examples(rules.rules, examples)}
    told["names"] = names_in(rules.wording.names, told)
    return told


def _field_facts(
    rules: Opening[S, V, M], entry: Recorded, frame: Frame, answered: Collection[str]
) -> dict[str, Json]:
    """Return an event without its audience: a reader learns what happened, and only whether all know it.

    Args:
        rules: The rules of the game.
        entry: The event.
        frame: What the report needs besides.
        answered: Which of the reader's lines answered asks, in the words in which others lapse.
    """
    event = encode_event(entry.event)
    is_public = event.pop("to") == ALL
    if isinstance(entry.event, GameDealt) and frame.origins:
        event["origins"] = dict(frame.origins)
    if frame.is_away and event["event"] == "SeatSilent":
        event["away"] = True
    if isinstance(entry.event, OrderLapsed) and entry.event.why in answered:
        event["needless"] = True
    if isinstance(entry.event, PlayingStopped):
        event["if"] = rules.wording.condition(entry.event.condition)
    return {"at": entry.at, "public": is_public, **event}


def _ask(ask: Ask | Outcome, frame: Frame) -> dict[str, Json]:
    if isinstance(ask, Outcome):
        return {"kind": "over", "label": "", "seats": [], "mine": False, "next": "", "after": ""}
    seat = frame.seat
    asked = [one for one in frame.players if one in ask.seats]
    return {
        "kind": ask.kind,
        "label": ask.label,
        "seats": [one for one in asked if one not in frame.bots] or list[Json](asked),
        "mine": seat in ask.seats | ask.optional,
        "next": next_label(ask, frame.asked, seat) if seat is not None else "",
        "after": label_after_next(ask, frame.asked, seat) if seat is not None else "",
    }


def names_in(names: Mapping[str, str], told: Json) -> dict[str, Json]:
    """Return the names of all ids that stand in what is told, and of no others: nothing is told by them."""
    return dict(sorted((one, names[one]) for one in texts_in(told) if one in names))


def texts_in(told: Json) -> set[str]:
    """Return every text in a value, keys too."""
    found: set[str] = set()
    waiting = [told]
    while waiting:
        one = waiting.pop()
        if type(one) is str:
            found.add(one)
        elif type(one) is dict:
            found.update(one)
            waiting += one.values()
        elif type(one) is list:
            waiting += one
    return found


def _draft(rules: Opening[S, V, M], found: Draft, seat: Seat | None) -> dict[str, Json]:
    """Return lines that fit the position, with their conditions in words; only what there is."""
    told: dict[str, Json] = {"now": found.now} if found.now is not None else {}
    if found.then is not None:
        plan: dict[str, Json] = {"do": found.then}
        if found.when:
            plan |= _condition_facts(rules, found.when, seat)
        told["plan"] = plan
    if found.keep is not None:
        told["keep"] = found.keep
    if found.stop_if:
        told["stop"] = _condition_facts(rules, found.stop_if, seat)
    return told


def _condition_facts(
    rules: Opening[S, V, M], condition: Mapping[str, Json], seat: Seat | None
) -> dict[str, Json]:
    """Return a condition of rules as its owner would write it, and in words."""
    told = state_condition(rules, condition, seat)
    return {"when": told, "if": rules.wording.condition(told)}


def _plan(
    rules: Opening[S, V, M], view: V | StartView, now: Json, asks: int, seat: Seat | None
) -> dict[str, Json]:
    """Return the lines that are ready for the next asks of a seat, after the order that its form shows.

    Returns:
        `lines`, each with `do` and `note`, and where it has them `at`, `when` and `keep`; `open`, what they
        leave open, in words; nothing where no line is ready.
    """
    found = plan_of(rules, view, None if now is None else rules.read(now), asks)
    lines: list[Json] = []
    for one in found.lines:
        line: dict[str, Json] = {"at": one.at} if one.at is not None else {}
        line |= {"when": state_condition(rules, one.when, seat)} if one.when else {}
        line |= {"keep": True} if one.keep else {}
        lines.append({**line, "do": one.do, "note": one.note})
    return {"lines": lines, "open": found.open} if lines else {}


def pending_lines(
    rules: Opening[S, V, M],
    view: V | StartView,
    ask: Ask | Outcome,
    asked: Mapping[str, int],
    seat: Seat | None,
    orders: Orders,
) -> list[Json]:
    """Return a reader's pending lines, and what is wrong with those that fit this view or never will.

    Args:
        rules: The rules of the game.
        view: What the reader may know.
        ask: Whom the game waits for, or how it ended; then none are left.
        asked: The highest count asked so far, by owner of the label.
        seat: The reader; None is the spectator, who has none.
        orders: The lines.
    """
    if seat is None or isinstance(ask, Outcome):
        return []
    out: list[Json] = []
    lines = orders.lines
    is_asked = seat in ask.seats | ask.optional
    answer = None
    if is_asked and lines:
        answer = find_answering_line(rules, view, seat, ask.label, orders, may_stop=not orders.fresh).line
    chances = Lookahead(AskContext(rules, view, ask, asked, seat)).chances(lines, answer, far=0)
    for line in lines:
        fits = is_met(rules, line.when, view, seat)
        problems = rules.check(view, rules.read(line.do)) if fits else ()
        if any(problem.elsewhere for problem in problems):
            problems = ()  # it waits for another kind of ask
        never = chances[line.number][0].outlook.never if chances[line.number] else ()
        told: dict[str, Json] = {
            "order": line.number,
            "at": line.at or "",
            "when": dict(line.when),
            "keep": line.keep,
            "if_silent": line.if_silent,
            **({} if line.until is None else {"until": line.until}),
            "do": line.do,
            "words": rules.wording.order(line.do),
            "if": rules.wording.condition(line.when),
            "now": "" if never else "; ".join(problem.text for problem in problems if not problem.bearable),
        }
        if line is answer:
            told["answers"] = ask.label
        elif is_asked and line.at in (None, ask.label) and not fits:
            told["unfit"] = ask.label
        out.append({**told, "never": "; ".join(problem.text for problem in never)} if never else told)
    return out
