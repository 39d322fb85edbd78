"""Mails of players that wait for a word of the moderator, until they are answered or put aside."""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.core.book import Press
from pbem.core.events import MODERATOR, Seat
from pbem.core.interface import Json
from pbem.core.notices import is_to_moderator
from pbem.host.notices.queue import digest_progress, make_act, notice_to_player, render_paragraphs
from pbem.host.run.notes import read_notes
from pbem.host.time.deadlines import deadline_in_force, owing_seats, present_label
from pbem.play.config.schedule import zone_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import sha256
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.records import HOST, Intake, Note, Row, facts_of, iso
from pbem.text.names import mask_tokens
from pbem.text.plaintext import printable_text
from pbem.text.reports.layout import wrap_text

if TYPE_CHECKING:
    from pbem.store.journal import Journal

Moment = datetime.datetime

OPEN: Final = "question:"
"""Begins the keys of notes of mails that wait, before the number of the mail."""

CLOSED: Final = "asked:"
"""The same of those that were answered or put aside, which may be answered again."""

SETTLED: Final = "settled"
"""The act of the host that closes a mail of which a digest told, as good orders of its seat came."""

MOST_LINES: Final = 60
MOST_LETTERS: Final = 4000
MOST_SHOWN: Final = 8
"""So many lines of a mail stand in a digest, and in the answer to it."""

MOST_LISTED: Final = 30
"""So many mails stand in a digest with their words."""

UNTOLD: Final = "You play in this game, so its words are not shown here."


class Question(NamedTuple):
    """A mail of a player that a person should read.

    Attributes:
        number: The number of the mail; 0 of press in a file.
        game: The game it is about.
        seat: The seat that it came from.
        player: The name of who had the seat then.
        at: When it came, ISO 8601.
        words: What it says, with the names of files that came along.
        reply_to: The address at which the moderator answers it; "" if that is not known.
        for_moderator: Its player wrote it to the moderator, and not to the game.
        raw: Where its bytes are kept, from the home's `mail` folder.
        code: What tells it from other mails of the same seat: the same words have the same code.
        tried: It is orders that cannot be understood, and asks nothing: good orders answer it.
        since: Good orders of the seat were lodged since it came.
        subject: Its subject, or "".
        press: What names it where it is press that no mail brings to the moderator: the game and a code;
            else "". Of press without a name nobody is its seat.
        who: Which player that was, from `Tenure.who`; "" if an older pbem noted it, or nobody is to know.
    """

    number: int
    game: str
    seat: str
    player: str
    at: str
    words: str
    reply_to: str
    for_moderator: bool
    raw: str
    code: str
    tried: bool = False
    since: bool = False
    subject: str = ""
    press: str = ""
    who: str = ""

    @property
    def name(self) -> str:
        """What it is answered and put aside by."""
        return self.press or str(self.number)

    def facts(self) -> dict[str, Json]:
        """Return it for who looks at it: without which player that was, which never leaves the home."""
        return {name: value for name, value in self._asdict().items() if name != "who"}

    def heading(self, zone: str) -> str:
        """Return whose it is, and when it came, in the zone of a home; "" is UTC."""
        at = Moment.fromisoformat(self.at).astimezone(zone_of(zone or "UTC"))
        what = f"press {self.press}" if self.press else f"mail {self.number}"
        whose = f"{self.seat} ({self.player})" if self.seat else self.player
        return f"{what}, {whose} in {self.game}, {at:%Y-%m-%d %H:%M %Z}"

    def barred(self, most: int = MOST_LINES) -> str:
        """Return its words as they are shown to others: nothing in them can look like what stands around."""
        return barred(self.words, most)

    def lines(
        self,
        zone: str,
        *,
        may_show_words: bool,
        with_address: bool,
        another: str = "",
        question_sender_address: str = "",
    ) -> list[str]:
        """Return what the digest says of it.

        Args:
            zone: The home's.
            is_told: The moderator may read its words without having asked for them.
            with_address: Where to answer it by mail is said too; that address is a secret.
            another: Who plays the seat now, if its player has left it; no answer goes to them then.
            wrote_from: From where that player had written, or "".
        """
        subject = [f"Subject: {self.subject}"] if self.subject else []
        may_show = may_show_words or self.for_moderator
        shown = [*subject, *self.barred(MOST_SHOWN).splitlines()] if may_show else [UNTOLD]
        if self.since:
            shown = [*shown, "(Orders of theirs were accepted since.)"]
        ways = [f"answer: a mail to {self.reply_to}"] if with_address and self.reply_to else []
        ways += [f'{"or" if ways else "answer"}: pbem answer {self.name} --text "..."'] if self.seat else []
        if another:
            where = f" ({question_sender_address})" if question_sender_address else ""
            left = f"{self.player}{where} plays {self.seat} no more, but {another} does"
            ways = [f"{left}: write to {self.player} yourself"]
        ways += [f"{'when done' if another else 'or'}: pbem answer {self.name} --aside"]
        return [f"  {self.heading(zone)}", *(f"    {one}" for one in (*shown, *ways))]


def barred(words: str, most: int = MOST_LINES) -> str:
    """Return somebody's words with a bar before each line, as many lines as may be shown."""
    return "\n".join(first_lines([f"| {line}".rstrip() for line in words.splitlines()], most))


def first_lines(lines: Sequence[str], most: int) -> list[str]:
    """Return the first of some lines, and how many more there are; a single one more is shown itself."""
    if len(lines) <= most + 1:
        return [*lines]
    return [*lines[:most], f"({len(lines) - most} more lines)"]


def cut(words: str) -> str:
    """Return words as they are kept: of a very long mail the beginning."""
    lines = words.splitlines()
    kept = "\n".join(lines[:MOST_LINES])[:MOST_LETTERS]
    return kept if kept == words else f"{kept}\n(the rest is in the mail itself)"


def note_question(db: Journal, asked: Question) -> None:
    """Note that a mail waits for a word of the moderator."""
    db.write([_open_question_note(asked)])


def open_questions(db: Journal, games: Collection[str] | None = None) -> list[Question]:
    """Return the mails that wait for a word of the moderator, in order of arrival.

    Args:
        db: The journal.
        games: Those about these games; None: all.
    """
    found = [_read_question(text) for text in db.notes("", OPEN).values()]
    return sorted(
        (one for one in found if games is None or one.game in games),
        key=lambda asked: (asked.at, asked.number),
    )


def find_question(db: Journal, name: int | str) -> Question | None:
    """Return a mail or press that waits, or was answered or put aside; None if there never was one."""
    text = db.note("", f"{OPEN}{name}") or db.note("", f"{CLOSED}{name}")
    return _read_question(text) if text else None


def may_show_words(saved: SavedGame) -> bool:
    """Tell whether the moderator may be shown the words of mails that nobody has written to the moderator.

    A moderator who has a seat in the game may not: its players may have written of their plans.
    """
    settings, section = saved.home.settings(), saved.home.mail_section()
    name, address = str(settings.get("moderator", "")), str(section.get("moderator", ""))
    addresses = {one.casefold() for one in saved.table.addresses.values()}
    return not saved.tenures.has_name(name) and (not address or address.casefold() not in addresses)


def _owed_text(saved: SavedGame, db: Journal, seat: Seat) -> str:
    """Return that a seat's orders are still asked for, and by when, in sentences; "" if they are not."""
    notes = read_notes(db, saved.home, saved.name)
    if saved.cancelled is not None or seat not in owing_seats(saved, notes):
        return ""
    deadline = deadline_in_force(saved, notes)
    by = f", by {saved.table.spelled(deadline, seat)}" if deadline is not None else ""
    form = "A mail with the one word `resend` brings the form again."
    return f"\n\nYour orders for {present_label(saved)} are still asked for{by}. {form}"


def answer(
    home: Home, db: Journal, name: int | str, text: str, now: Moment, *, by_mail: bool = False
) -> tuple[Question, tuple[Row, ...]]:
    """Return a mail that the moderator answers, and what is noted of it: its player is told.

    Args:
        home: The home.
        db: Its journal.
        name: The number of the mail, or what names press.
        text: The moderator's words.
        now: The moment.
        by_mail: The moderator mailed it, and sees only by a digest that the host sends it on.

    Raises:
        RequestRefused: There is no such mail, its player has lost the seat, or nobody can be told by mail.
    """
    asked = _find_question(db, name)
    if not asked.seat:
        raise RequestRefused("nobody knows who wrote this.", f"Put it aside: pbem answer {name} --aside")
    if not text.strip():
        raise RequestRefused("an answer needs words.", "Write them.")
    saved, seat = SavedGame(home, asked.game), Seat(asked.seat)
    if not saved.tenures.is_present(seat, asked.who or asked.player):
        now_theirs = f"{asked.seat} is played by {saved.players.holder(seat)} now, and not by {asked.player}."
        at = f" ({where})" if (where := question_sender_address(db, asked.number)) else ""
        way_out = (
            f"The answer went to nobody; write to {asked.player} yourself{at}. The mail waits until you put "
            f"it aside: `pbem answer {name} --aside`, or the word `aside` in a reply to it."
        )
        raise RequestRefused(now_theirs, way_out)
    at = saved.table.spelled(Moment.fromisoformat(asked.at), seat)
    title, above, between, below = render_paragraphs(home, "notices/answer", {"at": at}).split("\n\n")
    quoted = f"{barred(text.strip())}\n\n{between}\n\n{asked.barred(MOST_SHOWN)}"
    words = wrap_text(f"{above}\n\n{quoted}\n\n{below}{_owed_text(saved, db, seat)}")
    what, unique = "press" if asked.press else "mail", f"answer {name} {text.strip()}"
    facts = facts_of("answer", name=asked.name, what=what, seat=seat, player=asked.player)
    told = notice_to_player(saved, now, seat, "notice", unique, title, words, facts=facts)
    if not told:
        raise RequestRefused(
            f"no mail can be sent to {asked.seat} ({asked.player}).", "Tell them by other means."
        )
    told = tuple(one._replace(name=f"{one.name}.in{name}") for one in told)  # `pbem answer` finds it
    who = HOST if by_mail else MODERATOR
    done = make_act(now, asked.game, "answer", public=False, who=who, facts=facts)
    return asked, (*told, done, *_closing_notes(asked))


def present_holder(home: Home, db: Journal, asked: Question) -> str:
    """Return who plays the seat of a mail now, if the player who wrote it has left; "" if nobody knows."""
    if not asked.seat:
        return ""
    try:
        saved, seat = SavedGame(home, asked.game), Seat(asked.seat)
        is_theirs = saved.tenures.is_present(seat, asked.who or asked.player)
        return "" if is_theirs else saved.players.holder(seat)
    except WrongInput:  # the game is gone or damaged
        return ""


def question_sender_address(db: Journal, number: int) -> str:
    """Return from which address a mail came, which the moderator alone is told; "" if it is not known."""
    try:
        return printable_text(db.intake(number).envelope_from)
    except LookupError:
        return ""


def close_question(db: Journal, name: int | str) -> Question:
    """Let a mail wait no longer, without an answer.

    Raises:
        RequestRefused: There is no such mail.
    """
    asked = _find_question(db, name)
    db.write(_closing_notes(asked))
    return asked


def note_orders_lodged(db: Journal, game: str, seat: Seat, now: Moment) -> None:
    """Note that good orders of a seat were lodged: what they answer waits no longer, as a digest says."""
    for one in open_questions(db, [game]):
        if one.seat == seat and one.tried:
            if one.number <= digest_progress(db).mails:
                facts = facts_of("question-settled", name=one.name, seat=seat)
                db.act(make_act(now, game, SETTLED, public=False, who=HOST, facts=facts))
            db.write(_closing_notes(one))
        elif one.seat == seat and not (one.since or one.press):
            note_question(db, one._replace(since=True))


def departure_notes(db: Journal, game: str, seat: Seat) -> tuple[Note, ...]:
    """Return what is noted when a seat's player leaves: orders that nobody understood wait no longer."""
    tried = [one.number for one in open_questions(db, [game]) if one.seat == seat and one.tried]
    return tuple(Note("", f"{OPEN}{number}", None) for number in tried)


def _closing_notes(asked: Question) -> tuple[Note, Note]:
    """Return the notes of a mail that waits no longer; of its words as many are kept as an answer quotes."""
    kept = asked._replace(words="\n".join(asked.words.splitlines()[:MOST_SHOWN]))
    noted = Note("", f"{CLOSED}{asked.name}", json.dumps(kept._asdict()))
    return Note("", f"{OPEN}{asked.name}", None), noted


def _open_question_note(asked: Question) -> Note:
    return Note("", f"{OPEN}{asked.name}", json.dumps(asked._asdict()))


def waiting_press(
    saved: SavedGame, seat: Seat, said: Iterable[Press], now: Moment, mail: Intake | None = None
) -> tuple[Note, ...]:
    """Return what is noted of press to the moderator that no mail brings there: it waits for a word.

    The journal is opened only where there is any: a home without mail has one no sooner.

    Args:
        saved: The game.
        seat: Whose press it is.
        said: The messages; those to seats alone are nothing of the moderator's.
        now: The moment.
        mail: The mail that it came in; None: a file.
    """
    found = [_press_question(saved, seat, press, now, mail) for press in said if is_to_moderator(press)]
    if not found:
        return ()
    with saved.home.journal() as db:
        return tuple(_open_question_note(one) for one in found if find_question(db, one.press) is None)


def _press_question(saved: SavedGame, seat: Seat, press: Press, now: Moment, mail: Intake | None) -> Question:
    code = sha256("\0".join([str(saved.turn), seat, press.say]).encode())[:6]
    return Question(
        number=mail.id if mail else 0,
        game=saved.name,
        seat="" if press.anonymous else seat,
        player="somebody" if press.anonymous else saved.players.holder(seat),
        at=iso(now),
        words=cut(mask_tokens(press.say)),
        reply_to="",
        for_moderator=True,
        raw=mail.raw if mail else "",
        code=code,
        press=f"{saved.name}.{code}",
        who="" if press.anonymous else saved.tenures.current(seat).who,
    )


def open_question_lines(home: Home, db: Journal, games: Collection[str] | None = None) -> Iterator[str]:
    """Yield what players wrote to the moderator that was neither answered nor put aside, in a line each."""
    for one in open_questions(db, games):
        if one.for_moderator:
            yield f"{one.heading(home.zone())}: pbem answer {one.name}"


def _find_question(db: Journal, name: int | str) -> Question:
    found, number = find_question(db, name), int(name) if str(name).isdecimal() else 0
    if found is None:
        for mail in db.mails_with_verdict(["former"], after=number - 1) if number else ():
            if mail.id == number:
                hint = f"Nothing of it waits for you. If you answer, write to {mail.envelope_from} yourself."
                raise RequestRefused(f"mail {number} is from a former player of {mail.game}.", hint)
        raise RequestRefused(
            f"no {'mail' if number else 'press'} {name} asks for an answer.",
            "`pbem digest` lists those that do.",
        )
    return found


def _read_question(text: str) -> Question:
    return Question(**json.loads(text))
