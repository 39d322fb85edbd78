"""The files of one turn with its reports, from what a run came to: hashed, chained, ready to be committed."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Container, Mapping
from typing import Any, NamedTuple

from pbem.core.book import BEFORE_DEAL, Orders, next_label
from pbem.core.events import Recorded, Seat, visible
from pbem.core.interface import Ask, Json, Label, Outcome
from pbem.core.opening import Begun, DealtGame
from pbem.core.statements import is_met
from pbem.core.turn import Policy, Position, Run, TakenStep, bot_seats
from pbem.play.config.schedule import Span, span_in_words
from pbem.play.config.templates import translate_template_errors
from pbem.play.homes import saves
from pbem.play.homes.players import NAMES, NumberedPlayers, Players
from pbem.play.homes.saved import GamePosition, SavedGame
from pbem.play.homes.saves import SPECTATOR, insert_foot, root_of, sha256
from pbem.play.submissions.gate import SILENCE, silence_clause
from pbem.play.submissions.reinstated import WaitingPress, taken_press_numbers
from pbem.play.submissions.seatkeys import holder_secret
from pbem.play.turn.luck import deal_of, origin_words, shares_after
from pbem.text.codec import decode, dumps, dumps_line, encode, encode_event, pending_json
from pbem.text.envelope import marker_line, marker_matcher
from pbem.text.reports.facts import Frame, facts
from pbem.text.reports.report import Report, extend_history

_AT_ONCE = Span(0)


def welcome_facts(saved: SavedGame, seat: Seat | None = None) -> dict[str, Json]:
    """Return what an invitation says besides what every report says.

    Args:
        saved: The game.
        seat: Who is invited; None for somebody who has no seat yet.

    Returns:
        host: Who hosts the game; "" if nobody is named.
        silent: What answers for the seat at a deadline: wait, hold, random or greedy.
        per_week: How many deadlines a week the schedule has; 0 without one.
        early: When a turn that all have answered may run: "always", "never", or so long after the last.
        options: The options of the game in force.
        asks_more: The start form asks for something besides luck words.
    """
    schedule, table = saved.table.schedule, saved.table
    early = schedule.early
    words = "never" if early is None else "always" if early == _AT_ONCE else span_in_words(early)
    return {
        "host": str(saved.home.settings().get("moderator", "")),
        "silent": table.silent[seat] if seat is not None else "",
        "per_week": len(schedule.days),
        "early": words,
        "options": dict(saved.start.options),
        "asks_more": bool(saved.system.questions),
    }


def describe_game(saved: SavedGame) -> str:
    """Return in one sentence what a game is, for how many, and who hosts it.

    Raises:
        WrongInput: A template fails.
    """
    with translate_template_errors():
        invite: Any = saved.environment.get_template("common/welcome.txt.j2").module
        words: Any = saved.environment.get_template(f"{saved.start.rules}/words.txt.j2").module
        text = invite.what(saved.name, words.title(), len(saved.start.seats), welcome_facts(saved))
    return " ".join(str(text).split())


def introduction(saved: SavedGame) -> str:
    """Return in one paragraph what a game is, for how many, who hosts it and how long it lasts.

    Raises:
        WrongInput: A template fails.
    """
    holders = ((seat, saved.players.holder(seat)) for seat in saved.start.seats)
    players: list[Json] = [{"seat": str(seat), "name": name} for seat, name in holders]
    facts = {
        "game": saved.name,
        "rules": saved.start.rules,
        "players": players,
        "welcome": welcome_facts(saved),
    }
    with translate_template_errors():
        text = saved.environment.get_template("common/introduction.txt.j2").render(facts)
    return " ".join(text.split())


def reports_of(
    saved: SavedGame,
    turn: int,
    position: GamePosition,
    orders: Mapping[Seat, Orders],
    events: tuple[Recorded, ...],
    deadline: datetime.datetime | None,
    origins: Mapping[str, Json],
    called: NumberedPlayers,
    policy: Policy,
    sent: Container[Seat] = frozenset(),
) -> dict[str, Report]:
    """Return the reports of a turn that is about to be committed: every seat's, and the spectator's.

    Args:
        saved: The game, before the turn.
        turn: The turn's number.
        position: The game after it.
        orders: What it left over.
        events: What happened.
        deadline: When the orders that it asks for will be due, or None.
        origins: Where the luck words came from, if it took any.
        called: What players are called whom position and events name by numbers.
        policy: Which seats bots play, and whose players were away with notice, as its record has it.
        sent: Seats of which it took new orders.

    Raises:
        WrongInput: A template fails.
    """
    made: dict[str, Report] = {}
    events = called.events(events)
    players = Players(saved, position, called, saved.secret)
    ask, history = saved.ask_at(position), history_of(saved, turn, position)
    own_templates = bool(saved.home.templates.below())  # what fails there stops the run, not a mail
    bots = frozenset([*policy.bots, *bot_seats(position.attendance, policy.misses)])
    is_mailed = bool(saved.home.mail_section())
    for seat in (*saved.start.seats, None):
        own = orders.get(seat, Orders()) if seat is not None else Orders()
        frame = _report_frame(saved, turn, position, players, seat, own, deadline, history)
        frame = frame._replace(
            by_mail=is_mailed and frame.by_mail, origins=origins, is_away=seat in policy.excused, bots=bots
        )
        if seat is not None and turn and seat not in sent:
            frame = frame._replace(over=_lapsed_lines(saved, seat))
        view = saved.view(position.game, seat)
        told = facts(saved.opening, frame, view, ask, visible(events, seat))
        report = made[seat or SPECTATOR] = Report(saved.environment, told)
        with translate_template_errors():
            report.kept()
            if own_templates:
                report.files()
    return made


def _report_frame(
    saved: SavedGame,
    turn: int,
    position: GamePosition,
    players: Players,
    seat: Seat | None,
    orders: Orders,
    deadline: datetime.datetime | None,
    history: Mapping[str, Json],
) -> Frame:
    """Return what a reader's report needs besides view and events."""
    table = saved.table
    return Frame(
        game=saved.name,
        rules=saved.start.rules,
        turn=turn,
        seat=seat,
        players={one: players.holder(one) for one in table.players},
        deadline=table.spelled(deadline, seat) if deadline else "",
        commitment=saved.start.commitment,
        key_asked=table.key,
        new_key=_new_key(saved, players, seat) if turn else "",
        own_tables=saved.start.own_tables,
        marker=_marker(saved, position, seat),
        asked=position.asked,
        orders=orders._replace(press=()),
        history=history,
        silence=silence_clause(saved, position, seat) if seat is not None else SILENCE["wait"],
        press=table.press.deliver != "off",
        by_mail=seat is not None and _has_address(saved, players, seat),
        welcome=welcome_facts(saved, seat) if seat is not None and not turn else {},
    )


def _lapsed_lines(saved: SavedGame, seat: Seat) -> frozenset[int]:
    """Return which lines the last report told as over: those for its own ask that did not fit it."""
    ask = saved.ask
    if not isinstance(ask, Ask) or seat not in ask.seats | ask.optional:
        return frozenset()
    left = saved.pending.get(seat, Orders()).lines
    lines = [line for line in left if line.at == ask.label and line.when]
    view = saved.view(saved.position.game, seat) if lines else None
    return frozenset(line.number for line in lines if not is_met(saved.opening, line.when, view, seat))


def _has_address(saved: SavedGame, players: Players, seat: Seat) -> bool:
    """Tell whether a seat's reports can go out by mail: who takes a free seat does so by mail."""
    return bool(players.address(seat)) or seat in saved.table.free


def history_of(saved: SavedGame, turn: int, position: GamePosition) -> dict[str, Json]:
    """Return what is public turn by turn: the spectator's last report holds it, and this turn is added.

    It begins with the first turn after the deal that was run by a version that keeps it.
    """
    assert saved.system.system is not None, "find returns no broken rules"
    plots = saved.system.system.plots
    if not plots or not turn:
        return {}
    last = saved.turns.at(turn - 1) / "reports" / SPECTATOR / "report.json"
    before = saves.read_json(last).get("history") if last.exists() else None
    if not isinstance(position.game, DealtGame):
        return extend_history(before, turn, {})
    seen = saved.view(position.game, None)
    return extend_history(before, turn, {title: dict(count(seen)) for title, count in plots.items()})


def _new_key(saved: SavedGame, players: Players, seat: Seat | None) -> str:
    """Return the key of a standby who takes a seat over in this turn, or ""."""
    if seat is None or not saved.table.key:
        return ""
    return players.key(seat) if seat in players.standby_seats_since(saved.position.attendance) else ""


def is_form_of(saved: SavedGame, seat: Seat) -> Callable[[str], bool]:
    """Return what tells the first line of a seat's form for what it is asked next from any other line."""
    labels = _next_labels(saved, saved.position, seat)
    secrets = (saved.secret.seed, holder_secret(saved, seat))
    return lambda line: any(marker_matcher(saved.name, seat, labels, one)(line) for one in secrets)


def form_of(saved: SavedGame, seat: Seat) -> str:
    """Return the form of a seat's newest report, as it stands there; "" if the game is over."""
    form = saved.turns.at(saved.turn) / "reports" / seat / "orders.yaml"
    return form.read_text() if form.exists() else ""


def _marker(saved: SavedGame, position: GamePosition, seat: Seat | None) -> str:
    """Return the first line of a seat's form; "" if it gets none."""
    labels = _next_labels(saved, position, seat) if seat is not None else ()
    return marker_line(saved.name, str(seat), labels[0], saved.secret.seed) if labels else ""


def _next_labels(saved: SavedGame, position: GamePosition, seat: Seat) -> tuple[Label, ...]:
    """Return the one label that a seat's form is for; none when the game is over."""
    ask = saved.opening.ask(position.game)
    label = "" if isinstance(ask, Outcome) else next_label(ask, position.asked, seat)
    return (Label(label),) if label else ()


class RunInputs(NamedTuple):
    """What a run was given besides the position.

    Attributes:
        at: The moment of the run, ISO 8601.
        policy: How asks without a fitting line were answered.
        overrides: Reasons of the gate that the moderator overrode.
        submissions: The orders files it took, keys masked, by seat.
        press: Messages that came by themselves, by seat.
        deadline: When the orders that the turn asks for will be due, or None.
        kept: Seats whose submission held no lines, so that those left over before stayed.
        called: What players are called whom the policy names by numbers.
    """

    at: str
    policy: Policy
    overrides: tuple[str, ...]
    submissions: Mapping[Seat, bytes]
    press: Mapping[Seat, WaitingPress]
    deadline: datetime.datetime | None = None
    kept: tuple[Seat, ...] = ()
    called: NumberedPlayers = NumberedPlayers()


def turn_files(saved: SavedGame, run: Run[Begun[Any]], steps: str, taken: RunInputs) -> dict[str, bytes]:
    """Return every file of the turn that a run makes, `turn.json` among them.

    Args:
        saved: The game before it.
        run: What it came to.
        steps: The steps that the public saw, as a file; "" if it saw the end of the turn alone.
        taken: What it was given.
    """
    turn = saved.turn + 1
    files = {f"orders/{seat}.yaml": data for seat, data in taken.submissions.items()}
    files.update({f"press/{seat}.yaml": waiting.data for seat, waiting in taken.press.items()})
    files.update(position_files(saved, run.position, run.orders, run.events))
    files |= {NAMES: taken.called.as_bytes()} if taken.called.names else {}
    hashes: dict[str, Json] = {seat: sha256(data) for seat, data in taken.submissions.items()}
    record: dict[str, Json] = {
        "previous": saved.record["root"],
        "at": taken.at,
        "policy": policy_json(taken.policy),
        "overrides": list[Json](taken.overrides),
        "steps": [step_json(step) for step in run.steps],
        "submissions": hashes,
        "taken": {**saved.taken_hashes, **hashes},
    }
    heard: dict[str, Json] = {**taken_press_numbers(saved.record)}
    heard.update({seat: waiting.number for seat, waiting in taken.press.items()})
    if heard:
        record["press"] = heard
    if taken.kept:
        record["kept"] = list[Json](taken.kept)
    told = origins_in(saved, record, taken.submissions)
    reports = reports_of(
        saved,
        turn,
        run.position,
        run.orders,
        run.events,
        taken.deadline,
        told,
        taken.called,
        taken.policy,
        taken.submissions,
    )
    promise = _deadline_record(saved, taken.deadline)
    return seal_turn(saved, turn, {**record, **promise}, files, reports, steps)


def origins_in(saved: SavedGame, record: Mapping[str, Json], sent: Mapping[Seat, bytes]) -> dict[str, Json]:
    """Return where the luck words of each seat came from; nothing for a turn that took no start forms.

    Args:
        saved: The game before the turn.
        record: The record of the turn, as far as its steps and its policy.
        sent: The orders that it took, by seat.
    """
    steps = record["steps"]
    assert isinstance(steps, list), "every record has them"
    if not any(isinstance(step, dict) and step["label"] in BEFORE_DEAL for step in steps):
        return {}

    before = deal_of(saved.turns, saved.turn).shares
    return origin_words(shares_after(before, record, {str(seat): data for seat, data in sent.items()}))


def _deadline_record(saved: SavedGame, deadline: datetime.datetime | None) -> dict[str, Json]:
    """Return the record of a deadline that `game.yaml` does not name: it stands, whatever becomes of it."""
    if deadline is None or (not saved.table.schedule.days and deadline == saved.table.deadline):
        return {}
    return {"deadline": deadline.isoformat(timespec="seconds")}


def first_files(
    saved: SavedGame, frozen: Mapping[str, bytes], at: str, deadline: datetime.datetime | None
) -> dict[str, bytes]:
    """Return the files of turn 0: what is frozen, and the invitations.

    Args:
        saved: The game that is being set up.
        frozen: `start.json` and `data.json`.
        at: The moment, ISO 8601.
        deadline: When the start forms will be due, or None.
    """
    position: Position[Begun[Any]] = Position(None)
    files = {**frozen, **position_files(saved, position, {}, ())}
    record: dict[str, Json] = {
        "previous": "",
        "at": at,
        "policy": policy_json(Policy()),
        "overrides": [],
        "steps": [],
        "submissions": {},
        "taken": {},
    }
    reports = reports_of(saved, 0, position, {}, (), deadline, {}, NumberedPlayers(), Policy())
    return seal_turn(saved, 0, {**record, **_deadline_record(saved, deadline)}, files, reports)


def position_files(
    saved: SavedGame,
    position: Position[Begun[Any]],
    orders: Mapping[Seat, Orders],
    events: tuple[Recorded, ...],
) -> dict[str, bytes]:
    """Return state, events and pending lines as files; the part of a turn that can be recomputed."""
    files = {
        "state.json": dumps(saves.save_of(position, saved.rules)).encode(),
        "events.jsonl": "".join(event_line(entry) for entry in events).encode(),
    }
    for seat, lodged in orders.items():
        if lodged.lines or lodged.detail:
            files[f"pending/{seat}.json"] = dumps(pending_json(lodged)).encode()
    return files


def event_line(entry: Recorded) -> str:
    """Return an event as one line of `events.jsonl`."""
    return dumps_line({"at": entry.at, **encode_event(entry.event)}) + "\n"


def step_json(step: TakenStep) -> dict[str, Json]:
    """Return a step as `turn.json` records it."""
    return {
        "label": step.label,
        "kind": step.kind,
        "moves": {str(seat): do for seat, do in step.moves.items()},
        "sources": {str(seat): source for seat, source in step.sources.items()},
    }


def policy_json(policy: Policy) -> dict[str, Json]:
    """Return a policy as `turn.json` records it; what is rare stands there only where it was so."""
    rare: dict[str, Json] = {
        "excused": encode(policy.excused),
        "arrived": encode(policy.arrived),
        "held": encode(policy.held),
        "acts": encode(policy.acts),
        "act_facts": encode(policy.act_facts),
        "ended": encode(policy.ended),
    }
    return {
        "due": policy.due,
        "silent": {str(seat): what for seat, what in policy.silent.items()},
        "bots": {str(seat): skill for seat, skill in policy.bots.items()},
        "forced": policy.forced,
        "most_steps": policy.most_steps,
        "misses": encode(policy.misses),
        **{name: value for name, value in rare.items() if value},
    }


def policy_of(record: Mapping[str, Json]) -> Policy:
    """Return the policy that a `turn.json` records.

    Raises:
        ShapeError: It is damaged.
    """
    written = record.get("policy")
    lists: dict[str, Json] = {"excused": [], "arrived": [], "held": [], "acts": [], "act_facts": []}
    rare: dict[str, Json] = {**lists, "ended": None}
    return decode(Policy, {**rare, **written} if isinstance(written, dict) else written, "policy")


def seal_turn(
    saved: SavedGame,
    turn: int,
    record: Mapping[str, Json],
    files: Mapping[str, bytes],
    reports: Mapping[str, Report],
    steps: str = "",
) -> dict[str, bytes]:
    """Return a turn's files with their record and its root, and the root in the foot of every report.

    Args:
        saved: The game before the turn.
        turn: The number of the turn.
        record: What else its record holds.
        files: Its files but for reports and record.
        reports: Its reports by reader.
        steps: The steps that the public saw, as a file; "" if it saw the end of the turn alone.
    """
    taken_back = [one for one in saved.undone if one.turn == turn]
    revision = taken_back[-1].revision if taken_back else 0
    pages = {
        f"reports/{reader}/{name}": page
        for reader, report in reports.items()
        for name, page in report.kept().items()
    }
    pages |= {saves.STEPS_IN_TURN: steps} if steps else {}
    full: dict[str, Json] = {
        **record,
        "format": saves.FORMAT,
        "game": saved.name,
        "turn": turn,
        "rules": saved.start.rules,
        "rules_version": saved.rules.version,
        "revision": revision,
        "replaces": str(saves.record_of_undone(taken_back[-1].place).get("root", "")) if taken_back else "",
        "files": {name: sha256(data) for name, data in sorted(files.items())},
        "reports": {name: sha256(page.encode()) for name, page in sorted(pages.items())},
    }
    root = root_of(full, saved.secret.seed)
    out = dict(files)
    out.update({name: insert_foot(page, root, revision).encode() for name, page in pages.items()})
    out["turn.json"] = saves.record_bytes({**full, "root": root})
    return out
