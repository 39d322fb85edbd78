"""A mail to validated orders, against the bare library steps: mail parser, a search, C parser, jsonschema.

The bare side does what no program can leave out: it parses the mail, decodes each text, finds in it what
looks like orders, takes the marks of quoting off, reads each of them, and validates those that are filled
in. It knows nothing of quotes without marks, wrapped lines, pages, odd charsets, limits, or whose mail it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from email import policy
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import yaml

from pbem.core.events import Seat
from pbem.play.config.registry import find_rules
from pbem.store.opening import shipped_folder
from pbem.text.mail.findorders import FoundOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.orders import Envelope, Grammar, Submission, open_envelope, read_lines
from tests.benchmarks.bare import validator
from tests.benchmarks.pairs import Row, paired, timed
from tests.mail.samples import newest
from tests.mail.styles import write

PLAYER, HOST = "ann@example.test", "host+web-1.k3v9qq7tk3v9qq7t@pbem.example"
TIMES = 20
# Lines from the first that looks like orders up to a blank one; a form opens with a comment.
LOOKS_LIKE_ORDERS = re.compile(
    r"\n[> ]*(?:# pbem form|(?:game|seat|orders|press|stop_if):).*(?:\n[> ]*[^\s>].*)*"
)
MARKS = re.compile(r"\n(?:> ?)+")
GAMES = {"web-1": "web-of-intrigue", "rose-1": "rose-king"}


def rows() -> Iterator[Row]:
    """Yield the rows of reading mails."""
    for game, rules in GAMES.items():
        for name, raw in _mails(game):
            yield _row(f"{game}: {name}, mail to validated orders", raw, rules)


def _mails(game: str) -> Iterator[tuple[str, bytes]]:
    """Yield mails with their names and the orders in them: alone, attached, and above the whole report."""
    sent = next(one for one in newest() if one.game == game)
    orders = (Path(str(shipped_folder("orders"))) / game / f"{sent.seat}.yaml").read_bytes()
    head = f"From: {PLAYER}\r\nTo: {HOST}\r\nSubject: Orders\r\nMessage-ID: <1@example.test>\r\n"
    plain = f"{head}MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n".encode() + orders
    yield "orders alone", plain
    for style in ("attachment", "plain"):
        yield f"as {style}", write(style, sent.raw, orders.decode(), PLAYER, HOST)


def _row(name: str, raw: bytes, rules: str) -> Row:
    found = find_rules(rules)
    system = found.system
    assert system is not None
    seats = tuple(Seat(str(name)) for name in (*range(1, 13), "red", "white"))
    grammar = Grammar(seats, found.move_schema, found.start_schema, frozenset(system.actions))
    is_valid = validator(rules)

    def ours() -> None:
        for _ in range(TIMES):
            letter = read_letter(raw)
            assert isinstance(letter, Letter)
            what = find_orders(letter, lambda line: True)
            assert isinstance(what, FoundOrders)
            envelope = open_envelope(what.text, what.document)
            assert isinstance(envelope, Envelope)
            assert isinstance(read_lines(envelope, grammar), Submission)

    def bare() -> None:
        for _ in range(TIMES):
            message = BytesParser(policy=policy.compat32).parsebytes(raw)
            read = [one for part in message.walk() for one in _read(part)]
            filled = [one for one in read if any(line["do"] for line in one["orders"])]
            assert len(filled) == 1
            assert is_valid(filled[0])

    return paired(name, _timing(ours), _timing(bare), 1.5, note=f"{len(raw):,} bytes, {TIMES} times")


def _read(part: Message[str, str]) -> list[Any]:
    """Return what the bare libraries read in a part: everything that looks like orders."""
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return []
    text = payload.decode("utf-8", "replace").replace("\r\n", "\n")
    found = LOOKS_LIKE_ORDERS.findall(f"\n{text}")
    return [yaml.load(MARKS.sub("\n", one), Loader=yaml.CSafeLoader) for one in found]


def _timing(work: Callable[[], None]) -> Callable[[], float]:
    return lambda: timed(work)
