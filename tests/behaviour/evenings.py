"""Evenings of a moderator: commands, orders and mails with their moments, and what comes of each.

That is how it ended, what is noted, who is told what kind, and where the games stand then.

Usage: python -m tests.behaviour.evenings [FILE...]

writes down anew what comes of each step of `evenings.yaml`, of `letters.yaml`, in which it matters what
letters say, and of `saves.yaml`, whose homes older versions have saved.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import io
import json
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, TypeAlias
from unittest import mock

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import act_words
from pbem.host.office.status import status_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.records import Act
from tests.behaviour import corpus
from tests.behaviour.saves import LOOKS, a_save, finish
from tests.edge.faults import lay_out
from tests.homes import a_demo, a_game, a_home, home_at, made_once, top
from tests.hosting.games import MADE, a_club
from tests.hosting.verbs import a_club_before_the_deal, a_running_club
from tests.mail.homes import letters_written, write_settings
from tests.mail.host import ANN, Host, a_host, read, text_of
from tests.mail.moderator import mary
from tests.written import yaml_beside

FILES: Final = ("evenings.yaml", "letters.yaml", "saves.yaml")
ASKED: Final = (
    *("at", "do", "orders", "write", "game", "settings", "file", "old", "new", "look", "finish"),
    *("to", "from", "subject", "headers", "mail", "raw", "waits"),
)
"""The fields of a step that somebody writes; the others are what comes of it."""

Facts = dict[str, Json]


@dataclass
class Row:
    """What is done in a home, step by step.

    Attributes:
        name: What happens.
        home: The home before it: the name of one of `HOMES`, and what is otherwise in it.
        steps: The steps, each with what comes of it.
        start: Where the games stand before them.
        may_change: Why what comes of them matters little, or is wrong today; "" if it must stay.
    """

    name: str
    home: Mapping[str, Any]
    steps: list[dict[str, Any]]
    start: Facts = field(default_factory=dict)
    may_change: str = ""


def rows(name: str = FILES[0]) -> list[Row]:
    """Return the rows of a file."""
    return [
        Row(one["evening"], one["home"], one["steps"], one.get("start", {}), one.get("may change", ""))
        for one in yaml_beside(__file__, name)
    ]


def _a_host(path: Path, *, more: str = "", **mail: Json) -> Home:
    return a_host(path, more, **mail).home


def _a_demo(path: Path) -> Home:
    return a_demo(path / "home")


def _a_mailing_moderator(path: Path) -> Home:
    moderator = mary(path)
    (path / _ACTS).write_text(moderator.address, encoding="utf-8")
    return moderator.home


_ACTS: Final = "acts.txt"
"""Where the address for acts by mail stands, beside a home whose moderator mails them."""

HOMES: Final[Mapping[str, Callable[..., Home]]] = {
    "empty": a_home,
    "club": a_club,
    "host": _a_host,
    "demo": _a_demo,
    "save": a_save,
    "mailing moderator": _a_mailing_moderator,
    "running club": lambda path: lay_out(a_running_club(), path / "home"),
    "club before the deal": lambda path: lay_out(a_club_before_the_deal(), path / "home"),
}
"""What makes each home, in a folder: the last two are those of `tests.hosting.verbs`."""


@dataclass
class Watch:
    """Tells what has changed in a home since it was asked last.

    Attributes:
        home: The home.
        seen: The last row of each table of the journal that was seen.
        words: What all may read, and the letters but for reports, as they came last.
        sent: The letters that were sent.
        games: Where each game stood.
    """

    home: Home
    seen: dict[str, int] = field(default_factory=lambda: {"acts": 0, "tellings": 0, "outbox": 0})
    words: list[str] = field(default_factory=list)
    sent: set[int] = field(default_factory=set)
    games: Facts = field(default_factory=dict)

    def new(self) -> Facts:
        """Return what is noted, told, written and sent since then, and what is otherwise in each game.

        The words of what all may read, and of the letters but for reports, stand in `words` then.
        """
        with self.home.journal() if self.home.has_journal else contextlib.nullcontext():  # once for all
            return self._news()

    def _news(self) -> Facts:
        self.words = []
        found: Facts = {}
        if self.home.has_journal:
            lists = {
                "acts": self._acts(),
                "told": self._told(),
                "letters": self._letters(),
                "sent": self._sent(),
            }
            found |= {name: value for name, value in lists.items() if value}
        games = {game: standing(self.home, game) for game in self.home.games()}
        changed: Facts = {}
        for game, now in games.items():
            if one := _otherwise(self.games.get(game), now):
                changed[game] = one
        found |= {"state": changed} if changed else {}
        self.games = {**games}
        return found

    def _rows(self, table: str, columns: str) -> list[tuple[Any, ...]]:
        """Return the rows of a table of the journal that came since then."""
        with self.home.journal() as db:
            found = db.rows(f"SELECT id, {columns} FROM {table} WHERE id > ? ORDER BY id", self.seen[table])
        self.seen[table] = max([self.seen[table], *(row[0] for row in found)])
        return [tuple(row[1:]) for row in found]

    def _acts(self) -> list[Json]:
        found: list[Json] = []
        for row in self._rows("acts", "at, who, game, act, detail, public, facts"):
            _, who, game, act, _, public, facts = row
            if public:
                table = SavedGame(self.home, game).table
                self.words.append(f"{game}, all may read: {act_words(self.home, Act(*row), table)}")
            what = corpus.without_words(json.loads(facts)) if facts else {"kind": act}
            more = {"who": who, "game": game} if game else {"who": who}
            found.append({**what, **more, **({} if public else {"private": True})})
        return found

    def _told(self) -> list[Json]:
        found: list[Json] = []
        for game, seat, address, theirs, kind, facts in self._rows(
            "tellings", "game, seat, address, is_theirs, kind, facts"
        ):
            reader = (seat if theirs else address) or "moderator"
            found.append([game, reader, kind, *([corpus.without_words(json.loads(facts))] if facts else [])])
        return found

    def _letters(self) -> list[Json]:
        found: list[Json] = []
        for rcpt, raw in self._rows("outbox", "rcpt, raw"):
            letter = read(bytes(raw))
            kind = str(letter["X-PBEM-Kind"])
            found.append([rcpt, kind, *_offered(kind, text_of(letter))])
            if kind not in _LONG:
                self.words.append(f"To: {rcpt}\nSubject: {letter['Subject']}\n\n{text_of(letter).rstrip()}")
        return found

    def _sent(self) -> Json:
        with self.home.journal() as db:
            sent = {row[0] for row in db.rows("SELECT id FROM outbox WHERE state = 'sent'")}
        self.sent, new = sent, sent - self.sent
        return len(new)


def _offered(kind: str, text: str) -> list[Json]:
    """Return the orders that an answer offers to who was not understood, in one line."""
    lines = text.splitlines()
    if kind != _LOST or _FIRST not in lines:
        return []
    shown = takewhile(lambda line: line.startswith(_BAR), lines[lines.index(_FIRST) + 1 :])
    said = (_IN_WORDS.sub("", line.removeprefix(_BAR)).strip() for line in shown)
    return [" ".join(line for line in said if line)]


_LOST: Final = "lost"
_BAR: Final = "    | "
_FIRST: Final = f"{_BAR}orders:"
_IN_WORDS: Final = re.compile(r"# .*|^ *\(.*\)$")
"""What stands in lines for people only: comments, and how many lines are left out."""

_NAMED: Final = (
    "turn",
    "label",
    "asked",
    "owing",
    "lodged",
    "pending",
    "waiting",
    "deadline",
    "missed",
    "stand_ins",
)
_LONG: Final = ("report", "page", "digest")
"""Kinds of letters whose words are not looked at here."""

_WHETHER: Final = ("rests", "pause", "ended")
_COUNTED: Final = (
    "bad",
    "damaged",
    "stands",
    "unread",
    "late",
    "unsent",
    "came_back",
    "by_hand",
    "to_answer",
    "one_address",
)


def standing(home: Home, game: str) -> Facts:
    """Return where a game stands, as `pbem status` tells it, without its words; what is empty is left out."""
    try:
        told = status_of(home, game)
    except WrongInput:
        return {"damaged": True}
    facts = told.as_json()
    found: Facts = {name: facts[name] for name in _NAMED}
    found |= {name: bool(facts[name]) for name in _WHETHER}
    found |= {name: one if isinstance(one := facts[name], int) else _length(one) for name in _COUNTED}
    found |= {"held": [*told.held], "away": {seat: len(one) for seat, one in told.away.items()}}
    found |= {
        "votes": {kind: list(one) for kind, one in told.votes.items()},
        "players": dict(told.players.items()),
    }
    return {name: value for name, value in found.items() if value}


def _length(value: Json) -> int:
    assert isinstance(value, list)
    return len(value)


def _otherwise(before: Json, now: Facts) -> Facts:
    """Return what is otherwise; None for what is no more."""
    known = before if isinstance(before, dict) else {}
    return {
        name: now.get(name)
        for name in [*now, *(one for one in known if one not in now)]
        if known.get(name) != now.get(name)
    }


Came: TypeAlias = tuple[Facts, list[str]]
"""What comes of a step: its facts, and the words that are printed and written, each text for itself."""


def play(row: Row) -> list[Came]:
    """Do the steps of a row in its home; return what comes of each.

    The first is where the games stand before.
    """
    steps = [_asked(step) for step in row.steps]
    if _start(row.home, steps) in _forks():
        return _Evening.at(_kept(row.home, steps)).came
    with tempfile.TemporaryDirectory() as folder:
        return _played(row.home, steps, Path(folder)).came


def _asked(step: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step without what comes of it."""
    return {name: one for name, one in step.items() if name in ASKED}


def _start(home_of: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of how evenings start: with a home and steps."""
    return hashlib.sha256(repr((home_of, steps)).encode()).hexdigest()


@cache
def _forks() -> frozenset[str]:
    """Return the starts that evenings share which then part."""
    ways: defaultdict[str, set[str]] = defaultdict(set)
    for row in (row for name in FILES for row in rows(name)):
        steps = [_asked(step) for step in row.steps]
        for count, following in enumerate([*steps, None]):
            ways[_start(row.home, steps[:count])].add(repr(following))
    return frozenset(start for start, following in ways.items() if len(following) > 1)


def _played(home_of: Mapping[str, Any], steps: list[dict[str, Any]], folder: Path) -> _Evening:
    """Return an evening after its steps, in an empty folder: from where it parts from others, in a copy."""
    shared = [count for count in range(len(steps)) if _start(home_of, steps[:count]) in _forks()]
    if shared:
        shutil.copytree(_kept(home_of, steps[: shared[-1]]), folder, symlinks=True, dirs_exist_ok=True)
        evening = _Evening.at(folder)
    else:
        evening = _Evening.begin(home_of, folder)
    for step in steps[shared[-1] if shared else 0 :]:
        evening.do(step)
    return evening


def _kept(home_of: Mapping[str, Any], steps: list[dict[str, Any]]) -> Path:
    """Return the folder of an evening after its steps, which one process of a test session makes for all."""
    return made_once(
        f"evening-{_start(home_of, steps)}", lambda folder: _played(home_of, steps, folder).keep(folder)
    )


@dataclass
class _Evening:
    """A home in a folder, and what came of the steps that were done in it."""

    host: Host
    watch: Watch
    came: list[Came] = field(default_factory=list)

    @classmethod
    def begin(cls, home_of: Mapping[str, Any], folder: Path) -> _Evening:
        """Return an evening before its first step."""
        ((name, more),) = home_of.items()
        with contextlib.redirect_stdout(io.StringIO()):
            home = HOMES[name](folder, **more)
        watch = Watch(home)
        watch.new()
        return cls(Host(home, MADE), watch, [({**watch.games}, [])])

    def do(self, step: Mapping[str, Any]) -> None:
        """Do a step."""
        host, folder = self.host, top(self.host.home).parent
        if "at" in step:
            host.now = datetime.datetime.fromisoformat(step["at"])
        with (
            mock.patch.dict(os.environ, {"COLUMNS": "80"}),
            mock.patch("pbem.store.rests.SETTLED", _LONG_AGO),
            contextlib.redirect_stdout(io.StringIO()) as out,
            contextlib.redirect_stderr(out),
        ):
            done = _done(step, host)
        facts = {**done, **self.watch.new()}
        printed = out.getvalue().replace(str(folder), "").rstrip()
        words = [without_secrets(one) for one in (printed, *self.watch.words) if one]
        self.came.append((facts, words))

    def keep(self, folder: Path) -> None:
        """Write beside the home what is known of it."""
        seen = {name: one for name, one in vars(self.watch).items() if name != "home"}
        known = (self.host.now, self.host.numbers, seen, self.came)
        (folder / _KNOWN).write_bytes(pickle.dumps(known))

    @classmethod
    def at(cls, folder: Path) -> _Evening:
        """Return the evening that was kept in a folder."""
        now, numbers, seen, came = pickle.loads((folder / _KNOWN).read_bytes())
        home = home_at(folder / "home")
        return cls(Host(home, now, numbers), Watch(home, **seen), came)


_KNOWN: Final = "evening.pickle"

_LONG_AGO: Final = 3_600_000_000_000
"""Nanoseconds that no evening takes: no game rests because the machine was slow."""

_SECRETS: Final = (
    (re.compile(r"(?<=[._])[a-z2-7]{16}(?=@)"), "TOKEN"),
    (re.compile(r"\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b"), "ROOT"),
    (re.compile(r"(?<=key)(\W+)[a-z0-9]{4}-[a-z0-9]{4}\b", re.IGNORECASE), r"\1KEY"),
)
"""What differs from one home to the next, and the words that stand for it."""


def without_secrets(text: str) -> str:
    """Return a text in which words stand for tokens, keys and the roots of turns."""
    for pattern, word in _SECRETS:
        text = pattern.sub(word, text)
    return text


_TIMELESS: Final = ("acts", "form", "home mend", "verify")
"""Verbs to which it does not matter what time it is."""


def _done(step: Mapping[str, Any], host: Host) -> Facts:
    """Do a step; return how it ended."""
    home, now = host.home, host.now.isoformat()
    if "game" in step:
        a_game(home, **step["game"])
    elif "settings" in step:
        write_settings(home, **step["settings"])
    elif "file" in step:
        _write(top(home) / step["file"], step.get("old", ""), step.get("new", ""))
    elif "look" in step:
        ((game, names),) = step["look"].items()
        return {"seen": {name: LOOKS[name](home, game) for name in names}}
    elif "finish" in step:
        finish(home, step["finish"])
    elif "write" in step:
        letters_written(home, host.now)
    elif "to" in step:
        return _mailed(step, host)
    else:
        file = top(home).with_name("orders.yaml")
        words = [*step["do"], *([str(file)] if "orders" in step else [])]
        file.write_text(with_keys(step.get("orders", ""), home), encoding="utf-8")
        at = [] if " ".join(step["do"]).startswith(_TIMELESS) else ["--now", now]
        code = run_command([*words, *at, "--home", str(top(home))])
        return {"exit": code} if code else {}
    return {}


def _write(path: Path, old: str, new: str) -> None:
    """Put lines in the place of others; with none of either the file goes, or the folder."""
    if not old and not new:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        return
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else text + new, encoding="utf-8")


def _mailed(step: Mapping[str, Any], host: Host) -> Facts:
    """Hand a mail to the host; return what became of all that it has processed."""
    sender, headers = step.get("from", ANN), step.get("headers", {})
    raw = with_keys(step["raw"], host.home).encode() if "raw" in step else None
    host.numbers += raw is not None
    host.put(
        raw
        or host.a_mail(with_keys(step["mail"], host.home), sender, step.get("subject", "Orders"), **headers),
        address_of(step["to"], host),
        sender,
    )
    done = [] if step.get("waits") else host.process()
    became: list[Json] = [[one.verdict, one.rule, one.game, one.seat] for one in done]
    return {"mails": became} if became else {}


_KEY: Final = re.compile("<key of ([^ >]+) ([^ >]+)>")


def with_keys(text: str, home: Home) -> str:
    """Return a text in which the keys of seats stand: `<key of GAME SEAT>`."""
    return _KEY.sub(lambda found: SavedGame(home, found[1]).players.key(Seat(found[2])), text)


def address_of(to: str | list[str], host: Host) -> str:
    """Return an address of the host: as it is, or that of a seat ("orders" or "press", game and seat).

    Of ["answer to", reader, kind] it is where the newest letter of that kind to the reader is answered; of
    "acts" where the moderator mails acts to.
    """
    if to == "acts":
        return (top(host.home).parent / _ACTS).read_text(encoding="utf-8")
    if isinstance(to, str):
        return to
    what, first, second = to
    if what == "answer to":
        letters = [read(one.raw) for one in host.outbox() if one.rcpt == first]
        return str([one for one in letters if one["X-PBEM-Kind"] == second][-1]["Reply-To"])
    return {"orders": host.address, "press": host.press_address}[what](Seat(second), first)


def outcomes(row: Row) -> tuple[Facts, list[Facts]]:
    """Return where the games of a row stand before its steps, and what comes of each step."""
    start, *steps = (facts for facts, _ in play(row))
    return start, steps


def facts_in(step: Mapping[str, Any]) -> Facts:
    """Return what comes of a step, as its row says."""
    return {name: value for name, value in step.items() if name not in ASKED}


def _as_data(row: Row) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a row as its file has them."""
    yield "evening", row.name
    if row.may_change:
        yield "may change", row.may_change
    yield "home", dict(row.home)
    if row.start:
        yield "start", row.start
    yield "steps", row.steps


_LISTS: Final = frozenset({"acts", "told", "letters", "mails", "state", "seen"})


def main() -> int:
    """Write down anew what comes of each step."""
    for name in sys.argv[1:] or FILES:
        found = rows(name)
        for row in found:
            row.start, facts = outcomes(row)
            row.steps = [{**_asked(step), **one} for step, one in zip(row.steps, facts, strict=True)]
        corpus.write(name, (dict(_as_data(row)) for row in found), steps="steps", lists=_LISTS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
