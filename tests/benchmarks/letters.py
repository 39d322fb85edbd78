"""A mail to validated orders, against the bare library steps: the mail parser, the C parser, jsonschema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email import policy
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import yaml

from pbem.core.events import Seat
from pbem.edge.registry import find
from pbem.edge.shipped import shipped
from pbem.text.mail.findorders import FoundOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.orders import Envelope, Grammar, Submission, open_envelope, read_lines
from tests.benchmarks.bare import validator
from tests.benchmarks.pairs import Row, paired, timed
from tests.mail.samples import newest
from tests.mail.styles import write

PLAYER, HOST = "ann@example.test", "host+web-1.k3v9qq7tk3v9qq7t@pbem.example"
TIMES = 20
GAMES = {"web-1": "web-of-intrigue", "rose-1": "rose-king"}


def rows() -> Iterator[Row]:
    """Yield the rows of reading mails."""
    for game, rules in GAMES.items():
        for name, raw, orders in _mails(game):
            yield _row(f"{game}: {name}, mail to validated orders", raw, orders, rules)


def _mails(game: str) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield mails with their names and the orders in them: alone, attached, and above the whole report."""
    sent = next(one for one in newest() if one.game == game)
    orders = (Path(str(shipped("orders"))) / game / f"{sent.seat}.yaml").read_bytes()
    head = f"From: {PLAYER}\r\nTo: {HOST}\r\nSubject: Orders\r\nMessage-ID: <1@example.test>\r\n"
    plain = f"{head}MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n".encode() + orders
    yield "orders alone", plain, orders
    for style in ("attachment", "plain"):
        yield f"as {style}", write(style, sent.raw, orders.decode(), PLAYER, HOST), orders


def _row(name: str, raw: bytes, orders: bytes, rules: str) -> Row:
    found = find(rules)
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
            envelope = open_envelope(what.text)
            assert isinstance(envelope, Envelope)
            assert isinstance(read_lines(envelope, grammar), Submission)

    def bare() -> None:
        for _ in range(TIMES):
            message = BytesParser(policy=policy.compat32).parsebytes(raw)
            for part in message.walk():
                _text(part)
            assert is_valid(yaml.load(orders, Loader=yaml.CSafeLoader))

    return paired(name, _timing(ours), _timing(bare), 1.5, note=f"{len(raw):,} bytes, {TIMES} times")


def _text(part: Message[str, str]) -> Any:
    """Return the text of a part as the bare library gives it."""
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else None


def _timing(work: Callable[[], None]) -> Callable[[], float]:
    return lambda: timed(work)
