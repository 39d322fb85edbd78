"""The moderator's digest: who was silent, what came back, what is asked or waited for, what was odd."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.core.interface import Json, Outcome
from pbem.host.notices.news import (
    is_lost_invitation,
    lost_mail_lines,
    lost_mail_summary,
    lost_mails,
    players_news,
    unheard_player_lines,
)
from pbem.host.notices.questions import (
    MOST_LISTED,
    Question,
    may_show_words,
    open_questions,
    present_holder,
    question_sender_address,
)
from pbem.host.notices.queue import digest_progress, render_paragraphs
from pbem.host.run.batch import SkippedGame
from pbem.host.run.losses import Aside, is_to_run_again, lost_turn_lines
from pbem.host.run.notes import Notes, read_notes
from pbem.host.run.terms import rerun_trigger, why_taken_back
from pbem.host.time.deadlines import (
    deadline_in_force,
    is_closed,
    last_run_moment,
    moved_since_report,
    owing_in_words,
    owing_seats,
)
from pbem.play.config.gamefile import seat_with_player
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.running import RunOutcome
from pbem.store.errors import WrongInput, error_in_words
from pbem.store.journal import Journal
from pbem.store.records import (
    WITH_ORDERS,
    Intake,
)
from pbem.text.codec import fields_of, items_of
from pbem.text.plaintext import printable_text

UNBELIEVED_ACTS: Final = "acts-unproven"
"""The rule of a mail with acts that did not prove that it is the moderator's."""

MOST_TOLD: Final = 5
"""So many odd mails of one kind have a line each in a digest: anybody can send hundreds."""

GRAVE: Final[Mapping[str, tuple[str, str]]] = {
    "shunted": ("was set aside", "were set aside"),
    "warned": ("did not prove whose it is", "did not prove whose they are"),
    "former": ("is from a former player", "are from former players"),
    "old-secret": ("came with an old secret", "came with old secrets"),
    "doubted": ("may say that a mail came back", "may say that a mail came back"),
    "refused": ("was refused", "were refused"),
}
"""What a subject says of an odd mail and of several, by their verdict."""


def odd_mail_lines(home: Home, mails: Iterable[Intake]) -> Iterator[str]:
    """Yield odd mails in a line each, a few of each kind; the rest of a kind are counted.

    Args:
        home: The home.
        mails: The mails, each as `odd_in_words` takes one.
    """
    told, rest = Counter[str](), dict[str, list[Intake]]()
    for mail in mails:
        told[mail.verdict] += 1
        if told[mail.verdict] <= MOST_TOLD:
            yield odd_mail_line(home, mail)
        else:
            rest.setdefault(mail.verdict, []).append(mail)
    for verdict, more in rest.items():
        if len(more) == 1:
            yield odd_mail_line(home, more[0])
        else:
            yield f"{len(more)} more mails (between {more[0].id} and {more[-1].id}) {GRAVE[verdict][1]}"


def odd_mail_phrases(odd: Sequence[Intake]) -> Iterator[str]:
    """Yield odd mails in a few words for a subject; of several of a kind their number."""
    for verdict in dict.fromkeys(one.verdict for one in odd):
        alike = [one for one in odd if one.verdict == verdict]
        one, several = GRAVE[verdict]
        yield f"{len(alike)} mails {several}" if len(alike) > 1 else f"mail {alike[0].id} {one}"


def is_answered(mail: Intake) -> bool:
    """Tell whether the moderator has had an answer that says all of it: their own acts were refused."""
    return mail.verdict == "refused" and mail.rule == "acts"


def odd_mail_line(home: Home, mail: Intake) -> str:
    """Return what was odd about a mail, in a line.

    Args:
        home: The home.
        mail: The mail; its verdict is "shunted", "warned", "refused", "former", "old-secret" or "doubted".
    """
    told: dict[str, Json] = {
        "id": mail.id,
        "rule": mail.rule,
        "game": mail.game,
        "seat": mail.seat,
        "sender": printable_text(mail.envelope_from) or "nobody",
        "has_orders": WITH_ORDERS in mail.rule,
    }
    return render_paragraphs(
        home, f"odd/{UNBELIEVED_ACTS if mail.rule == UNBELIEVED_ACTS else mail.verdict}", told
    )


_TOLD: Final = "run awaited:"
"""Before a game: the key of the note of which turn, taken back how often, its moderator was told last."""


class PendingRerun(NamedTuple):
    """A turn that was taken back, and that nothing but a command runs again.

    Attributes:
        game: The game.
        mark: What tells it from other turns, and from the same turn taken back once more.
        brief: A few words for a subject.
        line: What the moderator must do next, in a line.
    """

    game: str
    mark: str
    brief: str
    line: str


def ready_reruns(
    home: Home, db: Journal, games: Iterable[str], now: datetime.datetime
) -> Iterator[PendingRerun]:
    """Yield the turns to run again whose orders are in, or their time is over, and that were not told of.

    A game that trips the program up is left out: the digest says so where it tells whom games wait for.
    """
    for game in games:
        try:
            turns = home.turns(game)
            number = turns.newest() + 1
            mark = f"{game} {number}.{turns.revision(number)}"
            if not turns.taken_back(number) or db.note("", f"{_TOLD}{game}") == mark:
                continue
            saved, notes = SavedGame(home, game), read_notes(db, home, game)
            is_ready = not owing_seats(saved, notes) or is_closed(saved, notes, now)
            is_ended = saved.cancelled is not None or notes.rest_at(now) is not None
            if is_ready and not is_ended and is_to_run_again(saved):
                way = rerun_trigger(saved, notes, now).command
                told = (
                    f"{game}: turn {number}, which was taken back, waits for you alone; this runs it: {way}"
                )
                yield PendingRerun(game, mark, f"{game}: run turn {number} again", told)
        except Exception:
            continue


def note_reruns_told(db: Journal, told: Sequence[PendingRerun]) -> None:
    """Note that the moderator was told of these."""
    for one in told:
        db.set_note("", f"{_TOLD}{one.game}", one.mark)


Moment = datetime.datetime

ODD: Final = ("shunted", "warned", "refused", "former", "old-secret", "doubted")
"""Verdicts of mails that a moderator should know of."""

_MOST_RESTING: Final = 10
"""So many games that rest are named."""


@dataclass(frozen=True, slots=True)
class Digest:
    """What a moderator should know after a run.

    Attributes:
        news: What happened since the last digest: turns, mails that came back, odd mails.
        standing: Whom each game that was looked at waits for.
        resting: The games that rest besides.
        asked: Mails of players that wait for an answer of the moderator, a few lines each.
    """

    news: tuple[str, ...]
    standing: tuple[str, ...]
    resting: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the digest as it is mailed and printed."""
        parts = [*self.news]
        if self.asked:
            parts += ["", "To be answered, or put aside:", *self.asked]
        if self.standing or not self.resting:
            waited = self.standing or ("nobody: no game is running",)
            parts += ["", "Waited for:", *(f"  {one}" for one in waited)]
        if self.resting:
            count = len(self.resting)
            games, they = (
                ("1 other game rests", "it waits")
                if count == 1
                else (f"{count} other games rest", "they wait")
            )
            more = f" and {count - _MOST_RESTING} more" if count > _MOST_RESTING else ""
            named = f"{', '.join(self.resting[:_MOST_RESTING])}{more}"
            parts += ["", f"{games} ({named}): nothing changed there. `pbem status` tells whom {they} for."]
        return "\n".join(parts).lstrip()


def news_of(
    home: Home,
    db: Journal,
    results: Sequence[RunOutcome | SkippedGame],
    shown: Collection[str] = frozenset(),
    now: Moment | None = None,
) -> list[str]:
    """Return what happened since the last digest, without these questions; first who was not invited."""
    lost = lost_mails(home, db)
    strange = odd_mail_lines(home, _odd_mails_since_digest(db))
    came_back, odd = lost_mail_lines(db, lost), [*strange, *_new_questions(home, db, shown)]
    by_players = [one.line for one in players_news(home, db, digest_progress(db).acts, now)]
    return [*came_back, *_turn_lines(home, results), *_set_aside_lines(results), *by_players, *odd]


def subject_of_digest(
    home: Home,
    db: Journal,
    results: Sequence[RunOutcome | SkippedGame],
    now: Moment | None = None,
    awaited: Sequence[PendingRerun] = (),
) -> str:
    """Return the subject of a digest: what is new, the gravest first.

    Args:
        home: The home.
        db: Its journal.
        results: What came of each game.
        now: The moment, as `digest` takes it.
        awaited: Turns that wait for the moderator to run them again.
    """
    mails = sorted(lost_mails(home, db), key=is_lost_invitation, reverse=True)
    lost = (f"{one.game or 'host'}: {lost_mail_summary(one)}" for one in mails)
    grave = odd_mail_phrases(
        db.mails_with_verdict([*{*GRAVE} - {"refused"}], after=digest_progress(db).mails)
    )
    turns = (
        f"{one.game}: {'set aside' if isinstance(one, SkippedGame) else f'turn {one.turn}'}"
        for one in results
        if isinstance(one, SkippedGame) or one.turn is not None
    )
    asked = len([*_new_questions(home, db)])
    questions = [f"{asked} new questions" if asked > 1 else "1 new question"] if asked else []
    by_players = (one.brief for one in players_news(home, db, digest_progress(db).acts, now))
    again = (one.brief for one in awaited)
    news = dict.fromkeys([*lost, *grave, *turns, *again, *by_players, *questions])
    return "; ".join(news) or f"{_common_game_prefix(_odd_mails_since_digest(db))}what was odd"


def _odd_mails_since_digest(db: Journal) -> list[Intake]:
    """Return the odd mails that no digest has told of."""
    return [
        one for one in db.mails_with_verdict(ODD, after=digest_progress(db).mails) if not is_answered(one)
    ]


def _common_game_prefix(mails: Sequence[Intake]) -> str:
    """Return the game that all of some mails are about, to stand before what they are; else ""."""
    games = {one.game for one in mails}
    return f"{games.pop()}: " if len(games) == 1 and all(games) else ""


def digest(
    home: Home,
    db: Journal,
    results: Sequence[RunOutcome | SkippedGame],
    games: Sequence[str],
    aside: Aside | None = None,
    *,
    resting: tuple[str, ...] = (),
    asked_of: Collection[str] | None = None,
    is_mailed: bool = False,
    now: Moment | None = None,
    awaited: Sequence[PendingRerun] = (),
) -> Digest:
    """Return what came of a run, and where the games stand now.

    Args:
        home: The home.
        db: Its journal.
        results: What came of each game.
        games: The games that are told of.
        aside: Told of a game that trips the program up, which stands in the digest too.
        resting: The games that rest besides, and are not opened for this; those spoken of are left out.
        asked_of: The games of which players' mails to the moderator are listed; None: all.
        is_mailed: It goes to the moderator by mail, with the addresses for answers.
        now: The moment, which tells whether a pause holds; None for that of each game's newest turn.
        awaited: Turns that wait for the moderator to run them again.
    """
    waiting = open_questions(db, asked_of)
    asked = tuple(_question_lines(home, db, waiting, is_mailed=is_mailed))
    shown = {one.name for one in waiting[:MOST_LISTED]}
    news = (*news_of(home, db, results, shown, now), *(one.line for one in awaited))
    spoken = "\n".join([*news, *(one for one in asked if not one.lstrip().startswith("|"))])
    rest = tuple(game for game in resting if not re.search(rf"(?<![\w-]){re.escape(game)}(?![\w-])", spoken))
    return Digest(news, tuple(_standing_lines(home, db, games, aside, now)), rest, asked)


def untold_news_text(waiting: int) -> str:
    """Say that news wait which nobody can be told, and how to read them."""
    lines = "1 line of news waits" if waiting == 1 else f"{waiting} lines of news wait"
    return f"pbem: {lines} for a moderator whom home.yaml does not name: `pbem digest` shows them"


def _turn_lines(home: Home, results: Sequence[RunOutcome | SkippedGame]) -> Iterator[str]:
    for ran in results:
        if isinstance(ran, SkippedGame) or not (ran.turn is not None or ran.to_send):
            continue
        yield ran.line()
        try:
            yield from _missed_lines(home, ran)
        except Exception as wrong:
            yield f"  who was silent cannot be told: {error_in_words(wrong)}"
        if ran.overrides:
            yield f"  run in spite of: {', '.join(ran.overrides)}"
        yield from ran.to_send


def _missed_lines(home: Home, ran: RunOutcome) -> list[str]:
    if not ran.missed:
        return []
    saved = SavedGame(home, ran.game)
    before, excused = saved.before().players, items_of(fields_of(saved.record["policy"]).get("excused"))
    silent = (
        f"{seat} ({before.holder(seat)}{', away with notice' if seat in excused else ''}"
        f"{', whom mail did not reach' if seat in ran.unreached else ''})"
        for seat in ran.missed
    )
    return [f"  silent: {', '.join(silent)}"]


def _set_aside_lines(results: Sequence[RunOutcome | SkippedGame]) -> Iterator[str]:
    for result in results:
        if isinstance(result, SkippedGame):
            yield from (f"{result.game}: set aside: {reason}" for reason in result.reasons)
            yield from result.to_send


def _new_questions(home: Home, db: Journal, shown: Collection[str] = frozenset()) -> Iterator[str]:
    last = digest_progress(db).mails
    for one in open_questions(db):
        if one.number > last and one.name not in shown:
            yield f"{one.heading(home.zone())}: to be answered"


def _question_lines(
    home: Home, db: Journal, waiting: Sequence[Question], *, is_mailed: bool
) -> Iterator[str]:
    """Yield a few lines of each mail that waits for an answer."""
    told = {game: _may_show(home, game) for game in {one.game for one in waiting[:MOST_LISTED]}}
    for one in waiting[:MOST_LISTED]:
        another = present_holder(home, db, one)
        where = question_sender_address(db, one.number) if another else ""
        yield from one.lines(
            home.zone(),
            may_show_words=told[one.game],
            with_address=is_mailed,
            another=another,
            question_sender_address=where,
        )
    if len(waiting) > MOST_LISTED:
        yield f"  and {len(waiting) - MOST_LISTED} more: `pbem digest` lists them when these are done"


def _may_show(home: Home, game: str) -> bool:
    try:
        return may_show_words(SavedGame(home, game))
    except WrongInput:  # the game is gone or damaged, and nobody can tell who plays it
        return False


def _standing_lines(
    home: Home, db: Journal, games: Sequence[str], aside: Aside | None, now: Moment | None
) -> Iterator[str]:
    news = {(one.game, one.seat) for one in lost_mails(home, db)}
    for game in games:
        try:
            saved = SavedGame(home, game)
            yield from (waits := _waiting_lines(saved, read_notes(db, home, game), now))
            yield from unheard_player_lines(saved, db, news) if waits else ()
        except Exception as wrong:
            yield f"{game}: {error_in_words(wrong)}"
            if aside is not None and not isinstance(wrong, WrongInput):
                aside(f"{game}: nobody can tell whom it waits for", wrong)


def _waiting_lines(saved: SavedGame, notes: Notes, now: Moment | None) -> list[str]:
    """Return whom a game waits for, and which turns were missed or are lost; nothing if it is over."""
    if isinstance(ask := saved.ask, Outcome) or notes.cancelled is not None:
        return []
    at = now or last_run_moment(saved)
    owing, patient = owing_in_words(saved, notes, at)
    deadline = deadline_in_force(saved, notes)
    moved = ", moved since the report" if moved_since_report(saved, notes) else ""
    who, when = (owing, ", due") if owing != "nobody" else ("all orders are in", "; the deadline is")
    due = f"{when} {saved.table.spelled(deadline)}{moved}" if deadline else ""
    rests = ", paused" if notes.rest_at(at) is not None else ""
    held = f", held back: {', '.join(notes.held)}" if notes.held else ""
    again = f"; {why_taken_back(saved, notes, at)}" if is_to_run_again(saved) and not rests else ""
    waits = f"{saved.name} ({ask.label}): {who}{due}{rests}{held}{patient}{again}"
    turns = saved.players.attendance.missed.items()
    missed = [
        f"{seat_with_player(one, saved.players.holder(one))} {n} turn{'s' if n != 1 else ''}"
        for one, n in turns
    ]
    told = [f"  missed in a row: {', '.join(missed)}"] if missed else []
    return [waits, *told, *lost_turn_lines(saved.home, saved.name)]
