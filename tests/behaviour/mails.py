"""Mails to a host, and what becomes of each: verdict, orders, what is noted, and who is told what kind.

Usage: python -m tests.behaviour.mails

writes down anew what becomes of each mail of `mails.yaml`.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any, Final, TypeAlias

from pbem.core.interface import Json
from pbem.mail.arrivals.processing import ProcessedMail
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.lodging import check_submission
from pbem.play.submissions.receipts import JudgedOrders
from tests.behaviour import corpus
from tests.behaviour.slips import orders_as_data
from tests.homes import NOW, a_home, sample_games, top, worked_out_once
from tests.mail.homes import write_settings
from tests.mail.host import ANN, Host, a_host, read, text_of
from tests.mail.replies import HOST, Reply
from tests.mail.samples import newest, orders_file
from tests.mail.styles import write
from tests.written import yaml_beside

FILE: Final = "mails.yaml"
ASKED: Final = ("to", "from", "at", "waits", "subject", "headers", "text", "raw", "base64", "reply", "style")
"""The fields of a mail that somebody writes; the others are what becomes of it."""


@dataclass
class Row:
    """Mails that come one after the other to a host.

    The host has the game rose-1, which was dealt and waits for red; or one of the sample games.

    Attributes:
        name: What happens.
        game: Lines that are added to the game's file, or "".
        mail: What the section `mail` of `home.yaml` says besides.
        mails: The mails, each with what becomes of it.
        sample: The sample game that the host has, or "".
        shows_ours: They hold lines of mails of ours that are known by their words, so that `tests.scrambled`
            makes something else of them.
        may_change: Why what becomes of them matters little, or is wrong today; "" if it must stay.
    """

    name: str
    game: str
    mail: dict[str, Json]
    mails: list[dict[str, Any]]
    sample: str = ""
    shows_ours: bool = False
    may_change: str = ""


def rows() -> list[Row]:
    """Return the rows of the file."""
    return [
        Row(
            one["row"],
            one.get("game", ""),
            one.get("mail", {}),
            one["mails"],
            one.get("sample", ""),
            one.get("shows ours", False),
            one.get("may change", ""),
        )
        for one in yaml_beside(__file__, FILE)
    ]


def play(row: Row, folder: Path) -> Iterator[tuple[dict[str, Any], list[ProcessedMail], Host]]:
    """Hand the mails of a row to a host; yield each, what was processed with it, and the host.

    Mails that wait are processed together with the next that does not.
    """
    host = a_sample_host(folder, row.sample) if row.sample else a_host(folder, row.game, **row.mail)
    for number, mail in enumerate(row.mails, 1):
        host.now = datetime.datetime.fromisoformat(mail["at"]) if "at" in mail else NOW
        sender = mail.get("from", ANN)
        host.numbers = number - 1
        host.put(raw_of(mail, host, sender), mail["to"], sender)
        yield mail, [] if mail.get("waits") else host.process(), host


def a_sample_host(folder: Path, game: str) -> Host:
    """Return a host with a sample game, as the mails of `tests.mail.samples` come from."""
    home = a_home(folder)
    write_settings(home, address=HOST)
    shutil.copytree(sample_games() / game, top(home) / "games" / game)
    return Host(home)


def raw_of(mail: Mapping[str, Any], host: Host, sender: str) -> bytes:
    """Return a mail as it arrives.

    It is a reply of a program, or in a style; or it is given as bytes, or as words below usual headers.
    """
    if "reply" in mail:
        return Reply(**mail["reply"]).raw(sender)
    if "style" in mail:
        style = mail["style"]
        sent = next(one for one in newest() if (one.game, one.seat) == (style["game"], style["seat"]))
        return write(
            style["name"], sent.raw, orders_file(sent) if style["orders"] else None, sender, mail["to"]
        )
    if "base64" in mail:
        return base64.b64decode(mail["base64"])
    if "raw" in mail:
        return str(mail["raw"]).encode()
    headers: dict[str, str] = mail.get("headers", {})
    return host.a_mail(mail["text"], sender, mail.get("subject", "Orders"), **headers)


Came: TypeAlias = tuple[dict[str, Json], list[str]]
"""What becomes of a mail: its facts, and the letters that it brings about, as they are read."""


def outcomes(row: Row) -> list[Came]:
    """Return what becomes of each mail of a row, in order, played once in a test session."""
    mails = [{name: one for name, one in mail.items() if name in ASKED} for mail in row.mails]
    asked = hashlib.sha256(repr((row.game, row.mail, row.sample, mails)).encode()).hexdigest()

    def work() -> list[Came]:
        with tempfile.TemporaryDirectory() as folder:
            return _played(row, Path(folder))

    return worked_out_once(f"mails-{asked}", work)


def _played(row: Row, folder: Path) -> list[Came]:
    found: list[Came] = []
    lodged: dict[tuple[str, str], str] = {}
    told, noted = 0, 0
    verdicts: dict[int, dict[str, Json]] = {}
    for number, (_, done, host) in enumerate(play(row, folder), 1):
        facts: dict[str, Json] = {}
        verdicts[number] = facts
        for one in done:
            became = {"verdict": one.verdict, "rule": one.rule, "game": one.game, "seat": one.seat}
            verdicts[one.intake].update({name: value for name, value in became.items() if value})
        now = _lodged(host)
        changed = {
            seat: _orders(host, now.get((game, seat), ""))
            for game, seat in sorted(now.keys() | lodged.keys())
            if now.get((game, seat)) != lodged.get((game, seat))
        }
        facts |= {"orders": changed} if changed else {}
        lodged = now
        outbox = host.outbox()
        letters = [read(one.raw) for one in outbox[told:]]
        letter_facts: list[Json] = [
            [one.rcpt, _told(letter)] for one, letter in zip(outbox[told:], letters, strict=True)
        ]
        facts |= {"told": letter_facts} if letter_facts else {}
        told = len(outbox)
        with host.home.journal() as db:
            acts: list[Json] = [
                corpus.without_words(json.loads(one.facts))
                for game in host.home.games()
                for one in db.acts(game)
            ]
        facts |= {"noted": acts[noted:]} if acts[noted:] else {}
        noted = len(acts)
        found.append((facts, [_as_read(letter) for letter in letters]))
    return found


def _as_read(letter: Message) -> str:
    return f"To: {letter['To']}\nSubject: {letter['Subject']}\n\n{text_of(letter).rstrip()}\n"


def _told(letter: Message) -> Json:
    """Return what a mail tells as data; of most their kind."""
    facts, kind = letter["X-PBEM-Facts"], str(letter["X-PBEM-Kind"])
    found: Json = json.loads(str(facts)) if facts else kind
    return found


def _lodged(host: Host) -> dict[tuple[str, str], str]:
    """Return the orders that are lodged, by game and seat."""
    found = {
        (game, seat): host.lodged(seat, game)
        for game in host.home.games()
        for seat in SavedGame(host.home, game).start.seats
    }
    return {of: text for of, text in found.items() if text}


def _orders(host: Host, text: str) -> Json:
    """Return orders that are lodged, as data; None if none are."""
    if not text:
        return None
    judged = check_submission(host.home, text.encode())
    return (
        orders_as_data(judged.submission.orders) if isinstance(judged, JudgedOrders) else "no orders any more"
    )


def facts_in(mail: Mapping[str, Any]) -> dict[str, Json]:
    """Return what becomes of a mail, as its row says."""
    return {name: value for name, value in mail.items() if name not in ASKED}


def _as_data(row: Row) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a row as its file has them."""
    yield "row", row.name
    fields = {
        "may change": row.may_change,
        "shows ours": row.shows_ours,
        "sample": row.sample,
        "game": row.game,
        "mail": row.mail,
    }
    yield from ((name, value) for name, value in fields.items() if value)
    yield "mails", row.mails


def main() -> int:
    """Write down anew what becomes of each mail."""
    found = rows()
    for row in found:
        facts = [one for one, _ in outcomes(row)]
        asked = [{name: one for name, one in mail.items() if name in ASKED} for mail in row.mails]
        row.mails = [{**mail, **told} for mail, told in zip(asked, facts, strict=True)]
    corpus.write(FILE, (dict(_as_data(row)) for row in found), steps="mails")
    return 0


if __name__ == "__main__":
    sys.exit(main())
