"""Mails and downloads of nonsense: what reading them costs, and how that grows with their size."""

from __future__ import annotations

import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from pbem.archive.verification import verify_file
from pbem.store.errors import WrongInput
from pbem.text.mail.headers import MAX_LINES
from tests.benchmarks.homes import in_memory
from tests.benchmarks.pairs import Row
from tests.mail.host import ANN, Host, a_host

LARGE: Final = 256_000
SMALL: Final = LARGE // 4
"""Bytes of the two mails: the larger is about as long as a text of a mail may be."""
GROWTH: Final = 8
"""Four times as much may cost four times as much, and twice that for what a small mail is too quick for."""
TINY: Final = 0.02
"""Seconds that count as the least, as looking at any mail costs some."""

PLAIN: Final = "Content-Type: text/plain; charset=utf-8"
PAGE: Final = "Content-Type: text/html; charset=utf-8"
ORDERS: Final = "game: rose-1\nseat: red\norders:\n"

Written = Callable[[int], tuple[str, str]]


def _repeated(unit: str, start: str = "", kind: str = PLAIN) -> Written:
    """Return how a text is written that repeats something, of at most as many lines as are read."""
    lines = unit.count("\n") + unit.count("\r") + unit.count("<") * (kind == PAGE)

    def written(size: int) -> tuple[str, str]:
        times = (size - len(start)) // len(unit.encode())
        most = MAX_LINES * size // LARGE // lines - 9 if lines and size <= LARGE else times
        return kind, start + unit * min(times, most)

    return written


def _deep_boxes(depth: int) -> Written:
    def written(size: int) -> tuple[str, str]:
        inner = "".join(
            f'--B{n}\nContent-Type: multipart/mixed; boundary="B{n + 1}"\n\n' for n in range(depth)
        )
        return 'Content-Type: multipart/mixed; boundary="B0"', inner + "x\n" * ((size - len(inner)) // 2)

    return written


def _letters(size: int) -> tuple[str, str]:
    inner = "Content-Type: message/rfc822\n\n" * (size // 30)
    return "Content-Type: message/rfc822", inner


def _parts(kind: str, text: Callable[[int], str], count: int = 4) -> Written:
    def written(size: int) -> tuple[str, str]:
        part = text(size // count)
        return (
            "Content-Type: multipart/mixed; boundary=B",
            "".join(f"--B\n{kind}\n\n{part}\n" for _ in range(count)) + "--B--\n",
        )

    return written


MAILS: Final[dict[str, Written]] = {
    **{f"only {one!r}": _repeated(one) for one in "x ,:-#>|'\"{[(=_*.0@!\\&%;\t\r`~/?<é："},
    **{
        f"a line each: {one!r}": _repeated(f"{one}\n") for one in ("x", "", ">", "-", ":", "#", "|", ",", "=")
    },
    "> nested": lambda size: (PLAIN, "\n".join("> " * (depth % 400) + "x" for depth in range(size // 400))),
    "From: lines": _repeated("From: a@example.org\nSent: 1.1.2026\nTo: b@example.org\n\n"),
    "a wrote:": _repeated("On 1.1.2026 a@example.org wrote:\n"),
    "dates and colons": _repeated("1 a 1:\n"),
    "addresses": _repeated("a@b "),
    "orders:": _repeated("orders:\n"),
    "- at:": _repeated("- at: red-1\n", ORDERS),
    "- do: {": _repeated("- do: {\n", ORDERS),
    "do: {": _repeated("do: {\n"),
    "a form": _repeated(f"# pbem form x\n{ORDERS}- at: red-1\n  do: {{}}\n\n"),
    "orders again and again": _repeated(f"{ORDERS}- at: red-1\n  do: {{play: N2}}\n\n\n"),
    "orders, many words": _repeated("word ", f"{ORDERS}- at: red-1\n  do: {{say: "),
    "orders, many words and commas": _repeated("it's, a: b ", f"{ORDERS}- at: red-1\n  do: {{say: "),
    "dashes, then a key": _repeated("- - - - - - - x\n"),
    "comments": _repeated("# x\n"),
    "absent back ,,,,": lambda size: (PLAIN, "absent back " + "," * size),
    "away": _repeated("away ", "away "),
    "please and my": _repeated(" and my x want", "my luck words are x"),
    "re: re:": _repeated("re: "),
    "flowed": _repeated("x \n", kind=f"{PLAIN}; format=flowed"),
    "flowed words": _repeated("to: 2 \n", kind=f"{PLAIN}; format=flowed"),
    "page of <": _repeated("<", kind=PAGE),
    "page of tables": _repeated("<table><tr><td>", kind=PAGE),
    "page of quotes": _repeated("<blockquote>x", kind=PAGE),
    "page of styles": _repeated("<p style='display:'>x", kind=PAGE),
    "page of one tag": _repeated("a=' ", "<p ", kind=PAGE),
    "page of entities": _repeated("&amp", kind=PAGE),
    "page of to: 2": _repeated("to: 2<br>", kind=PAGE),
    "page of orders": _repeated("orders:<br>", kind=PAGE),
    "boxes, 9 deep": _deep_boxes(9),
    "boxes, 500 deep": _deep_boxes(500),
    "mails in mails": _letters,
    "four texts of to: 2": _parts(PLAIN, lambda size: "to: 2\n" * (size // 6)),
    "forty texts of From:": _parts(PLAIN, lambda size: "From: a@b 1.1.2026\n" * (size // 19), 40),
}


def cost_of(host: Host, written: Written, size: int, subject: str = "x") -> float:
    """Return the processor seconds that a player's mail of a size takes from the door to its answer."""
    kind, text = written(size)
    host.numbers += 1
    head = f"From: {ANN}\nMessage-ID: <{host.numbers}@example.test>\nSubject: {subject}\n{kind}\n\n"
    raw, to = (head + text).encode(), host.address()
    start = time.process_time()
    host.gets(raw, to)
    return time.process_time() - start


def _packed(name: str, start: str, unit: str, end: str) -> Callable[[Path, int], None]:
    def written(path: Path, size: int) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr(name, start + unit * (size // len(unit)) + end)

    return written


def _many(path: Path, size: int) -> None:
    with zipfile.ZipFile(path, "w") as out:
        for number in range(size // 200):
            out.writestr(f"game/turns/{number:04}/report.txt", "x")


DOWNLOADS: Final[dict[str, Callable[[Path, int], None]]] = {
    "numbers": _packed("game/archive.json", "[", "0,", "0]"),
    "lists within lists": _packed("game/archive.json", "", "[", ""),
    "keys": _packed("game/archive.json", "{", '"a":{},', '"a":{}}'),
    "a long text": _packed("game/archive.json", '"', "x", '"'),
    "many files": _many,
    "a long file": _packed("game/turns/0000/report.txt", "", "x ", ""),
}


def cost_of_download(path: Path, written: Callable[[Path, int], None], size: int) -> float:
    """Return the processor seconds that refusing a download of a size takes."""
    written(path, size)
    start = time.process_time()
    try:
        verify_file(path)
    except WrongInput:
        return time.process_time() - start
    raise AssertionError("such a file is no download of a game")


def rows() -> Iterator[Row]:
    """Yield two rows: the mail and the download whose cost grows most."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        host, path = _host(Path(folder)), Path(folder) / "game.zip"
        mails = {name: (cost_of(host, one, SMALL), cost_of(host, one, LARGE)) for name, one in MAILS.items()}
        files = {
            name: (cost_of_download(path, one, SMALL), cost_of_download(path, one, LARGE))
            for name, one in DOWNLOADS.items()
        }
    for what, found in (("mails", mails), ("downloads", files)):
        ratios = {name: large / max(small, TINY) for name, (small, large) in found.items()}
        worst = max(ratios, key=lambda name: ratios[name])
        small, large = found[worst]
        title = f"the {what[:-1]} that grows most of {len(found)}, {LARGE} bytes against {SMALL} ({worst})"
        yield Row(title, large * 1000, small * 1000, ratios[worst], GROWTH, note="processor time, once")
        slowest = max(found, key=lambda name: max(found[name]))
        title = f"the slowest of {len(found)} {what} of nonsense, in seconds ({slowest})"
        most = max(found[slowest])
        yield Row(title, most * 1000, 1000, most, 1, note="processor time, once")


def _host(folder: Path) -> Host:
    """Return a host that has read a mail, and so has imported what reads mails."""
    host = a_host(folder / "home", orders_per_hour=1000, receipts_per_hour=1000)
    cost_of(host, MAILS["orders:"], 100)
    return host
