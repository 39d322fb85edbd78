"""The files of one turn, from what a run came to: hashed, chained, and ready to be committed."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.core.book import Orders
from pbem.core.events import Recorded, Seat
from pbem.core.interface import Json
from pbem.core.labels import BEFORE_DEAL
from pbem.core.opening import Begun
from pbem.core.turn import Policy, Position, Run, TakenStep
from pbem.play.homes import saves
from pbem.play.homes.players import NAMES, Called
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import root_of, sha256, with_foot
from pbem.play.reports.reporting import reports_of
from pbem.play.submissions.reinstated import Waiting, taken_press
from pbem.play.turn.luck import deal_of, origins, shares_after
from pbem.text.canonical import pending_json
from pbem.text.codec import decode, dumps, dumps_line, encode, encode_event
from pbem.text.reports.report import Report


class Taken(NamedTuple):
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
    press: Mapping[Seat, Waiting]
    deadline: datetime.datetime | None = None
    kept: tuple[Seat, ...] = ()
    called: Called = Called()


def turn_files(saved: SavedGame, run: Run[Begun[Any]], steps: str, taken: Taken) -> dict[str, bytes]:
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
        "taken": {**saved.taken, **hashes},
    }
    heard: dict[str, Json] = {**taken_press(saved.record)}
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
    promise = _promise(saved, taken.deadline)
    return sealed(saved, turn, {**record, **promise}, files, reports, steps)


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
    return origins(shares_after(before, record, {str(seat): data for seat, data in sent.items()}))


def _promise(saved: SavedGame, deadline: datetime.datetime | None) -> dict[str, Json]:
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
    reports = reports_of(saved, 0, position, {}, (), deadline, {}, Called(), Policy())
    return sealed(saved, 0, {**record, **_promise(saved, deadline)}, files, reports)


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
        Misshapen: It is damaged.
    """
    written = record.get("policy")
    lists: dict[str, Json] = {"excused": [], "arrived": [], "held": [], "acts": [], "act_facts": []}
    rare: dict[str, Json] = {**lists, "ended": None}
    return decode(Policy, {**rare, **written} if isinstance(written, dict) else written, "policy")


def sealed(
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
    out.update({name: with_foot(page, root, revision).encode() for name, page in pages.items()})
    out["turn.json"] = saves.record_bytes({**full, "root": root})
    return out
