"""Mails written line by line, as tests of reading them need them."""

from __future__ import annotations

from collections.abc import Callable

from pbem.play.config.registry import find_rules
from pbem.text.envelope import marker_line, marker_matcher
from pbem.text.mail.findorders import FoundOrders, NoOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.orders import Envelope, open_envelope, read_lines
from pbem.text.strictyaml import Document
from tests.mail.replies import RULES, grammar

SECRET = bytes(range(32))
GAME, SEAT, LABEL = "rose-1", "red", "red-7"
MARKER = marker_line(GAME, SEAT, LABEL, SECRET)
IS_OURS: Callable[[str], bool] = marker_matcher(GAME, SEAT, (LABEL,), SECRET)

HEAD = "From: ann@example.test\nTo: host@pbem.example\nSubject: Orders\nMessage-ID: <1@example.test>\n"
ORDERS = "game: rose-1\nseat: red\norders:\n- at: red-7\n  do: {play: N2}\n"
MEANT = {"game": "rose-1", "seat": "red", "orders": [{"at": "red-7", "do": {"play": "N2"}}]}
FORM = f"{MARKER}\n{ORDERS}".replace("{play: N2}", "{}") + (
    "  # Cards; put one of these between the braces:\n  #   play: N2\n"
)
FILLED = FORM.replace("{}", "{play: N2}")


def mail(body: str | bytes, head: str = "", kind: str = "text/plain; charset=utf-8") -> bytes:
    """Return a mail of one part."""
    data = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    return f"{HEAD}{head}Content-Type: {kind}\nContent-Transfer-Encoding: 8bit\n\n".encode() + data


def boxed(*parts: tuple[str, str | bytes], kind: str = "multipart/mixed", head: str = "") -> bytes:
    """Return a mail of several parts, each with its headers and its body."""
    out = [f"{HEAD}{head}Content-Type: {kind}; boundary=BOX\n\n".encode()]
    for fields, body in parts:
        data = body if isinstance(body, bytes) else body.encode()
        out.append(f"--BOX\n{fields}\n\n".encode() + data + b"\n")
    return b"".join([*out, b"--BOX--\n"])


def attached(name: str, data: str | bytes, kind: str = "application/octet-stream") -> tuple[str, str | bytes]:
    """Return a part that is a file beside a mail."""
    return f'Content-Type: {kind}\nContent-Disposition: attachment; filename="{name}"', data


def quoted(text: str, mark: str = "> ") -> str:
    """Return a text as mail programs quote it."""
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in text.splitlines())


def letter_of(raw: bytes) -> Letter:
    """Return a mail that can be read."""
    letter = read_letter(raw)
    assert isinstance(letter, Letter), letter
    return letter


def _fits(document: Document) -> bool:
    """Tell whether orders are whole in the shape of The Rose King."""
    value = document.value if isinstance(document.value, dict) else {}
    read = open_envelope(b"", document._replace(value={"game": GAME, "seat": SEAT, **value}))
    return isinstance(read, Envelope) and not isinstance(read_lines(read, grammar(GAME)), list)


def search(raw: bytes, *, named: bool = True) -> FoundOrders | NoOrders:
    """Return what is found in a mail to the seat of these tests, held against the shape of its orders.

    Args:
        raw: The mail.
        named: The address that it came to names the game and the seat.
    """
    game, seat = (GAME, SEAT) if named else ("", "")
    known = find_rules(RULES[GAME]).order_words
    return find_orders(letter_of(raw), IS_OURS, game=game, seat=seat, known=known, fits=_fits)
