"""What was done and what is to be told, to players and the moderator, each once; templates make its words."""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Concatenate, Final, NamedTuple, ParamSpec

from pbem.core.events import Seat
from pbem.core.interface import Json, Label, Outcome
from pbem.host.run.notes import VOTE_NAMES, collect_unmailable
from pbem.play.config.gamefile import Absence, GameTable
from pbem.play.config.templates import render_mail_words
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import objects_in, short_root
from pbem.play.turn.running import RunOutcome
from pbem.play.turn.turnfiles import describe_game
from pbem.store.errors import WrongInput
from pbem.store.records import MODERATOR, Act, Kind, QueuedNotice, facts_of, iso, kind_of, read_facts
from pbem.text.reports.layout import joined, wrap_text

if TYPE_CHECKING:
    from pbem.store.journal import Journal


Moment = datetime.datetime

FOR_NEW_PLAYER: Final = "for-"
"""Begins the title of a wish for the newest report that invites the new player of a seat."""


def notices_to_all(
    saved: SavedGame,
    now: Moment,
    about: str,
    title: str | Callable[[Seat], str],
    words: Callable[[Seat], str],
    kind: Kind = "notice",
    *,
    facts: str,
) -> tuple[QueuedNotice, ...]:
    """Return what every player of a game is told.

    Args:
        saved: The game.
        now: The moment.
        about: What it is about: the same is never told twice.
        title: The subject, without the game; or that of each seat, where they differ.
        words: What a seat is told.
        kind: What it is.
        facts: The same as data, from `facts_of`.
    """

    def told(seat: Seat) -> tuple[QueuedNotice, ...]:
        subject = title if isinstance(title, str) else title(seat)
        return notice_to_player(saved, now, seat, kind, about, subject, words(seat), facts=facts)

    return tuple(one for seat in players(saved) for one in told(seat))


def players(saved: SavedGame) -> list[Seat]:
    """Return the seats that people play, in seating order."""
    return [seat for seat in saved.start.seats if seat not in {*saved.table.bots, *saved.table.free}]


def notice_to_player(
    saved: SavedGame, now: Moment, seat: Seat, kind: Kind, about: str, title: str, text: str, *, facts: str
) -> tuple[QueuedNotice, ...]:
    """Return what one player is told; without mail or an address nobody is told."""
    reader, address = saved.tenures.current(seat).who, saved.players.address(seat)
    return _telling(saved, now, seat, reader, address, kind, about, title, text, facts, is_theirs=True)


def about_game(saved: SavedGame) -> str:
    """Return what a player is told of a game who may never have heard of it: its rules, and who hosts it.

    Raises:
        WrongInput: A template fails.
    """
    return f"{describe_game(saved)} A mail with the one word `rules` brings its rules."


def former_player_notice(
    saved: SavedGame,
    now: Moment,
    seat: Seat,
    former: Person,
    about: str,
    title: str,
    text: str,
    *,
    facts: str,
) -> tuple[QueuedNotice, ...]:
    """Return what the player is told who has just lost a seat.

    The letter names no address of the seat, and if it comes back, no mail to the seat is thought to have.

    Args:
        saved: The game.
        now: The moment.
        seat: The seat.
        former: Whose it was.
        about: What it is about: the same is never told twice.
        title: The subject, without the game.
        text: What they are told.
        facts: The same as data, from `facts_of`.
    """
    return _telling(
        saved, now, seat, former.player, former.address, "notice", about, title, text, facts, is_theirs=False
    )


def newest_report_telling(saved: SavedGame, now: Moment, seat: Seat, about: str) -> tuple[QueuedNotice, ...]:
    """Return that a seat shall have its newest report once more.

    Args:
        saved: The game.
        now: The moment.
        seat: The seat.
        about: What tells this wish from others: the same again brings nothing more.
    """
    return notice_to_player(
        saved, now, seat, "report", about, about, "", facts=facts_of("report-again", turn=saved.turn)
    )


def tell_moderator(
    home: Home,
    db: Journal,
    now: Moment,
    kind: Kind,
    about: str,
    title: str,
    text: str,
    game: str = "",
    *,
    facts: str,
) -> bool:
    """Tell the moderator something; return whether it is new. Without an address there is nobody to tell.

    Args:
        home: The home.
        db: The journal.
        now: The moment.
        kind: What it is.
        about: What it is about: the same is never told twice.
        title: The subject, without the game.
        text: What is told.
        game: The game it is about, or "".
        facts: The same as data, from `facts_of`.
    """
    address = str(home.mail_section().get("moderator", ""))
    if not address:
        return False
    name = telling_name(game or "host", 0, "moderator", kind, about)
    return db.tell(QueuedNotice(name, game, 0, "", kind, address, "", 0, title, text, iso(now), facts))


def tell_of_overrides(home: Home, db: Journal, now: Moment, failed: Iterable[str]) -> None:
    """Tell the moderator what failed in templates of the home, once each.

    Args:
        home: The home.
        db: The journal.
        now: The moment.
        failed: What failed, from `faults_of_overrides`.
    """
    for fault in failed:
        text = f"A template of this home fails, and the shipped one took its place: {fault}."
        facts = facts_of("template-failed", file=fault.partition(":")[0])
        tell_moderator(home, db, now, "notice", fault, "A template fails", text, facts=facts)


def _telling(
    saved: SavedGame,
    now: Moment,
    seat: Seat,
    reader: str,
    address: str,
    kind: Kind,
    about: str,
    title: str,
    text: str,
    facts: str,
    *,
    is_theirs: bool,
) -> tuple[QueuedNotice, ...]:
    name = telling_name(saved.name, saved.turn, seat, kind, about)
    of, mail = (saved.name, saved.turn, seat, kind), (address, reader, int(is_theirs))
    told = QueuedNotice(name, *of, *mail, title, text, iso(now), facts)
    if is_mailed(saved.home, address):
        return (told,)
    if saved.home.unmailed is not None:
        saved.home.unmailed.setdefault(name, told)
    return ()


def is_mailed(home: Home, address: str) -> bool:
    """Tell whether mail goes from a home to an address."""
    return bool(address and home.mail_section())


def telling_name(game: str, turn: int, reader: str, kind: str, about: str) -> str:
    """Return the name of something to be told: the same for the same thing, always."""
    told = hashlib.sha256(f"{game}\n{turn}\n{reader}\n{kind}\n{about}".encode()).hexdigest()[:20]
    return f"{game}.t{turn}.{kind}.{told}"


def make_act(
    now: Moment, game: str, act: str, *, public: bool, facts: str, who: str = MODERATOR, detail: str = ""
) -> Act:
    """Return an act as it is written down.

    Args:
        now: The moment.
        game: The game, or "".
        act: The verb.
        public: It touched the game, so that all its players may read it.
        facts: What was done, from `facts_of`.
        who: Who did it: the moderator, the host or a seat.
        detail: The words of an announcement or a fault.
    """
    return Act(iso(now), who, game, act, detail, int(public), facts)


P = ParamSpec("P")
_RULE: Final = "-" * 20


def append_words_to_send(
    deed: Callable[Concatenate[Home, str, P], str],
) -> Callable[Concatenate[Home, str, P], str]:
    """Let a deed that is told in a sentence tell too what the moderator is to send by hand."""

    @functools.wraps(deed)
    def done(home: Home, game: str, /, *more: P.args, **named: P.kwargs) -> str:
        with collect_unmailable(home) as found:
            said = deed(home, game, *more, **named)
        return "\n".join([said, *words_to_send(home, game, found)])

    return done


def words_to_send(home: Home, game: str, found: Mapping[str, QueuedNotice]) -> Iterator[str]:
    """Yield what the moderator is to send by hand, in lines: the same words once, with all their readers."""
    if not found:
        return
    saved = SavedGame(home, game)
    texts: dict[tuple[str, str], list[str]] = {}
    for one in found.values():
        if one.kind != "report":
            texts.setdefault((one.title, one.words), []).append(_reader_text(saved, one))
    has_mail = bool(home.mail_section())
    why = "No mail goes to readers without an address" if has_mail else "No mail goes out of this home"
    yield f"{why}: send this yourself."
    for (title, words), readers in texts.items():
        yield f"{_RULE} to {', '.join(readers)}{'; to each alone' if len(readers) > 1 else ''}"
        yield f"Subject: [{game}] {title}\n"
        yield from (wrap_text(line) if line.strip() else "" for line in words.splitlines())
    if texts:
        yield _RULE
    reports = [one for one in found.values() if one.kind == "report"]
    for seat in (one.seat for one in reports):
        kept = f"kept in {saved.turns.at(saved.turn) / 'reports' / seat}"
        along = f"Send report {saved.turn} and its form along"
        yield f"{along}: pbem report {game} {seat}, pbem form {game} {seat} ({kept})"
    pages = f"with the order pages: pbem report {game} --all DIR"
    if any(one.title.startswith(FOR_NEW_PLAYER) for one in reports):
        yield f"The player is new, so send the game book too: pbem book {game}. All of it, {pages}"
    elif len(reports) > 1:
        yield f"All of them at once, {pages}"


def _reader_text(saved: SavedGame, told: QueuedNotice) -> str:
    seat = Seat(told.seat)
    name = saved.players.holder(seat) if told.is_theirs else told.reader
    return f"{seat} ({', '.join(one for one in (name, told.address) if one)})"


_TOLD: Final = "digested"
"""The key of the note that says it."""

_OWED: Final = "digest owed"
"""The key of the note of the games that a night job runs, each with its newest turn before."""


class DigestProgress(NamedTuple):
    """How far digests have told.

    Attributes:
        mails: The number of the last mail taken in.
        came_back: The numbers of the mails that came back.
        acts: The number of the last act; earlier versions noted none.
    """

    mails: int = 0
    came_back: tuple[int, ...] = ()
    acts: int = 0


def digest_progress(db: Journal) -> DigestProgress:
    """Return how far digests have told."""
    text = db.note("", _TOLD)
    try:
        mails, came_back, *acts = json.loads(text) if text else (0, [])
        return DigestProgress(int(mails), tuple(came_back), int(acts[0]) if acts else 0)
    except (ValueError, TypeError):  # the row is damaged: better told twice than never again
        return DigestProgress()


def journal_mark(db: Journal) -> str:
    """Return how far mails and acts have come: read it before a digest is gathered."""
    return json.dumps([db.last_processed(), [one.id for one in db.came_back()], db.last_act()])


def note_owed_turns(home: Home, db: Journal, games: Sequence[str]) -> None:
    """Note, before games are run, which turns a digest must tell of, should this program be killed."""
    if not games or not home.mail_section().get("moderator"):
        return
    owed: dict[str, int] = json.loads(db.note("", _OWED) or "{}")
    db.set_note("", _OWED, json.dumps({**{game: _newest_turn_number(home, game) for game in games}, **owed}))


def owed_turn_outcomes(home: Home, db: Journal, told: Container[str]) -> list[RunOutcome]:
    """Return the newest turns that a night job made, and was killed before it told of them.

    Args:
        home: The home.
        db: Its journal.
        told: The games of which a turn is told anyway.
    """
    owed: dict[str, int] = json.loads(db.note("", _OWED) or "{}")
    late = [
        game for game, before in owed.items() if game not in told and _newest_turn_number(home, game) > before
    ]
    return [ran for game in late if (ran := _remembered_run(home, game)) is not None]


def _newest_turn_number(home: Home, game: str) -> int:
    """Return the number of a game's newest turn; 0 of a game that is gone or damaged."""
    return max(home.store.turns(game), default=0) if home.has(game) else 0


def _remembered_run(home: Home, game: str) -> RunOutcome | None:
    """Return a newest turn as its run told it, as far as it stands in the turn."""
    try:
        saved = SavedGame(home, game)
        labels = tuple(Label(str(one["label"])) for one in objects_in(saved.record["steps"]))
        outcome = saved.ask if isinstance(saved.ask, Outcome) else None
        label = "" if isinstance(saved.ask, Outcome) else saved.ask.label
        return RunOutcome(game, saved.turn, labels, label, (), outcome, short_root(str(saved.record["root"])))
    except WrongInput:
        return None


def note_digest_told(db: Journal, upto: str) -> None:
    """Note that everything was told up to where `journal_mark` has found the mails and acts."""
    db.set_note("", _TOLD, upto)
    clear_owed_turns(db)


def clear_owed_turns(db: Journal) -> None:
    """Note that no turn is left of which a digest must tell."""
    if db.note("", _OWED) is not None:
        db.set_note("", _OWED, None)


_MOMENTS: Final = ("start", "end", "due")
"""Facts that are moments."""


class NoticeText(NamedTuple):
    """A notice in words.

    Attributes:
        title: Its subject, without the game.
        text: A line for each paragraph, and for each item of a list.
    """

    title: str
    text: str


def render_paragraphs(home: Home, template: str, facts: Mapping[str, Json]) -> str:
    """Return what a template of mails makes of facts, a line for each paragraph.

    Args:
        home: The home, which may have changed it.
        template: Its path in `templates/mail`, without its ending.
        facts: What it is made of.

    Raises:
        WrongInput: It fails.
    """
    return joined(render_mail_words(home.templates, template, facts))


def notice_words(home: Home, kind: str, facts: Mapping[str, Json]) -> NoticeText:
    """Return the words of a notice; the first paragraph of its template is the title.

    Args:
        home: The home.
        kind: Its kind, one of `records.KINDS`.
        facts: What is told, more than the journal keeps: it is for one reader.
    """
    title, _, text = render_paragraphs(home, f"notices/{kind}", facts).partition("\n\n")
    return NoticeText(title, text)


def act_words(home: Home, act: Act, table: GameTable | None, **instead: Json) -> str:
    """Return an act in the words of the template of its kind; of an older pbem's act, those that it noted.

    Args:
        home: The home.
        act: The act.
        table: The table of its game, whose zone its moments are told in; None if it is damaged.
        instead: What is told in place of some of its facts, or besides.
    """
    if act.detail:
        return act.detail
    told: dict[str, Json] = {"over": False, "game": act.game, **read_facts(act.facts), **instead}
    if "vote" in told:
        told["what"] = VOTE_NAMES[str(told["vote"])]
    zone = table.deadline.tzinfo if table is not None and table.deadline is not None else datetime.UTC
    moments = {
        name: Moment.fromisoformat(str(told[name])).astimezone(zone) for name in _MOMENTS if told.get(name)
    }
    if told["kind"] == "absence-noted" and table is not None:
        seat = Seat(str(read_facts(act.facts)["seat"]))
        told["away"] = Absence(moments["start"], moments["end"]).told_to_host(table, seat)
    told |= {name: table.public_moment_text(one) if table else iso(one) for name, one in moments.items()}
    return render_paragraphs(home, f"acts/{told['kind']}", told)


def player_notices(
    saved: SavedGame,
    now: datetime.datetime,
    about: str,
    facts: str,
    told: Callable[[Seat], Mapping[str, Json]],
    *,
    kind: Kind = "notice",
) -> tuple[QueuedNotice, ...]:
    """Return what every player of a game is told, in the words of the template of its kind.

    Args:
        saved: The game.
        now: The moment.
        about: What it is about: the same is never told twice.
        facts: What the journal keeps of it, from `facts_of`.
        told: What one player is told, from which the words are made.
        kind: Of which mails it is one.
    """

    def one(seat: Seat) -> tuple[QueuedNotice, ...]:
        words = notice_words(saved.home, kind_of(facts), told(seat))
        return notice_to_player(saved, now, seat, kind, about, words.title, words.text, facts=facts)

    return tuple(telling for seat in players(saved) for telling in one(seat))
