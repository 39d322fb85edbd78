"""Commands by mail: one table of words, a function each, and how a game stands."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.core.notices import press_readers
from pbem.host.notices.queue import render_paragraphs
from pbem.host.people.votes import vote
from pbem.host.run.losses import is_to_run_again
from pbem.host.run.notes import VOTE_KINDS, GameEndedError, Notes, read_notes, refuse_cancelled, vote_count
from pbem.host.time.dates import EXAMPLES, read_when
from pbem.host.time.deadlines import moved_since_report, owing_seats
from pbem.host.time.extensions import announce_absence, cancel_absences, make_absence
from pbem.mail.arrivals.desk import Desk
from pbem.mail.conversation.pressmail import reader_text
from pbem.mail.outgoing.letters import LetterContext, form_page_file, newest_report
from pbem.play.config.schedule import DAY
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import LodgedOrders, read_lodged_orders
from pbem.play.submissions.receipts import waiting_orders
from pbem.store.errors import RequestRefused
from pbem.store.stamped import act_key, store_with_stamp
from pbem.text.codec import canonical_yaml, encode
from pbem.text.mail.compose import Attachment
from pbem.text.mail.plainwords import is_closing, is_thanks, person_lines
from pbem.text.names import seat_in_game
from pbem.text.plaintext import with_plain_hyphens

_DAY: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_BETWEEN: Final = re.compile(
    rf"\s+(?:to|until|till|through|[-–])\s+|(?<=[a-z])\s*[-–]\s*(?=[0-9])|\s*\.\.\s*|(?<=[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})\s*[-/]\s*(?={_DAY})",
    re.IGNORECASE,
)
"""What stands between the first day of an absence and its last."""

_TH: Final = r"(?:\.|st|nd|rd|th)?"
_IN_A_MONTH: Final = re.compile(
    rf"(?P<before>[a-z]{{3,}}\.? )?(?P<first>[0-9]{{1,2}}{_TH})\s*(?:to|until|till|through|[-–])\s*"
    rf"(?P<last>[0-9]{{1,2}}{_TH})(?P<after>(?(before)|(?: of)? [a-z]{{3,}}\.?)(?:,? [0-9]{{4}})?)",
    re.IGNORECASE,
)
"""Two days of a month that is named once: `10 to 12 December`, `Dec 10-12`."""

_VOTE_STARTS: Final = re.compile(r"^(?:for\s+)?(?:an?\s+|the\s+)?")
_VOTE_ENDS: Final = re.compile(r"\s+of\s+(?:the|this|our)\s+(?:deadline|game)\W*$")
"""What may stand around the word of a vote: `for an extension of the deadline`."""

_BEFORE: Final = re.compile(r"^(?:from|until|till|to)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A command as it was given.

    Attributes:
        words: What stands behind its word.
        number: The number of its mail.
    """

    words: str
    number: int


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """What came of a command, for its sender.

    Attributes:
        subject: In a few words.
        paragraphs: In sentences.
        quoted: What is shown besides, such as orders.
        attachments: Files that come with it.
        is_done: It was carried out.
        tells_end: It says how the moderator ended the game.
    """

    subject: str
    paragraphs: tuple[str, ...]
    quoted: str = ""
    attachments: tuple[Attachment, ...] = ()
    is_done: bool = True
    tells_end: bool = False


def _render_answer(
    saved: SavedGame,
    template: str,
    facts: Mapping[str, Json],
    quoted: str = "",
    *,
    attachments: tuple[Attachment, ...] = (),
    is_done: bool = True,
    tells_end: bool = False,
) -> CommandAnswer:
    """Return what a template of `mail/commands` makes of facts; its first paragraph is the subject."""
    subject, *paragraphs = render_paragraphs(saved.home, f"commands/{template}", facts).split("\n\n")
    return CommandAnswer(subject, tuple(paragraphs), quoted, attachments, is_done, tells_end)


def send_rules(desk: Desk, saved: SavedGame, _seat: Seat, _wish: CommandCall) -> CommandAnswer:
    """Send the game book, as a page and as plain text."""
    files = LetterContext(desk.settings, saved, desk.db).book
    told: dict[str, Json] = {"game": saved.name, "page": files[0].name, "text": files[1].name}
    return _render_answer(saved, "rules", told, attachments=files)


def resend(desk: Desk, saved: SavedGame, seat: Seat, wish: CommandCall) -> CommandAnswer:
    """Send the seat's newest report again."""
    mail = newest_report(LetterContext(desk.settings, saved, desk.db), seat, f"in{wish.number}", desk.now)
    if mail is not None:
        desk.db.put(mail, desk.now)
    return _render_answer(saved, "resend", {"turn": saved.turn})


def send_form_page(desk: Desk, saved: SavedGame, seat: Seat, _wish: CommandCall) -> CommandAnswer:
    """Send the seat's form page, also where it is not asked yet."""
    if isinstance(saved.ask, Outcome):
        raise RequestRefused(f"{saved.name} is over; there is nothing to order.")
    refuse_cancelled(saved)
    due = moved_since_report(saved, read_notes(desk.db, saved.home, saved.name), seat)
    file = form_page_file(LetterContext(desk.settings, saved, desk.db), seat, due)
    return _render_answer(saved, "page", {"page": file.name}, attachments=(file,))


def example_absence(now: datetime.datetime) -> str:
    """Return a first day and a last that are to come, as `absent` takes them: an example."""
    first, last = (now + days * DAY for days in (14, 21))
    return f"{first:%Y-%m-%d} to {last:%Y-%m-%d}"


def announce_days_away(desk: Desk, saved: SavedGame, seat: Seat, wish: CommandCall) -> CommandAnswer:
    """Note that the seat's player is away, whole days in the player's own time zone."""
    words = wish.words.lower()
    if words in ("off", "no", "cancel", "back"):
        effect = cancel_absences(desk.home, saved.name, seat, desk.now, seat)
        return _render_answer(saved, "absent-back", {"effect": effect})
    if not words:
        raise RequestRefused("it names no days.", to_player="A day is written 2026-12-24 or 24 Dec.")
    days = _days(_BEFORE.sub("", wish.words.strip()))
    if len(days) > 2:
        raise RequestRefused(f"{wish.words!r} names more than a first day and a last.", to_player=EXAMPLES)
    *first, last = (read_when(day, desk.now, saved.table.zone_of(seat)) for day in days)
    absence = make_absence(first[0] if first else None, last, desk.now)
    effect = announce_absence(desk.home, saved.name, seat, absence, desk.now, seat)
    return _render_answer(saved, "absent", {"away": absence.told(saved.table, seat), "effect": effect})


def _days(words: str) -> list[str]:
    """Return the first day and the last of an absence, or the last alone; a month may count for both."""
    if found := _IN_A_MONTH.fullmatch(words):
        before, after = found["before"] or "", found["after"].replace(" of ", " ")
        return [f"{before}{found[day]}{after}".replace(".", "") for day in ("first", "last")]
    return _BETWEEN.split(words)


def vote_for(desk: Desk, saved: SavedGame, seat: Seat, wish: CommandCall) -> CommandAnswer:
    """Vote; what is carried by it happens."""
    return _vote(desk, saved, seat, wish, yes=True)


def withdraw_vote(desk: Desk, saved: SavedGame, seat: Seat, wish: CommandCall) -> CommandAnswer:
    """Take a vote back."""
    return _vote(desk, saved, seat, wish, yes=False)


def _vote(desk: Desk, saved: SavedGame, seat: Seat, wish: CommandCall, *, yes: bool) -> CommandAnswer:
    kind = _VOTE_STARTS.sub("", _VOTE_ENDS.sub("", wish.words.lower())).strip()
    kind = "extension" if kind == "extend" else kind
    if kind not in VOTE_KINDS:
        known = f"There are votes for {', '.join(VOTE_KINDS)}."
        raise RequestRefused(f"there is no vote for {kind!r}.", to_player=known)
    voted = vote(desk.home, saved.name, seat, kind, desk.now, yes=yes)
    return CommandAnswer(f"Your vote: {kind}", (voted.text,))


def status(desk: Desk, saved: SavedGame, seat: Seat, _wish: CommandCall) -> CommandAnswer:
    """Tell how the game stands, as all may know, and the seat's own orders."""
    ask = saved.ask
    if isinstance(ask, Outcome):
        return _render_answer(saved, "status-over", {"game": saved.name, "reason": ask.reason})
    if saved.cancelled is not None:
        ended: dict[str, Json] = {"game": saved.name, "why": saved.cancelled.why}
        return _render_answer(saved, "status-ended", ended, tells_end=True)
    notes, found = read_notes(desk.db, saved.home, saved.name), read_lodged_orders(saved)
    asked = [one for one in saved.start.seats if one in ask.seats]
    is_again, owes = is_to_run_again(saved), seat in owing_seats(saved, notes, found)
    orders = canonical_yaml(found.orders.get(seat, Orders())._replace(press=()))
    waiting = waiting_orders(saved, seat) if is_again else {}
    mine = ("unfit" if owes else "stand") if orders else "wait" if waiting else ""
    first = min(waiting) if mine == "wait" else 0
    if first:
        orders = canonical_yaml(waiting.pop(first)._replace(press=()))
    told: dict[str, Json] = {
        "game": saved.name,
        "label": ask.label,
        "asked": [*asked],
        "again": saved.turn + 1 if is_again else 0,
        "is_asked": seat in asked,
        "owes": owes,
        "others": any(one != seat for one in asked),
        "waiting": [*waiting],
        "first": first,
        "points": _points_in(saved),
        "votes": [*_votes_of(saved, notes, seat)],
        "messages": _messages_of(saved, found, seat),
        "at_once": saved.table.press.deliver == "at once",
        "mine": mine,
    }
    return _render_answer(saved, "status", told, orders)


def _points_in(saved: SavedGame) -> list[Json]:
    """Return who has how many points, if the public report shows any."""
    view = encode(saved.view(saved.position.game, None))
    for shown in (view, *view.values()) if isinstance(view, dict) else ():
        points = [(seat, _points_of(shown, seat)) for seat in saved.start.seats]
        if all(number is not None for _, number in points):
            return [[reader_text(saved, seat), number] for seat, number in points]
    return []


def _points_of(shown: Json, seat: Seat) -> int | None:
    side = shown.get(seat) if isinstance(shown, dict) else None
    points = side.get("points") if isinstance(side, dict) else None
    return points if isinstance(points, int) else None


def _votes_of(saved: SavedGame, notes: Notes, seat: Seat) -> Iterator[Json]:
    """Yield how the votes of this turn stand; where they are secret, which the seat has given."""
    for found in (vote_count(saved, notes, kind) for kind in VOTE_KINDS):
        is_public = saved.table.votes == "public"
        if (found.ayes and is_public) or seat in found.ayes:
            ayes: list[Json] = [*found.ayes] if is_public else []
            yield {"kind": found.kind, "ayes": ayes, "needed": found.needed}


def _messages_of(saved: SavedGame, found: LodgedOrders, seat: Seat) -> int:
    """Return how many messages of a seat no turn has taken yet."""
    orders = found.orders_with_press().get(seat)
    return sum(
        bool(press_readers(one, saved.start.seats)) for one in (orders.press if orders is not None else ())
    )


_START: Final = re.compile(r"(?:\s*(?:re|aw|sv|fwd?|antw|vs|wg)\s*:|\s*\[[^\]]{0,80}\])*\s*", re.IGNORECASE)
_POLITE: Final = re.compile(r"(?:^|(?<![\s,])[\s,]+)(?:please|thanks|thank you)\s*$", re.IGNORECASE)
_FOR_ME: Final = re.compile(r"me\b[\s,]*(?=(?:please|thanks)?$)", re.IGNORECASE)
_MOST_WORDS: Final = 10
_LONGEST: Final = 200
"""Letters of a command: what is longer is none, and no pattern is run over it."""


@dataclass(frozen=True, slots=True)
class CommandLead:
    """A command as it was given.

    Attributes:
        word: Its word, in lower case.
        rest: What stands behind it.
    """

    word: str
    rest: str


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table.

    Attributes:
        usage: How it is written.
        what: What it does.
        carry_out: Does it; raises Declined with what would be right.
        has_words: Words may stand behind it.
    """

    usage: str
    what: str
    carry_out: Callable[[Desk, SavedGame, Seat, CommandCall], CommandAnswer]
    has_words: bool = False


def _help(_desk: Desk, saved: SavedGame, seat: Seat, _wish: CommandCall) -> CommandAnswer:
    """Say what can be asked for by mail."""
    lines = [f"{command.usage}\n    {command.what}" for command in COMMANDS.values()]
    return _render_answer(saved, "help", {"here": seat_in_game(seat, saved.name)}, "\n".join(lines))


COMMANDS: Final[Mapping[str, Command]] = {
    "help": Command("help", "Brings this list.", _help),
    "rules": Command("rules", "Brings the game book: rules, tables, how orders are written.", send_rules),
    "status": Command(
        "status",
        "Tells how the game stands, with points and votes, and your orders in it.",
        status,
    ),
    "resend": Command("resend", "Brings your newest report again.", resend),
    "page": Command(
        "page", "Brings the page to click orders in, also while you are not asked.", send_form_page
    ),
    "absent": Command(
        "absent 2026-12-24 to 2026-12-28",
        "Says that you are away, in whole days; `absent back` says that you are back.",
        announce_days_away,
        has_words=True,
    ),
    "vote": Command(
        "vote pause",
        "Votes for a `pause`, an `extension` of the deadline, a `draw`, or an `end` without a result.",
        vote_for,
        has_words=True,
    ),
    "unvote": Command("unvote pause", "Takes your vote back.", withdraw_vote, has_words=True),
}


def find_mail_command(subject: str, lines: Iterable[str]) -> CommandLead | None:
    """Return the command of a mail, or None: of its subject, or of the first line that says anything."""
    written = [line for line in lines if line.strip()]
    said = _START.sub("", subject, count=1) if len(subject) <= 2 * _LONGEST else ""
    for text, below in ((said, written), ("".join(written[:1]), written[1:])):
        if len(text.strip()) > _LONGEST:
            continue
        word, _, rest = with_plain_hyphens(text.strip().rstrip(".!")).partition(" ")
        word, rest = word.lower().rstrip(","), _FOR_ME.sub("", rest.strip())
        if word.endswith("?") and not rest and is_closing(below):
            word = word.rstrip("?")
        command = COMMANDS.get(word)
        if command and len(rest.split()) <= (_MOST_WORDS if command.has_words else 1):
            return CommandLead(word, rest)
    return None


def ignored_words_note(given: CommandLead, lines: Iterable[str]) -> str:
    """Say that what stands beside a vote goes to nobody; "" if no more does than the end of a mail."""
    written = [line for line in person_lines(lines) if line.strip()]
    if given.word not in ("vote", "unvote"):
        return ""
    below = written[1:] if find_mail_command("", written) else written
    if is_closing(below) or is_thanks(below):
        return ""
    return (
        "Nobody reads what else you wrote beside the vote. To write to other players, reply with "
        "`to: NAMES` as the first line; to a person, with `to: moderator`."
    )


def carry_out(desk: Desk, saved: SavedGame, seat: Seat, given: CommandLead, number: int) -> CommandAnswer:
    """Carry a command out, once, or say what is wrong with it; then nothing was changed.

    Args:
        desk: What is at hand.
        saved: The game.
        seat: Whose command it is.
        given: The command.
        number: The number of its mail.
    """
    key, command = act_key(number), COMMANDS[given.word]
    if desk.db.note("", key):
        words = f"{given.word} {given.rest}".strip()
        return _render_answer(saved, "done-before", {"word": given.word, "words": words})
    once = replace(desk, home=Home(store_with_stamp(desk.home.store, key)))
    try:
        return command.carry_out(once, saved, seat, CommandCall(_POLITE.sub("", given.rest), number))
    except RequestRefused as wrong:
        is_over = saved.cancelled is not None or isinstance(saved.ask, Outcome)
        usage = "" if is_over or not command.has_words else command.usage
        told: dict[str, Json] = {"word": given.word, "why": wrong.for_player, "usage": usage}
        is_end = isinstance(wrong, GameEndedError)
        return _render_answer(saved, "not-done", told, is_done=False, tells_end=is_end)
