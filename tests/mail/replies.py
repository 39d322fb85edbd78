"""Replies to real reports, put together from parts: program, place, kind, encoding, what became of the words.

`Reply` is for tests that need a reply of any sort; `read` finds its orders as the host of the game does.
"""

from __future__ import annotations

import base64
import html
import quopri
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email import policy
from email.parser import BytesParser
from functools import cache
from typing import Any

from pbem.core.events import Seat
from pbem.play.config.registry import find_rules
from pbem.text import envelope
from pbem.text.envelope import names_as_text
from pbem.text.mail.findorders import FoundOrders, NoOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.orders import Envelope, Grammar, open_envelope, read_lines
from pbem.text.strictyaml import Document, parse
from tests.mail.samples import Sent, newest, orders_file
from tests.written import yaml_beside

RULES = {
    "rose-1": "rose-king",
    "web-1": "web-of-intrigue",
    "cards-1": "web-of-power-cards",
    "powers-1": "game-of-powers",
    "wop-1": "web-of-power",
}
HOST = "host@pbem.example"
SAID = (
    'Peace, brother? It\'s fine: the north is yours, and the south is "mine" for now, as we said last night.'
)


FORM = re.compile(r"^# pbem form .*\n(?:.+\n)*", re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """A mail that is answered, as a mail program shows it.

    Attributes:
        text: Its plain text.
        page: Its page, or "".
    """

    text: str
    page: str

    @property
    def form(self) -> str:
        """The form in its text, or ""."""
        found = FORM.search(self.text)
        return found.group() if found else ""


@dataclass(frozen=True)
class Table(Shown):
    """A seat of a sample game with its newest report, and what its player orders.

    Attributes:
        sent: The report.
        orders: The orders file of the sample.
    """

    sent: Sent
    orders: str

    @property
    def to(self) -> str:
        """Somebody to write to."""
        return {"rose-1": "white", "web-1": "2", "powers-1": "white"}.get(self.sent.game, "red")

    def written(self, what: str) -> str:
        """Return what the player writes: see `ORDERS`."""
        return ORDERS[what](self)

    def meant(self, what: str) -> Any:
        """Return what that says."""
        value = names_as_text(_dict(parse(self.written(what)).value))
        return plain({"game": self.sent.game, "seat": self.sent.seat, **value})

    def fits(self, document: Document) -> bool:
        """Tell whether orders are whole in the shape of this game."""
        names = {"game": self.sent.game, "seat": self.sent.seat}
        read = open_envelope(b"", document._replace(value={**names, **_dict(document.value)}))
        return isinstance(read, Envelope) and not isinstance(read_lines(read, grammar(self.sent.game)), list)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


@cache
def grammar(game: str) -> Grammar:
    """Return the shape of orders of a sample game."""
    found = find_rules(RULES[game])
    assert found.system is not None
    seats = tuple(
        map(Seat, [*map(str, range(1, 13)), "red", "white", "green", "purple", "yellow", "black", "orange"])
    )
    return Grammar(seats, found.move_schema, found.start_schema, frozenset(found.system.actions))


@cache
def table(game: str) -> Table:
    """Return the first seat of a sample game."""
    sent = next(one for one in newest() if one.game == game)
    orders = orders_file(sent)
    assert orders is not None
    return Table(**vars(shown(sent.raw)), sent=sent, orders=orders)


def shown(raw: bytes) -> Shown:
    """Return a mail as a mail program shows it."""
    mail = BytesParser(policy=policy.default).parsebytes(raw)
    bodies = (mail.get_body((kind,)) for kind in ("plain", "html"))
    return Shown(*(body.get_content().replace("\r\n", "\n") if body else "" for body in bodies))


def _nameless(text: str) -> str:
    return "".join(line for line in text.splitlines(True) if not line.startswith(("game:", "seat:")))


def _flow(of: Table) -> str:
    """Return the orders with each line in braces."""
    value = _dict(parse(of.orders).value)
    lines = "".join(f"- {_in_braces(line)}\n" for line in value["orders"])
    return f"orders:\n{lines}"


def _in_braces(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_in_braces(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_in_braces, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if not isinstance(value, str) or re.fullmatch(r"[a-z][\w.-]*", value) else repr(value)


ORDERS: Mapping[str, Callable[[Table], str]] = {
    "block": lambda of: of.orders,
    "nameless": lambda of: _nameless(of.orders),
    "flow": _flow,
    "press": lambda of: (
        f'{of.orders.rstrip()}\npress:\n- {{to: [{of.to}], say: "Peace, brother? Yes: now"}}\n'
    ),
    "long-press": lambda of: (
        f"{_nameless(of.orders).rstrip()}\npress:\n- to: [{of.to}]\n  say: {_quoted(SAID)}\n"
    ),
    "press-only": lambda of: f'press:\n- {{to: [{of.to}], say: "Peace, brother?"}}\n',
}
"""What a player writes."""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# What becomes of the words


def _curled(text: str) -> str:
    text = re.sub(r"(?m)(say: )'(.*)'$", lambda found: f"{found[1]}“{found[2]}”".replace("''", "’"), text)
    text = re.sub(r'"([^"\n]*)"', r"“\1”", text)
    return re.sub(r"(?m)^- ", "– ", text)


def _capitals(text: str) -> str:
    return re.sub(r"(?m)^((?:- )?)([a-z])", lambda found: found[1] + found[2].upper(), text)


def _hard_wrapped(text: str) -> str:
    out: list[str] = []
    for line in text.splitlines():
        out += (
            textwrap.wrap(line, 74, break_on_hyphens=False, break_long_words=False)
            if "say:" in line
            else [line]
        )
        if "say:" in line and line.startswith("  "):
            out[-len(textwrap.wrap(line, 74, break_on_hyphens=False, break_long_words=False))] = (
                "  " + textwrap.wrap(line, 74, break_on_hyphens=False, break_long_words=False)[0].strip()
            )
    return "\n".join(out) + "\n"


LOOKS: Mapping[str, Callable[[str], str]] = {
    "as-typed": lambda text: text,
    "nbsp": lambda text: re.sub(r"(?m)^ +", lambda found: "\xa0" * len(found.group()), text),
    "curly": _curled,
    "capitals": _capitals,
    "bullets": lambda text: re.sub(r"(?m)^- ", "• ", text),
    "stars": lambda text: re.sub(r"(?m)^- ", "* ", text),
    "soft-hyphens": lambda text: text.replace("orders", "or\xadders").replace("do:", "do\xad:"),
    "hyphens": lambda text: re.sub(r"(?m)^(- (?:\{)?at: \w+)-", "\\1\u2011", text),
    "spaces-at-ends": lambda text: text.replace("\n", "  \n"),
    "double-spaced": lambda text: text.replace("\n", "\n\n"),
    "wrapped": _hard_wrapped,
    "tabs": lambda text: re.sub(r"(?m)^  ", "\t", text).replace("\t  ", "\t\t"),
    "flat": lambda text: re.sub(r"(?m)^ +", "", text),
    "wide-list": lambda text: re.sub(r"(?m)^- (.*)\n  (?=\S)", r"-          \1\n\n", text),
    "gmail-list": lambda text: re.sub(r"(?m)^- (.*)\n  (?=\S)", r"   - \1\n   ", text),
    "numbered": lambda text: re.sub(r"(?m)^- ", "1. ", text),
}
"""What mail programs make of it."""


# Mail programs


@dataclass(frozen=True)
class Program:
    """How a mail program replies.

    Attributes:
        above: What it writes above a quote.
        mark: What it writes before each quoted line; "" if nothing marks a quote but what stands above.
        is_marked_too: What it writes above is marked as well.
        sign: What it writes below the player's words.
        page: A page, with `{own}` and `{quote}` in it.
        line: A line of the player's words in that page.
        flowed: It sends `format=flowed`.
        logo: A gateway adds a picture.
        greeting: What its users begin with.
    """

    above: str
    mark: str = "> "
    is_marked_too: bool = False
    sign: str = ""
    page: str = '<div>{own}</div><br><blockquote type="cite">{quote}</blockquote>'
    line: str = "<div>{}</div>"
    flowed: bool = False
    logo: bool = False
    greeting: str = "Hello,\n\n"

    def quote(self, text: str) -> str:
        """Return a quoted text."""
        head = f"{self.above}\n"
        if self.is_marked_too:
            return self._marked(head + text)
        return head + self._marked(text)

    def _marked(self, text: str) -> str:
        if not self.mark:
            return text
        return "".join(f"{self.mark}{line}".rstrip() + "\n" for line in text.splitlines())


PROGRAMS: Mapping[str, Program] = {
    name: Program(**one) for name, one in yaml_beside(__file__, "programs.yaml").items()
}
MARKED = [name for name, one in PROGRAMS.items() if one.mark]


# Replies

PLACES = ("above", "below", "tight", "between", "filled")
KINDS = ("text", "page", "both")
CHARSETS = ("iso-8859-15", "windows-1252", "utf-16")
ENCODINGS = ("8bit", "quoted-printable", "base64", *CHARSETS)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply, by the names of its parts.

    Attributes:
        program: Of `PROGRAMS`.
        place: Of `PLACES`: where the orders stand; "tight" is below without an empty line.
        kind: Of `KINDS`; or "file": an attachment; or "file+text": an attachment, and the same in the text.
        encoding: Of `ENCODINGS`, or a charset and an encoding.
        look: Of `LOOKS`.
        orders: Of `ORDERS`.
        game: The sample game.
    """

    program: str
    place: str = "above"
    kind: str = "text"
    encoding: str = "8bit"
    look: str = "as-typed"
    orders: str = "block"
    game: str = "rose-1"

    def raw(self, sender: str = "ann@example.test") -> bytes:
        """Return the mail that somebody sends."""
        of = table(self.game)
        return self.answer(of, of.written(self.orders), _head(sender))

    def answer(self, of: Shown, written: str | None, head: str) -> bytes:
        """Return the mail in which somebody answers one of the host.

        Args:
            of: The mail that is answered.
            written: An orders file; None sends a few words, and the form untouched.
            head: The first headers.
        """
        program = PROGRAMS[self.program]
        own, whole = "Thanks, I will think about it.\n", of.text
        if written is not None:
            own = LOOKS[self.look](_nameless(written) if self.kind == "file+text" else written)
            whole = filled(of, own)
        words = {"place": self.place, "own": own, "whole": whole}
        parts: list[bytes] = []
        if self.kind in ("text", "both", "file+text"):
            parts.append(_plain_part(program, _text(of, program, **words), self.encoding))
        if self.kind in ("page", "both"):
            parts.append(_part("html", _page(of, program, **words), self.encoding))
        kind = "alternative" if self.kind == "both" else "mixed"
        if self.kind == "file":
            see = _text(of, program, "above", "See the file.\n", "")
            parts.append(_plain_part(program, see, self.encoding))
        if self.kind.startswith("file"):
            file = of.form if written is None else written
            named = self.kind == "file" and ("application/octet-stream", "ORDERS.YML")
            parts.append(_file(*named or ("text/x-yaml", "orders.yaml"), file.encode()))
        if program.logo:
            logo = _file("image/png", "logo.png", b"\x89PNG\r\n\x1a\n", "inline")
            parts, kind = [_box(parts, kind), logo], "mixed"
        return head.encode() + _box(parts, kind)


def in_words(program: str, kind: str, words: str) -> bytes:
    """Return a reply to a report, a text or a page, in which somebody writes words above what is quoted."""
    of, found = table("rose-1"), PROGRAMS[program]
    if kind == "page":
        return _head().encode() + _part("html", _page(of, found, "above", words, ""), "8bit")
    return _head().encode() + _plain_part(found, _text(of, found, "above", words, ""), "8bit")


def filled(of: Shown, own: str) -> str:
    """Return a report with its form filled in; as it is, if it has none."""
    first = of.form.partition("\n")[0]
    return of.text.replace(of.form, f"{first}\n{own}") if first else of.text


def _text(of: Shown, program: Program, place: str, own: str, whole: str) -> str:
    """Return the text of a reply: words beside what is quoted, or with `filled` the whole with orders in."""
    if place == "filled":
        return f"{program.greeting}{program.quote(whole)}{program.sign}"
    quote = program.quote(of.text)
    if place == "above":
        return (
            f"{program.greeting}{own}\n{quote}{program.sign}"
            if program.mark
            else f"{program.greeting}{own}{program.sign}\n{quote}"
        )
    if place == "between":
        lines = quote.splitlines(True)
        middle = next(number for number in range(12, len(lines)) if not lines[number].strip("> \n"))
        return f"{''.join(lines[:middle])}\n{own}\n{''.join(lines[middle:])}{program.sign}"
    return f"{quote}{own}{program.sign}" if place == "tight" else f"{quote}\n{own}{program.sign}"


def _page(of: Shown, program: Program, place: str, own: str, whole: str) -> str:
    line = program.line
    words = "".join(line.format(_spaced(one) or "<br>") for one in own.splitlines())
    inner = of.page.partition("<body")[2].partition(">")[2].partition("</body>")[0]
    inner = inner or f"<pre>{html.escape(of.text)}</pre>"
    if place == "filled":
        return program.page.format(own=line.format("Hello"), quote=f"<pre>{html.escape(whole)}</pre>")
    if place == "above":
        return program.page.format(own=words, quote=inner)
    page = program.page.format(own="", quote=inner)
    return f"{page}{line.format('<br>') if place == 'below' else ''}{words}"


def _spaced(line: str) -> str:
    spaces = len(line) - len(line.lstrip(" "))
    return "&nbsp;" * spaces + html.escape(line[spaces:], quote=False)


def _flowed(text: str) -> str:
    """Return a text as programs write it that let lines flow."""
    out: list[str] = []
    for line in text.splitlines():
        if line == "-- " or line.startswith(">"):
            out.append(line if line == "-- " else line.rstrip())
            continue
        rest = line.rstrip()
        while len(rest) > 76 and (cut := rest.rfind(" ", 20, 72)) > 0:
            out.append(f" {rest[: cut + 1]}" if rest.startswith(" ") else rest[: cut + 1])
            rest = rest[cut + 1 :]
        out.append(f" {rest}" if rest.startswith(" ") else rest)
    return "\n".join(out) + "\n"


def _plain_part(program: Program, text: str, encoding: str) -> bytes:
    if program.flowed:
        return _part("plain; format=flowed", _flowed(text), encoding)
    return _part("plain", text, encoding)


def _part(kind: str, text: str, encoding: str) -> bytes:
    subtype, _, more = kind.partition(";")
    charset = next((one for one in encoding.split() if one in CHARSETS), "utf-8")
    try:
        data = text.encode(charset)
    except UnicodeEncodeError:
        charset, data = "utf-8", text.encode()
    how = next((one for one in encoding.split() if one in ("quoted-printable", "base64")), "8bit")
    how = "base64" if charset == "utf-16" else how
    if how == "base64":
        data = base64.encodebytes(data)
    elif how == "quoted-printable":
        data = _printable(data)
    head = f"Content-Type: text/{subtype}; charset={charset}{';' + more if more else ''}\n"
    return f"{head}Content-Transfer-Encoding: {how}\n\n".encode() + data


def _printable(data: bytes) -> bytes:
    """Return bytes in quoted-printable, its lines broken at 76 characters."""
    return quopri.encodestring(data)


def _file(kind: str, name: str, data: bytes, how: str = "attachment") -> bytes:
    head = f'Content-Type: {kind}; name="{name}"\nContent-Disposition: {how}; filename="{name}"\n'
    return f"{head}Content-Transfer-Encoding: base64\n\n".encode() + base64.encodebytes(data)


def _head(sender: str = "ann@example.test") -> str:
    return f"From: {sender}\nTo: {HOST}\nSubject: Re: Turn 7\nMessage-ID: <1@example.test>\n"


def _box(parts: list[bytes], kind: str) -> bytes:
    """Return the only part, or all in a box whose name no box in it has."""
    if len(parts) == 1:
        return parts[0]
    name = b"BOX" + b"O" * sum(b"boundary=BOX" in part for part in parts)
    boxes = b"".join(b"--" + name + b"\n" + part + b"\n" for part in parts)
    return (
        f"Content-Type: multipart/{kind}; boundary=".encode()
        + name
        + b"\n\n"
        + boxes
        + b"--"
        + name
        + b"--\n"
    )


PARTS: Mapping[str, Iterable[str]] = {
    "program": PROGRAMS,
    "place": PLACES,
    "kind": (*KINDS, "file", "file+text"),
    "encoding": ENCODINGS,
    "look": LOOKS,
    "orders": ORDERS,
    "game": RULES,
}
"""What each field of a reply can be."""


# What is found


def read(raw: bytes, of: Table) -> FoundOrders | NoOrders:
    """Return what the host of a game finds in a mail to a seat's own address."""
    letter = read_letter(raw)
    assert isinstance(letter, Letter), letter
    own = envelope.read_marker(of.sent.form.splitlines()[0])
    return find_orders(
        letter,
        lambda line: envelope.read_marker(line) == own,
        game=of.sent.game,
        seat=of.sent.seat,
        known=find_rules(RULES[of.sent.game]).order_words,
        fits=of.fits,
    )


def said(found: FoundOrders) -> Any:
    """Return what orders say that were found, as the host reads them."""
    document = found.document
    return plain(names_as_text(_dict(document.value))) if document else None


def plain(value: Any) -> Any:
    """Return a value with plain quotation marks and single spaces in its texts."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, str):
        return value
    value = re.sub("[“”„«»]", '"', re.sub("[‘’‚]", "'", value))
    return " ".join(value.split())
