"""Votes of the seats: for a pause, a longer deadline, a draw, or the end of the game."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import is_mailed, make_act, player_notices, telling_name
from pbem.host.run.notes import (
    ENDINGS,
    VOTE,
    VOTE_KINDS,
    VOTE_NAMES,
    Notes,
    Pause,
    VoteCount,
    hold_game,
    vote_count,
    vote_count_text,
    vote_reason,
)
from pbem.host.time.deadlines import (
    deadline_in_force,
    match_zone,
    move_past_pause,
    present_label,
    table_in_force,
)
from pbem.host.time.extensions import refuse_strange_seat, rows_of_moved_deadline
from pbem.host.time.pausing import plan_pause, refuse_paused
from pbem.play.config.schedule import add_span
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import RequestRefused
from pbem.store.records import HOST, Note, QueuedNotice, Row, facts_of, iso
from pbem.text.schema import near


@dataclass(frozen=True, slots=True)
class VoteResult:
    """What a vote came to.

    Attributes:
        count: How it stands now.
        text: The answer to the voter, a sentence or two.
    """

    count: VoteCount
    text: str


def vote(
    home: Home, game: str, seat: Seat, kind: str, now: datetime.datetime, *, yes: bool = True
) -> VoteResult:
    """Let a seat vote, or take its vote back; what is carried by it happens.

    A pause and a longer deadline come true at once; a draw or an end with the next run.

    Args:
        home: The home.
        game: The id of the game.
        seat: The voter.
        kind: One of `VOTE_KINDS`.
        now: The moment.
        yes: False takes a vote back.

    Raises:
        RequestRefused: There is no such vote, or this seat has none.
    """
    if kind not in VOTE_KINDS:
        hint = near(kind, [*VOTE_KINDS]).hint or f"There are votes for {', '.join(VOTE_KINDS)}."
        raise RequestRefused(f"there is no vote for {kind!r}.", hint, to_player=hint)
    with hold_game(home, game) as act:
        saved, notes = act.saved, act.notes
        refuse_strange_seat(saved, seat)
        _refuse_vote(saved, notes, seat, kind, now)
        before = vote_count(saved, notes, kind)
        votes = notes.votes - {(saved.turn, kind, seat)} | ({(saved.turn, kind, seat)} if yes else set())
        after = vote_count(saved, notes._replace(votes=votes), kind)
        rows: list[Row] = [Note(game, f"{VOTE}{saved.turn}:{kind}:{seat}", "yes" if yes else None)]
        is_public = saved.table.votes == "public"
        if after.ayes != before.ayes:
            voter = f"{saved.players.holder(seat)} ({seat})"
            facts = facts_of(
                "vote-given", seat=seat, player=saved.players.holder(seat), yes=yes, **_vote_facts(after)
            )
            rows.append(make_act(now, game, "vote", public=is_public, who=seat, facts=facts))
            if not before.ayes and not after.is_carried:
                rows += _proposal_rows(saved, notes, now, after, seat, voter if is_public else "")
        if yes and after.is_carried and (kind not in ENDINGS or not before.is_carried):
            rows += _carried_rows(saved, notes, now, after)
        if before.ayes and (not after.ayes or (before.is_carried and not after.is_carried)):
            rows += _withdrawal_rows(saved, now, before, after)
        home.store.note(rows)
        noted = f"Your vote for {VOTE_NAMES[kind]} is {'noted' if yes else 'taken back'}"
        return VoteResult(after, f"{noted}: {vote_count_text(after)}.{_outcome_text(after) if yes else ''}")


def _refuse_vote(saved: SavedGame, notes: Notes, seat: Seat, kind: str, now: datetime.datetime) -> None:
    """Refuse a vote that cannot be given.

    Raises:
        RequestRefused: It is so.
    """
    if saved.table.votes == "none":
        raise RequestRefused(f"there are no votes in {saved.name}.", to_player="Ask the moderator.")
    if seat not in vote_count(saved, notes, kind).voters:
        raise RequestRefused(f"{seat} has no vote: a bot plays it.")
    if kind == "pause":
        refuse_paused(saved, notes, now)
    if kind == "extension" and deadline_in_force(saved, notes) is None:
        raise RequestRefused(f"{saved.name} has no deadline now.")


def _proposal_rows(
    saved: SavedGame, notes: Notes, now: datetime.datetime, found: VoteCount, by: Seat, voter: str
) -> Iterator[Row]:
    """Yield what all are told when there is something to vote on; who proposed it only in public votes."""
    facts = facts_of("vote-proposed", **_vote_facts(found))
    if not voter:
        yield make_act(now, saved.name, "vote", public=True, who=HOST, facts=facts)

    def told(seat: Seat) -> dict[str, Json]:
        until = (
            saved.table.spelled(_extended_deadline(saved, notes, now), seat)
            if found.kind == "extension"
            else ""
        )
        return {
            "what": VOTE_NAMES[found.kind],
            "vote": found.kind,
            "is_own": seat == by,
            "voter": voter,
            "ayes": len(found.ayes),
            "needed": found.needed,
            "label": present_label(saved),
            "due": until,
            "by_mail": is_mailed(saved.home, saved.players.address(seat)),
        }

    yield from player_notices(saved, now, _proposal_topic(found.kind, iso(now)), facts, told, kind="vote")


def _vote_facts(found: VoteCount) -> dict[str, str | int]:
    return {"vote": found.kind, "ayes": len(found.ayes), "needed": found.needed}


def _proposal_topic(kind: str, at: str) -> str:
    """Return what a notice is about that there is something to vote on, from the moment of the proposal."""
    return f"proposed {kind} {at}"


def is_vote_open(saved: SavedGame, notes: Notes, told: QueuedNotice) -> bool:
    """Tell whether a vote of which a notice tells is still open."""
    of = (saved.name, saved.turn, told.seat, told.kind)
    counts = {
        telling_name(*of, _proposal_topic(kind, told.at)): vote_count(saved, notes, kind)
        for kind in VOTE_KINDS
    }
    found = counts.get(told.name)
    return found is not None and bool(found.ayes) and not found.is_carried


def _withdrawal_rows(
    saved: SavedGame, now: datetime.datetime, before: VoteCount, after: VoteCount
) -> Iterator[Row]:
    """Yield what all are told when nobody votes for something any more, or what was carried is so no more."""
    facts = facts_of("vote-withdrawn", **_vote_facts(after))
    if saved.table.votes != "public":  # else the act of the voter says it
        yield make_act(now, saved.name, "vote", public=True, who=HOST, facts=facts)
    told: dict[str, Json] = {
        "what": VOTE_NAMES[after.kind],
        "was_carried": before.is_carried,
        **_vote_facts(after),
    }
    yield from player_notices(saved, now, f"withdrawn {after.kind} {iso(now)}", facts, lambda _: told)


def _extended_deadline(saved: SavedGame, notes: Notes, now: datetime.datetime) -> datetime.datetime:
    """Return the deadline that a vote for a later one makes of that in force."""
    before, extension = deadline_in_force(saved, notes), saved.table.schedule.extension
    moved = add_span(max(before or now, now), extension, saved.table.deadline_zone)
    return match_zone(move_past_pause(table_in_force(saved, notes), notes, now, moved), before)


def _carried_rows(saved: SavedGame, notes: Notes, now: datetime.datetime, found: VoteCount) -> Iterator[Row]:
    """Yield what is noted and told when that comes true which was voted for."""
    if found.kind not in ENDINGS:
        for seat in found.ayes:  # the next pause or extension needs new votes
            yield Note(saved.name, f"{VOTE}{saved.turn}:{found.kind}:{seat}", None)
    if found.kind == "pause":
        yield from plan_pause(saved, notes, now, HOST, Pause(now, vote_reason(found)))[1]
    elif found.kind == "extension":
        moved = _extended_deadline(saved, notes, now)
        yield from rows_of_moved_deadline(saved, notes, moved, now, HOST, "vote")
    else:
        facts, told = facts_of("vote-carried", vote=found.kind), {"what": VOTE_NAMES[found.kind]}
        yield make_act(now, saved.name, "vote", public=True, who=HOST, facts=facts)
        yield from player_notices(saved, now, f"carried {found.kind} {iso(now)}", facts, lambda _: told)


def _outcome_text(found: VoteCount) -> str:
    if not found.is_carried:
        return " It counts until the next turn is run, or until you take it back."
    endings = {"pause": " The game is paused.", "extension": " The deadline is moved."}
    return endings.get(found.kind, " The game ends with the next run.")
