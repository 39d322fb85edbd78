"""Acts of the moderator, each done and told in a sentence; orders lodged for a seat; the list of acts."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.host.notices import announcements
from pbem.host.notices.queue import append_words_to_send, make_act
from pbem.host.office.status import status_of
from pbem.host.office.watch import BEATS
from pbem.host.people import names
from pbem.host.run.losses import Aside
from pbem.host.run.notes import notes_of
from pbem.host.run.undo import bring_back as bring_game_back
from pbem.host.run.undo import cancel as cancel_game
from pbem.host.run.undo import has_published_seed, rerun_instructions, undo_newest_turn
from pbem.host.time import extensions, pausing
from pbem.host.time.dates import WrittenTime
from pbem.host.time.deadlines import deadline_in_force, is_single_deadline
from pbem.play.config.schedule import Span
from pbem.play.homes.earlier import facts_of_act
from pbem.play.homes.home import SETTINGS, Home
from pbem.play.homes.players import player_names_in
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import Turns, record_of_undone
from pbem.play.submissions.gate import standing_orders_of
from pbem.play.submissions.lodging import JudgedOrders, PressReceipt, Receipt, lodge
from pbem.play.submissions.meaning import Learner
from pbem.play.submissions.seatkeys import strip_marker
from pbem.store.errors import JournalRefused
from pbem.store.interface import Place
from pbem.store.journal import Journal
from pbem.store.memory import MemoryStore
from pbem.store.records import HOST, KINDS, MODERATOR, Act, Note, Row, facts_of
from pbem.text.codec import strip_receipt
from pbem.text.mending.mending import mend_orders
from pbem.text.orders import Envelope, Fault, open_envelope

Moment = datetime.datetime

HOLDS = "the moderator looks at them"
"""Why orders are held back, if nobody says it."""


@append_words_to_send
def extend(home: Home, game: str, now: Moment, by: Span | None, to: WrittenTime | None) -> str:
    """Move the deadline of the present ask; raises WrongInput as `extensions.extend` does."""
    moved = extensions.extend(home, game, now, by=by, to=to.due if to is not None else None)
    said = f"{game}: orders are now due {_moment_text(home, game, moved)}."
    saved = SavedGame(home, game)
    if not is_single_deadline(saved, notes_of(home, game)):
        return said
    instead = ", in place of `deadline` in game.yaml" if saved.table.deadline is not None else ""
    after = "" if saved.table.schedule.days else " No deadline follows it until you set one."
    return f"{said} It counts for each turn that is made before it{instead}.{after}"


@append_words_to_send
def pause(
    home: Home, game: str, now: Moment, why: str, first: WrittenTime | None, last: WrittenTime | None
) -> str:
    """Let a game rest, now or later; raises WrongInput as `pausing.pause` does."""
    start, end = first.start_moment if first else None, last.end if last else None
    due = pausing.pause(home, game, now, why, start=start, end=end)
    begins = f"will be paused from {_moment_text(home, game, start)}" if start else "paused"
    if end is None:
        return f"{game}: {begins}. Let it go on: pbem resume {game}"
    return f"{game}: {begins} until {_moment_text(home, game, end)}.{_due_text(home, game, due)}"


def _is_moved_by_schedule(moved: Moment | None, before: Moment | None, paused: datetime.timedelta) -> bool:
    """Tell whether a deadline moved further than a pause was long: too little was left for the next turn."""
    most = paused + datetime.timedelta(minutes=1)
    return moved is not None and before is not None and moved - before > most


@append_words_to_send
def resume(home: Home, game: str, now: Moment, when: WrittenTime | None) -> str:
    """Let a game go on, now or later; raises WrongInput as `pausing.resume` does."""
    notes = notes_of(home, home.game(game).name)
    known, before = notes.pause_at(now), deadline_in_force(SavedGame(home, game), notes)
    goes_on = when.start_moment if when else now
    moved = pausing.resume(home, game, now, at=when.start_moment if when else None)
    due = _due_text(home, game, moved)
    if known is not None and known.holds(now) and moved is not None and moved == before:
        due = f"{due.removesuffix('.')}, as before: the pause moved nothing."
    elif (
        known is not None and known.holds(now) and _is_moved_by_schedule(moved, before, goes_on - known.start)
    ):
        due += f" So little time was left that the schedule counts; else: pbem extend {game} --to MOMENT"
    if when is None and known is not None and not known.holds(now):
        return f"{game}: the pause, which had not begun, is taken back.{due}"
    return f"{game}: goes on{f' {_moment_text(home, game, when.start_moment)}' if when else ''}.{due}"


@append_words_to_send
def away(home: Home, game: str, seat: Seat, now: Moment, first: WrittenTime | None, last: WrittenTime) -> str:
    """Note that a player will be away; raises Declined as `extensions.announce_absence` does."""
    absence = extensions.make_absence(first, last, now)
    said = extensions.announce_absence(home, game, seat, absence, now)
    table = SavedGame(home, game).table
    return f"{game}: {seat} is away {absence.told(table, seat)}. {said}"


def clear_absences(home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Forget the absences of a seat's player."""
    was_away = seat in notes_of(home, game).away
    effect = extensions.cancel_absences(home, game, seat, now)
    return f"{game}: {seat} is back. {effect}" if was_away else f"{game}: no absence of {seat} was noted."


@append_words_to_send
def cancel(home: Home, game: str, now: Moment, why: str) -> str:
    """End a game for all; raises WrongInput as `cancel_game` does."""
    cancel_game(home, game, why, now)
    return f"{game}: ended. Its seed and orders stay secret. Bring it back: pbem cancel {game} --undo"


@append_words_to_send
def reinstate_game(home: Home, game: str, now: Moment) -> str:
    """Bring a game back that was ended; raises WrongInput as `bring_game_back` does."""
    return f"{game}: goes on.{_due_text(home, game, bring_game_back(home, game, now))}"


def hold(home: Home, game: str, seat: Seat, now: Moment, why: str) -> str:
    """Hold a seat's orders back; raises WrongInput as `announcements.hold` does."""
    announcements.hold(home, game, seat, why, now)
    none = (
        ""
        if standing_orders_of(SavedGame(home, game), seat).lines
        else " None stand now; those that come are held too."
    )
    return f"{game}: orders of {seat} are held back.{none} Let them count: pbem hold {game} {seat} --release"


def release(home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Let a seat's orders count again; raises WrongInput as `announcements.release` does."""
    announcements.release(home, game, seat, now)
    return f"{game}: orders of {seat} count again."


@append_words_to_send
def announce(home: Home, game: str, now: Moment, text: str, *more: Note) -> str:
    """Write to all players of a game; raises WrongInput as `announcements.announce` does."""
    mails = announcements.announce(home, game, text, now, *more)
    return f"{game}: it will stand in the next report{f', and {mails} mails are queued' if mails else ''}."


def announce_to_all(
    home: Home, now: Moment, text: str, aside: Aside, *, again: bool = False
) -> Iterator[str]:
    """Write to all players of all running games, to each game once, also if this was cut off before.

    Args:
        home: The home.
        now: The moment.
        text: The words.
        aside: Told of a game that cannot be written to; the others are.
        again: Write also where the same was what the moderator did last.

    Raises:
        WrongInput: The text is empty or too long.
        RepeatedCommand: It was done before, and nothing since.
        GateClosedError: Another program is at it.
    """
    with announcements.begin_announcement_to_all(home, text, now, again=again) as (games, begun):
        while games:
            game = games.pop(0)
            try:
                saved = SavedGame(home, game)
                if isinstance(saved.ask, Outcome) or saved.cancelled is not None:
                    home.store.note(announcements.announcement_note(home, text, begun, games))
                else:
                    act = announcements.announcement_act(game, text, begun)
                    rest = announcements.announcement_note(home, text, begun, games, act)
                    yield announce(home, game, begun, text, *rest)
            except (JournalRefused, OSError):  # it is about the disk, and so about all games
                raise
            except Exception as wrong:
                home.store.note(announcements.announcement_note(home, text, begun, games))
                aside(game, wrong)


@append_words_to_send
def name(home: Home, game: str, seat: Seat, now: Moment, called: str) -> str:
    """Call a seat's player otherwise; raises WrongInput as `names.rename_player` does."""
    before = names.rename_player(home, game, seat, called, now)
    return f"{game}: the player of {seat} is {called} from now on, and was {before}. All else stays."


@append_words_to_send
def undo(
    home: Home,
    game: str,
    now: Moment,
    turn: int | None,
    by: Span | None = None,
    to: WrittenTime | None = None,
) -> str:
    """Take the newest turn back, and move its deadline if asked; raises WrongInput as `take_back` does."""
    done = undo_newest_turn(home, game, now, turn, by=by, to=to.due if to is not None else None)
    begun = " (begun by an earlier command, and finished now)" if done.was_begun else ""
    is_left = (by is not None or to is not None) and not done.is_moved
    return "\n".join(
        [
            f"{game}: turn {done.turn} was taken back{begun} and is kept in {done.kept}.",
            *["Its reports told the seed: go on only with players who know that."]
            * has_published_seed(done.kept),
            undo_summary(home, game, now, is_moved=done.is_moved),
            *[f"Its deadline was not moved: pbem extend {game} --to WHEN"] * is_left,
        ]
    )


def undo_summary(home: Home, game: str, now: Moment, *, is_moved: bool = False) -> str:
    """Return how a game stands whose newest turn was taken back, and whose orders count again."""
    stands = status_of(home, game, now)
    return f"{stands.head()}.\n{rerun_instructions(home, game, now, stands, is_moved=is_moved)}"


def _due_text(home: Home, game: str, moment: Moment | None) -> str:
    return f" Orders are due {_moment_text(home, game, moment)}." if moment is not None else ""


def _moment_text(home: Home, game: str, moment: Moment) -> str:
    return SavedGame(home, game).table.spelled(moment)


def lodge_for_moderator(
    home: Home, data: bytes, now: datetime.datetime
) -> Receipt | PressReceipt | list[Fault]:
    """Lodge orders in the name of the moderator; all players read of it in the next report.

    Given again after a kill or an error it changes nothing more, as long as just these orders stand.

    Returns:
        The receipt, or the mistakes; then nothing was changed.
    """

    def noting(judged: JudgedOrders, number: int) -> tuple[Act]:
        facts = facts_of("press-lodged-for", seat=judged.seat)
        if number:
            facts = facts_of("orders-lodged-for", seat=judged.seat, receipt=number)
        return (make_act(now, judged.saved.name, "submit", public=True, facts=facts),)

    return lodge(home, strip_marker(with_key(home, data)), noting=noting)


def with_key(home: Home, data: bytes) -> bytes:
    """Return orders with their seat's key at the end, if the game wants one and there is none in them."""
    learn = Learner(home, {})
    if (whole := _seat_envelope(learn, data)) is None and (draft := mend_orders(data, learn)) is not None:
        whole = _seat_envelope(learn, draft.text.encode())
    if whole is None:
        return data
    envelope, saved = whole
    if envelope.key or not saved.table.key:
        return data
    return strip_receipt(data).rstrip(b"\n") + f"\nkey: {saved.players.key(envelope.seat)}\n".encode()


def _seat_envelope(learn: Learner, data: bytes) -> tuple[Envelope, SavedGame] | None:
    """Return the envelope of orders and their game, if they name both it and a seat as they are called."""
    envelope = open_envelope(data)
    saved = None if isinstance(envelope, list) else learn.game(envelope.game)
    if isinstance(envelope, list) or saved is None or envelope.seat not in saved.start.seats:
        return None
    return envelope, saved


_HANDED: Final = {
    "BotTookOver": "bot-took-over",
    "PlayerReplaced": "standby-took-over",
    "PlayerReturned": "player-returned",
}
"""The kinds of acts that a turn tells of seats that changed hands in it, by the kind of the event."""


def all_acts(home: Home, game: str, db: Journal) -> list[Act]:
    """Return what was done to a game, in order.

    Which seats bots and standbys took over stands in the turns. So does which turns were taken back: where
    nothing had been noted of a home until then, it stands nowhere else.

    Args:
        home: The home.
        game: The id of the game.
        db: The home's journal.
    """
    found, turns = db.acts(game), home.turns(game)
    for act in (*_handover_acts(turns), *_unnoted_undo_acts(turns, found)):
        moment = datetime.datetime.fromisoformat(act.at)
        later = (at for at, one in enumerate(found) if datetime.datetime.fromisoformat(one.at) > moment)
        found.insert(next(later, len(found)), act)
    return found


def _handover_acts(turns: Turns) -> Iterator[Act]:
    for number in turns.numbers():
        turn = turns.at(number)
        record = record_of_undone(turn)
        called = player_names_in(turn, record)
        for event in _events(turn):
            kind = _HANDED[str(event["event"])]
            told = {name: called.named(str(event[name])) for name in KINDS[kind]}
            yield from _dated_acts(turns.game, record, HOST, "stand-in", facts_of(kind, **told))


def _events(turn: Place) -> Iterator[Mapping[str, Json]]:
    """Yield the events of a turn by which seats changed hands; none if it is damaged."""
    try:
        lines = (turn / "events.jsonl").read_text().splitlines()
        rows = [json.loads(line) for line in lines if any(f'"{kind}"' in line for kind in _HANDED)]
    except (OSError, ValueError):
        return
    yield from (row for row in rows if isinstance(row, dict) and row.get("event") in _HANDED)


def _unnoted_undo_acts(turns: Turns, noted: list[Act]) -> Iterator[Act]:
    """Yield that turns were taken back of which nobody noted it; when that was is not known."""
    known = Counter(one["turn"] for one in map(facts_of_act, noted) if one["kind"] == "turn-undone")
    for one in reversed(turns.taken_back()):
        if known[one.turn]:
            known[one.turn] -= 1
            continue
        record, facts = record_of_undone(one.place), facts_of("turn-undone-later", turn=one.turn)
        yield from _dated_acts(turns.game, record, MODERATOR, "undo", facts)


def _dated_acts(game: str, record: Mapping[str, Json], who: str, act: str, facts: str) -> Iterator[Act]:
    """Yield an act of the moment at which a turn was run; none if the turn is damaged."""
    if at := record.get("at"):
        yield Act(str(at), who, game, act, "", 1, facts)


def copy_to_memory(home: Home, games: Collection[str]) -> Home:
    """Return a copy in memory of the moderator's files and some games, with what is noted of them.

    Args:
        home: The home.
        games: The ids of the games; one that there is not is left out.
    """
    store, found = home.store, [game for game in games if home.has(game)]
    folders = ["templates", *(f"{kind}/{game}" for game in found for kind in ("games", "orders"))]
    names = [
        f"{folder}/{name}"
        for folder in folders
        if store.kind(folder) == "folder"
        for name in store.below(folder)
    ]
    if store.kind(SETTINGS) == "file":
        names.append(SETTINGS)
    made = MemoryStore({name: store.read(name) for name in names if store.kind(name) == "file"})
    with home.journal() as db:
        rows: list[Row] = [Note("", BEATS, db.note("", BEATS))]
        rows += [Note(game, key, value) for game in found for key, value in db.notes(game).items()]
        rows += [act for game in found for act in db.acts(game)]
    made.note(rows)
    return Home(made)
