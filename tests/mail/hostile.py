"""Malformed and hostile mails: those that somebody thought of, and more of them, made from seeds."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Iterator
from functools import cache

from tests.mail.letters import FILLED, FORM, HEAD, MARKER, ORDERS, attached, boxed, mail, quoted
from tests.mail.samples import newest, orders_file
from tests.mail.styles import MORE_STYLES, write

PAGE = "text/html; charset=utf-8"
NASTY = (
    *("\x00", "\x1b[2J", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff", "\U000e0041", "\ud800", "\uffff"),
    *("\xa0", "\t", "\r", "\x0b", "\x0c", "é", "“", "—", "😀"),
    *("=\n", "=00", "=E2=80=A8", "&#0;", "&#xD800;", "<!--", "]]>"),
)


def _yaml(text: str) -> bytes:
    return mail(f"game: rose-1\nseat: red\norders:\n- at: red-7\n  do: {text}\n")


CRAFTED: dict[str, bytes] = {
    # Nothing, and less
    "empty": b"",
    "one-byte": b"x",
    "nul": b"\0",
    "line-feeds": b"\n" * 5000,
    "carriage-returns": b"\r" * 5000,
    "no-colon": b"hello\nthere\n\nbody\n",
    "from-line": b"From ann Sat Nov 21 20:00:00 2026\n" + mail(ORDERS),
    "colon-first": b": x\n\nbody\n",
    "space-first": b" folded: nothing\nFrom: a@b.example\n\nbody\n",
    "all-bytes": bytes(range(256)) * 100,
    "utf-16": mail(ORDERS).decode().encode("utf-16"),
    "gzip": b"\x1f\x8b\x08" + bytes(500),
    "head-only": HEAD.encode(),
    "head-without-end": HEAD.encode().rstrip(b"\n"),
    # Headers that trip parsers
    "exchange-id": mail(ORDERS, head="In-Reply-To: <[a].b@[c].OUTLOOK.EXAMPLE>\n").replace(
        b"<1@example.test>", b"<[a].b@[c].OUTLOOK.EXAMPLE>", 1
    ),
    "encoded-line-feed-in-from": mail(ORDERS).replace(b"From: ann", b"From: =?UTF-8?Q?=0AMy?= <ann", 1),
    "comment-only-to": mail(ORDERS).replace(b"To: host@pbem.example", b"To: (c):", 1),
    "star-parameter": mail(ORDERS, kind="text/plain; name*"),
    "stars": mail(ORDERS, kind="text/plain; name*0*=x; name*1=; name**=y; =z; ;"),
    "open-parens": mail(ORDERS).replace(b"ann@example.test", b"(" * 500 + b"ann@example.test", 1),
    "five-thousand-addresses": mail(ORDERS, head="Cc: " + ", ".join(["a@b.example"] * 5000) + "\n"),
    "encoded-words": mail(ORDERS, head="X-A: " + " ".join(["=?utf-8?q?a?="] * 4000) + "\n"),
    "subject-of-encoded-words": mail(ORDERS).replace(
        b"Subject: Orders", b"Subject: " + b"=?utf-8?q?a?= " * 4000
    ),
    "encoded-word-open": mail(ORDERS).replace(b"Subject: Orders", b"Subject: =?utf-8?q?" + b"=" * 900),
    "encoded-word-bad-base64": mail(ORDERS).replace(
        b"Subject: Orders", b"Subject: =?utf-8?b?a?= =?utf-8?b?====?="
    ),
    "encoded-word-nul-charset": mail(ORDERS).replace(b"Subject: Orders", b"Subject: =?a\0b?q?x?="),
    "injected-header": mail(ORDERS).replace(
        b"Subject: Orders", b"Subject: =?utf-8?q?x=0D=0ABcc:_v@x.example?="
    ),
    "charset-nul": mail(ORDERS, kind='text/plain; charset="a\0b"'),
    "charset-pieces": mail(ORDERS, kind="text/plain; charset*0=u; charset*1*=''tf-8"),
    "charset-codec": mail(ORDERS, kind="text/plain; charset=zlib_codec"),
    "charset-idna": mail(ORDERS, kind="text/plain; charset=idna"),
    "charset-escape": mail(ORDERS.replace("N2", "\\u000agame"), kind="text/plain; charset=unicode_escape"),
    "charset-utf-7": mail(ORDERS.replace("N2", "+AAo-game"), kind="text/plain; charset=utf-7"),
    "charset-utf-16": mail(ORDERS.encode("utf-16"), kind="text/plain; charset=utf-16"),
    "charset-utf-16-odd": mail(ORDERS.encode("utf-16")[:-1], kind="text/plain; charset=utf-16"),
    "charset-ebcdic": mail(ORDERS.encode("cp500"), kind="text/plain; charset=ebcdic-cp-us"),
    "charset-long": mail(ORDERS, kind="text/plain; charset=" + "x" * 1500),
    "charset-iso-2022": mail(b"\x1b$B" + ORDERS.encode(), kind="text/plain; charset=iso-2022-jp"),
    "year-99999": mail(ORDERS, head="Date: Sat, 21 Nov 99999 20:00:00 +9999\n"),
    "two-froms": mail(ORDERS, head="From: eve@example.net\n"),
    "two-subjects": mail(ORDERS, head="Subject: x\n"),
    "colon-spaces": mail(ORDERS).replace(b"Subject:", b"Subject :"),
    "eight-bit-header-names": mail(ORDERS, head="Sübject: x\n"),
    # Parts
    "boundary-empty": boxed(("", ORDERS)).replace(b"boundary=BOX", b'boundary=""'),
    "boundary-missing": boxed(("", ORDERS)).replace(b"boundary=BOX", b""),
    "boundary-of-spaces": boxed(("", ORDERS)).replace(b"BOX", b'"   "', 1),
    "boundary-never-closed": boxed(("Content-Type: text/plain", ORDERS)).replace(b"--BOX--\n", b""),
    "boundary-in-another-case": boxed(("Content-Type: text/plain", ORDERS)).replace(b"--BOX\n", b"--box\n"),
    "boundary-prefix": boxed(
        ("Content-Type: multipart/mixed; boundary=BOXER", f"--BOXER\n\n{ORDERS}\n--BOXER--")
    ),
    "boundary-same-inside": boxed(
        ("Content-Type: multipart/mixed; boundary=BOX", f"--BOX\n\n{ORDERS}\n--BOX--")
    ),
    "box-in-box": b"".join(
        b"Content-Type: multipart/mixed; boundary=B%d\n\n--B%d\n" % (n, n) for n in range(2000)
    ),
    "box-in-box-nine": b"".join(
        b"Content-Type: multipart/mixed; boundary=B%d\n\n--B%d\n" % (n, n) for n in range(9)
    )
    + b"\n"
    + ORDERS.encode(),
    "mail-in-mail": b"Content-Type: message/rfc822\n\n" * 1500,
    "mail-in-mail-eight": b"Content-Type: message/rfc822\n\n" * 8 + ORDERS.encode(),
    "digest": boxed(("", mail(ORDERS)), kind="multipart/digest"),
    "parts-60": boxed(*[("Content-Type: text/plain", ORDERS)] * 60),
    "parts-20000": HEAD.encode() + b"Content-Type: multipart/mixed; boundary=B\n\n" + b"--B\n\n" * 20_000,
    "external-body": boxed(
        ("Content-Type: message/external-body; access-type=local-file; name=/etc/passwd", "x")
    ),
    "partial-message": mail(ORDERS, kind="message/partial; number=1; total=9; id=x"),
    "delivery-status-odd": mail("Action\n\n\n: failed\n", kind="message/delivery-status"),
    "climbing-name": boxed(attached("../../../../etc/cron.d/x.yml", ORDERS)),
    "name-of-nul": boxed(attached("x\0.yml", ORDERS)),
    "zip-bomb": boxed(attached("orders.yml.zip", b"PK\x03\x04" + bytes(2000))),
    "zip-called-yaml": boxed(attached("orders.yaml", b"PK\x03\x04" + bytes(2000))),
    "picture-called-yaml": boxed(attached("orders.yaml", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)),
    "base64-broken": boxed(
        ("Content-Type: application/yaml\nContent-Transfer-Encoding: base64", "!!!" + ORDERS)
    ),
    "base64-cut": boxed(
        (
            "Content-Type: application/yaml\nContent-Transfer-Encoding: base64",
            base64.b64encode(ORDERS.encode())[:-5],
        )
    ),
    "quoted-printable-broken": mail(
        "orders:\n- at: =ZZ\n  do: {a: =}\n=", head="Content-Transfer-Encoding: quoted-printable\n"
    ),
    "uuencoded": mail("begin 644 x\n#garbage\nend\n", head="Content-Transfer-Encoding: x-uuencode\n"),
    "cte-unknown": mail(ORDERS, head="Content-Transfer-Encoding: x-rot13\n"),
    "cte-long": mail(ORDERS, head="Content-Transfer-Encoding: " + "b" * 1500 + "\n"),
    "flowed-spaces": mail(" \n" * 5000 + ORDERS, kind="text/plain; format=flowed; delsp=yes"),
    "flowed-marks": mail((">" * 900 + " x \n") * 50 + ORDERS, kind="text/plain; format=flowed"),
    # YAML
    "depth-10000": _yaml("[" * 10_000),
    "depth-60000": _yaml("[" * 60_000),
    "dashes-50000": mail("orders:\n" + "- " * 25_000),
    "alias-bomb": mail("orders: &a [x, x]\nstop_if: [*a, *a, *a]\n"),
    "alias-bomb-deep": mail("game: &a [x]\nseat: &b [*a, *a]\norders: &c [*b, *b]\npress: [*c, *c]\n"),
    "alias-of-itself": _yaml("&a [*a]"),
    "merge-key": _yaml("{<<: {play: N2}}"),
    "tag": _yaml("!!python/object/apply:os.system ['true']"),
    "tag-binary": _yaml("!!binary aGVsbG8="),
    "directive": mail("%YAML 1.1\n---\n" + ORDERS),
    "two-documents": mail(ORDERS + "---\n" + ORDERS),
    "directive-attached": boxed(attached("o.yml", "%YAML 1.1\n---\n" + ORDERS)),
    "two-documents-attached": boxed(attached("o.yml", ORDERS + "---\n" + ORDERS)),
    "long-number": _yaml("{play: " + "9" * 5000 + "}"),
    "date": _yaml("{play: 2024-13-45}"),
    "long-key": _yaml("{" + "k" * 5000 + ": 1}"),
    "many-keys": _yaml("{" + ", ".join(f"k{n}: 1" for n in range(6000)) + "}"),
    "list-as-key": _yaml("{[a, b]: c}"),
    "null-key": _yaml("{~: c, : d}"),
    "same-key-twice": _yaml("{play: N1, play: N2}"),
    "hidden-key": mail(ORDERS.replace("seat: red", "seat: red\u2028seat: white")),
    "next-line": mail(ORDERS.replace("seat: red", "seat: red\x85seat: white")),
    "surrogates": mail(ORDERS.replace("N2", "\ud800")),
    "quotes-open": mail("orders:\n- do: '" + "x\n" * 2000),
    "brackets-and-quotes": mail("orders:\n- do: [" + "'\"" * 20_000 + "\nx\ny\n"),
    "apostrophes": mail("orders:\n- do: {say: " + "'" * 30_001 + "\nx\n"),
    "curly-quotes": mail("orders:\n- do: [" + "“" * 20_000 + "]\n"),
    "dashes-of-all-kinds": mail("orders:\n" + "– — • · - x\n" * 2000),
    "tabs": mail("orders:\n" + "\t" * 30_000 + "- x\n"),
    "folded-block": mail("orders:\n- do: >\n" + "   x\n\n" * 3000),
    "colons": mail("orders:" + ":" * 50_000),
    # Quoting
    "depth-of-quote-5000": mail(">" * 5000 + " " + FILLED),
    "every-depth": mail("".join(quoted(FILLED, "> " * n) for n in range(1, 40))),
    "marker-a-thousand-times": mail((MARKER + "\n") * 1000 + FILLED),
    "form-a-hundred-times": mail(quoted(FORM) * 100),
    "keys-a-thousand-times": mail("game: x\nseat: y\norders:\n" * 1000),
    "headers-of-quotes": mail("From: x\nSent: y\nTo: z\nSubject: w\n\n" * 500 + FILLED),
    "wrote": mail("On 1 " + "wrote " * 40 + "wrote:\n" + "schrieb " * 30 + ":\n" + FILLED),
    "rules": mail("_" * 60_000 + "\n" + "-" * 60_000 + "\n" + ORDERS),
    "passed-words": mail("".join(f"{line}\nwhat?\n" for line in quoted(FILLED).splitlines())),
    "long-lines": mail(("x" * 900 + " ") * 70 + "\n" + ORDERS),
    "blank-lines": mail(ORDERS.replace("\n", "\n" * 300)),
    "clear-signed-open": mail("-----BEGIN PGP SIGNED MESSAGE-----\n" + ORDERS),
    # Pages
    "tags-open": mail("<a" * 60_000, kind=PAGE),
    "name-of-a-tag": mail("<" + "a" * 120_000, kind=PAGE),
    "comments-open": mail("<!--" * 40_000 + ORDERS, kind=PAGE),
    "comment-unclosed": mail(f"<pre>{ORDERS}</pre><!-- {ORDERS}", kind=PAGE),
    "marked-sections": mail("<![if !x]>" * 9000 + f"<pre>{ORDERS}</pre><![foo[", kind=PAGE),
    "divs-20000": mail("<div>" * 20_000 + ORDERS, kind=PAGE),
    "divs-closed-only": mail("</div>" * 30_000 + ORDERS, kind=PAGE),
    "blockquotes-5000": mail("<blockquote>" * 5000 + FILLED, kind=PAGE),
    "entities": mail(
        "&" * 60_000 + "&#99999999999999999999;" * 900 + "&#" + "9" * 9000 + ";" + ORDERS, kind=PAGE
    ),
    "attributes": mail("<div " + "a='\"" * 20_000 + ">" + ORDERS, kind=PAGE),
    "style-of-colons": mail("<p style='" + "display " * 10_000 + "'>" + ORDERS, kind=PAGE),
    "script": mail(f"<script><pre>{ORDERS}</pre></script>", kind=PAGE),
    "script-open": mail(f"<script>{ORDERS}", kind=PAGE),
    "hidden-key-of-a-page": mail(
        f"<pre>{ORDERS}<span style=display:none>stop_if: {{a: b}}</span></pre>", kind=PAGE
    ),
    "page-of-nul": mail("\0".join(f"<pre>{ORDERS}</pre>"), kind=PAGE),
    "list-items": mail("<ul>" + "<li>" * 20_000 + "orders:</ul>", kind=PAGE),
    "spaces": mail("<p>" + " " * 100_000 + "\n" + "&nbsp;" * 20_000 + "</p>" + ORDERS, kind=PAGE),
}


def hostile(count: int) -> Iterator[tuple[str, bytes]]:
    """Yield so many hostile mails with their names: the crafted ones, then others made from seeds."""
    yield from list(CRAFTED.items())[:count]
    for seed in range(max(count - len(CRAFTED), 0)):
        yield f"seed-{seed}", mutated(seed)


def mutated(seed: int) -> bytes:
    """Return a good mail after some accidents; the same for the same seed."""
    luck = random.Random(seed)
    raw = luck.choice(_good())
    for _ in range(luck.randint(1, 6)):
        raw = luck.choice(_ACCIDENTS)(luck, raw)
    return raw


@cache
def _good() -> tuple[bytes, ...]:
    """Return the mails that accidents happen to: every style, every sample game."""
    out = [mail(ORDERS), mail(FILLED), boxed(("Content-Type: text/plain", ORDERS), attached("o.yml", ORDERS))]
    for sent in newest()[::3]:
        if len(sent.raw) < 100_000:
            out += [
                write(style, sent.raw, orders_file(sent), "ann@example.test", "host@pbem.example")
                for style in MORE_STYLES
            ]
    return tuple(out)


def _cut(luck: random.Random, raw: bytes) -> bytes:
    return raw[: luck.randrange(len(raw) + 1)]


def _drop(luck: random.Random, raw: bytes) -> bytes:
    start = luck.randrange(len(raw) + 1)
    return raw[:start] + raw[start + luck.randint(1, 200) :]


def _repeat(luck: random.Random, raw: bytes) -> bytes:
    start = luck.randrange(len(raw) + 1)
    piece = raw[start : start + luck.randint(1, 400)]
    return raw[:start] + piece * luck.randint(2, 20) + raw[start:]


def _swap_lines(luck: random.Random, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    one, other = luck.randrange(len(lines)), luck.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _insert(luck: random.Random, raw: bytes) -> bytes:
    start = luck.randrange(len(raw) + 1)
    text = luck.choice(NASTY) * luck.randint(1, 30)
    return raw[:start] + text.encode("utf-8", "surrogatepass") + raw[start:]


def _flip(luck: random.Random, raw: bytes) -> bytes:
    data = bytearray(raw)
    for _ in range(luck.randint(1, 30)):
        if data:
            data[luck.randrange(len(data))] = luck.randrange(256)
    return bytes(data)


def _other_charset(luck: random.Random, raw: bytes) -> bytes:
    charset = luck.choice(
        [b"utf-7", b"koi8-r", b"x-nope", b"us-ascii", b"utf-16", b"\xff", b"rot13", b"gb18030"]
    )
    return raw.replace(b"utf-8", charset).replace(b"us-ascii", charset)


def _other_line_ends(luck: random.Random, raw: bytes) -> bytes:
    return b"".join(
        line + luck.choice([b"\r\n", b"\n", b"\r", b"\n\r", b"\x0b"]) for line in raw.split(b"\n")
    )


def _other_encoding(luck: random.Random, raw: bytes) -> bytes:
    wrong = luck.choice([b"base64", b"x-uuencode", b"8bit", b"quoted-printable", b"nothing"])
    return raw.replace(b"quoted-printable", wrong).replace(b"7bit", wrong)


def _quote_again(luck: random.Random, raw: bytes) -> bytes:
    head, _, body = raw.partition(b"\n\n")
    mark = luck.choice([b"> ", b">", b"| ", b"    ", b"\t", b">> "])
    return head + b"\n\n" + b"".join(mark + line + b"\n" for line in body.split(b"\n"))


def _wrap(luck: random.Random, raw: bytes) -> bytes:
    width = luck.randint(20, 80)
    return b"\n".join(
        b"\n".join(line[at : at + width] for at in range(0, max(len(line), 1), width))
        for line in raw.split(b"\n")
    )


def _box_again(luck: random.Random, raw: bytes) -> bytes:
    kind = luck.choice(
        [b"message/rfc822", b"multipart/digest; boundary=BOX", b"text/html", b"text/plain; format=flowed"]
    )
    return (
        HEAD.encode()
        + b"Content-Type: multipart/mixed; boundary=NEW\n\n--NEW\nContent-Type: "
        + kind
        + b"\n\n"
        + raw
        + b"\n--NEW--\n"
    )


_ACCIDENTS: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    *(_cut, _drop, _repeat, _swap_lines, _insert, _insert, _flip),
    *(_other_charset, _other_line_ends, _other_encoding, _quote_again, _wrap, _box_again),
)
