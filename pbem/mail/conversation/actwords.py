"""Acts as a moderator mails them: a line each, in the words of the command line, with or without dashes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pbem.core.wording import did_you_mean
from pbem.store.errors import Declined
from pbem.store.stamped import is_shown
from pbem.text.mail.sayings.plainwords import is_closing, signing_lines, words_of
from pbem.text.plaintext import visible

Takes = Literal["nothing", "words", "rest"]
"""What stands behind an option: nothing, words up to the next option, or all the rest of the line."""

MOST: Final = 10
"""So many acts stand in a mail."""

KEYBOARD_ONLY: Final = ("answer", "digest", "remind", "replace", "submit", "vote")
"""Verbs of the command line that a host on the road may try, and that no mail can do."""

NO_CLEAR_YES: Final = (
    "Nothing was done, for this is no clear yes. Reply with the one word `yes`, and nothing below it but "
    "your name. `no` forgets what you had asked for."
)

_QUOTES: Final = str.maketrans("“”„«»‘’‚", '"""""\'\'\'')
_PARTS: Final = re.compile(r'"[^"]*"|\S+')
_DASHES: Final = "-–—"


@dataclass(frozen=True, slots=True)
class Form:
    """How an act is written.

    Attributes:
        usage: In words, for the help.
        what: What it does.
        options: What may stand behind the names, and what each takes.
        has_game: It names a game.
        has_seat: It names a seat.
        has_text: Behind the names stands a text.
        asks_first: What it does is done only when the moderator has said yes to it, where this option stands;
            "" is without an option.
    """

    usage: str
    what: str
    options: Mapping[str, Takes] = field(default_factory=dict)
    has_game: bool = True
    has_seat: bool = False
    has_text: bool = False
    asks_first: tuple[str, ...] = ()


FORMS: Final[Mapping[str, Form]] = {
    "help": Form("help", "Brings this list.", has_game=False),
    "status": Form("status, or status GAME", "Tells how each game stands, or one.", has_game=False),
    "seat": Form(
        "seat GAME SEAT",
        "Shows a seat. `address ADDRESS` and `new-secret` (both asked back first), `resend` or `name NAME` "
        "behind it mend it.",
        {
            "address": "words",
            "new-secret": "nothing",
            "new-key": "nothing",
            "resend": "nothing",
            "name": "rest",
        },
        has_seat=True,
        asks_first=("address", "new-secret", "new-key"),
    ),
    "extend": Form(
        "extend GAME by 1d, or to Friday 18:00",
        "Moves the deadline of the present ask.",
        {"by": "words", "to": "words"},
    ),
    "pause": Form(
        "pause GAME from 20 Dec to 2 Jan why WORDS",
        "Lets a game rest, now or later; each part behind GAME may be left out.",
        {"from": "words", "to": "words", "why": "rest"},
    ),
    "resume": Form(
        "resume GAME, or resume GAME at Friday 9:00",
        "Lets a paused game go on, or takes a planned pause back.",
        {"at": "words"},
    ),
    "away": Form(
        "away GAME SEAT from 20 Dec to 27 Dec",
        "Notes that a player will be away; `away GAME SEAT cancel` takes it back.",
        {"from": "words", "to": "words", "cancel": "nothing"},
        has_seat=True,
    ),
    "hold": Form(
        "hold GAME SEAT why WORDS",
        "Holds a seat's orders back; `hold GAME SEAT release` lets them count again.",
        {"why": "rest", "release": "nothing"},
        has_seat=True,
    ),
    "announce": Form("announce GAME TEXT", "Writes to all players of a game.", has_text=True),
    "run": Form(
        "run GAME, or run GAME due",
        "Runs a game; `deal` behind it does not wait for start forms. `due` answers for the silent, and "
        "`override REASON` runs in spite of a reason not to (both asked back first).",
        {"deal": "nothing", "due": "nothing", "override": "words"},
        asks_first=("due", "override"),
    ),
    "undo": Form(
        "undo GAME, or undo GAME turn 3",
        "Takes the newest turn back (asked back first); `run GAME` runs it again. `by 1d` or `to Friday "
        "18:00` behind it moves the deadline of its orders too.",
        {"turn": "words", "by": "words", "to": "words"},
        asks_first=("",),
    ),
    "cancel": Form(
        "cancel GAME why WORDS",
        "Ends a game for all (asked back first); `cancel GAME undo` brings it back.",
        {"why": "rest", "undo": "nothing"},
        asks_first=("why",),
    ),
}  # fmt: skip
"""All acts that can be mailed, by the verb of the command line that does the same."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act that somebody asked for.

    Attributes:
        line: As it was written.
        verb: What is to be done.
        game: In which game, or "".
        seat: For which seat, or "".
        options: The options that were given, with what stands behind each.
        text: The text behind the names, or "".
    """

    line: str
    verb: str
    game: str = ""
    seat: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    text: str = ""

    @property
    def asks_first(self) -> bool:
        """Tell whether it is done only after the moderator has said yes to it."""
        return any(not option or option in self.options for option in FORMS[self.verb].asks_first)

    def brief(self) -> str:
        """Return it in a few words: without what stands behind its options, but with those that turn it."""
        turns = (name for name in self.options if FORMS[self.verb].options[name] == "nothing")
        return " ".join(filter(None, (self.verb, self.game, self.seat, *turns)))


def named(wanted: Iterable[Wanted]) -> str:
    """Return acts in a few words, for a subject."""
    names = [one.brief() for one in wanted]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def read_word(lines: Iterable[str]) -> Literal["yes", "no", "unclear", ""]:
    """Return what an answer says to what was asked back; "" if it begins with an act.

    Below a yes or a no there may be a short closing, such as a name.

    Args:
        lines: What its sender wrote.
    """
    said = [line.strip() for line in words_of(lines) if line.strip()]
    first, closing = said[0] if said else "", said[1:]
    if _is_act(first):
        return ""
    word = re.sub(r"\W", "", first).lower()
    if word not in ("yes", "no") or not is_closing(closing) or any(map(_is_act, closing)):
        return "unclear"
    return "yes" if word == "yes" else "no"


def _is_act(line: str) -> bool:
    return _parts(line)[0] in FORMS


def read_acts(subject: str, lines: Iterable[str], name: str = "") -> list[Wanted]:
    """Return the acts that a mail asks for, in order.

    Args:
        subject: Its subject, which counts where nothing else stands in the mail.
        lines: What its sender wrote.
        name: The moderator's name, which may stand below the acts; "" if nobody knows it.

    Raises:
        Declined: One of them cannot be understood, or there are none, or too many.
    """
    written = words_of(lines)
    given = [line for line in written if line.strip()] or [subject]
    if any(map(is_shown, given)):
        raise Declined("your secret address for acts stands in this mail, and others might read it.")
    found: list[Wanted] = []
    for number, line in enumerate(given[: len(given) - signing_lines(written, name)]):
        try:
            wanted = read_act(line)
        except Declined as wrong:
            raise Declined(f"{placed(number, line) if len(given) > 1 else ''}{wrong}") from None
        if FORMS[wanted.verb].has_text and not wanted.text:  # a longer text stands in the lines below
            text = "\n".join(one.strip() for one in given[number + 1 :])
            return [*found, Wanted(line, wanted.verb, wanted.game, text=text)]
        found.append(wanted)
    if len(found) > MOST:
        raise Declined(f"there are {len(found)} acts in this mail, and {MOST} at most are done.")
    return found


def placed(number: int, line: str) -> str:
    """Return what names an act of a mail, behind so many others, before what is wrong with it."""
    ordinal = f"{number + 1}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number + 1, 'th') }"
    return f"the {ordinal} act, `{line.strip()}`: "


def read_act(line: str) -> Wanted:
    """Return the act that a line asks for.

    Raises:
        Declined: It cannot be understood.
    """
    verb, told, parts = _parts(line)
    if verb in KEYBOARD_ONLY:
        raise Declined(f"{verb!r} is an act at the keyboard only.", f"By mail go: {', '.join(FORMS)}.")
    if verb not in FORMS:
        why = f"there is no act {visible(verb)!r}" if verb else "there is nothing in it"
        raise _wrong(line, why, did_you_mean(verb, FORMS).hint)
    form = FORMS[verb]
    named = 1 + form.has_game + form.has_seat
    if len(parts) < named:
        raise _wrong(line, "it names no seat" if len(parts) == 2 and form.has_seat else "it names no game")
    names = [part[0] for part in parts[1:named]]
    if verb == "status" and len(parts) == 2:
        names, named = [parts[1][0]], 2
    game, seat = (*(name.rstrip(".,;!") for name in names), "", "")[:2]
    rest = parts[named:]
    if form.has_text:
        return Wanted(line, verb, game.lower(), seat, text=_bare(told[rest[0].start() :]) if rest else "")
    return Wanted(line, verb, game.lower(), seat, _options(line, told, form, rest))


def _parts(line: str) -> tuple[str, str, list[re.Match[str]]]:
    """Return the first word of a line as a verb is written, the line in plain characters, and its words."""
    told = " ".join(line.translate(_QUOTES).split()).removeprefix("$ ")
    parts = list(_PARTS.finditer(told))
    if parts and parts[0][0].lower() == "pbem":
        del parts[0]
    return parts[0][0].lower().rstrip(".!:") if parts else "", told, parts


def _options(line: str, told: str, form: Form, parts: list[re.Match[str]]) -> dict[str, str]:
    """Return the options of a line with what stands behind each."""
    found: dict[str, str] = {}
    last = ""
    for part in parts:
        bare = part[0].lstrip(_DASHES)
        name, equals, value = bare.lower().partition("=")
        if name in form.options and name not in found:
            last, takes = name, form.options[name]
            behind = told[part.start() + len(part[0]) - len(bare) + len(name) + len(equals) :]
            if takes == "rest":
                found[name] = _bare(behind)
                break
            found[name] = _bare(bare[len(name) + 1 :]) if value else ""
        elif not last or form.options[last] == "nothing":
            why = f"{visible(part[0])!r} is not understood"
            raise _wrong(line, why, did_you_mean(bare, form.options).hint)
        else:
            found[last] = f"{found[last]} {_bare(part[0])}".strip()
    for name, value in found.items():
        if form.options[name] != "nothing" and not value:
            raise _wrong(line, f"nothing stands behind {name!r}")
        if form.options[name] == "nothing" and value:
            raise _wrong(line, f"nothing may stand behind {name!r}")
    return found


def _bare(text: str) -> str:
    """Return a text without the quotes around it."""
    text = text.strip()
    for quote in ('"', "'"):
        if len(text) > 1 and text[0] == text[-1] == quote and quote not in text[1:-1]:
            return text[1:-1].strip()
    return text


def _wrong(line: str, why: str, meant: str = "") -> Declined:
    form = FORMS.get(_parts(line)[0])
    usage = f"{form.usage}. {form.what}" if form else f"one of {', '.join(FORMS)}."
    return Declined(" ".join(filter(None, (f"{why}.", meant, f"It is written so: {usage}"))))
