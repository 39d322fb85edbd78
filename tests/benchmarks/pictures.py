"""A turn of twelve seats with pictures, forms and mails, against the bare steps of the libraries."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from resvg_py import svg_to_bytes

from pbem.core.events import Seat
from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.letters import queue_reports
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import FONTS, WIDTH, page_of, png
from pbem.store.opening import shipped_folder
from pbem.text.reports.report import BRIEF_BOARD, PAGES, PLOTS, Report
from tests.benchmarks.bare import reader
from tests.benchmarks.homes import NOW, WEB, NoSync, in_memory, resolve, sample_home, take_back
from tests.benchmarks.pairs import Row, paired, timed
from tests.homes import top

RULES = "web-of-intrigue"
SETTINGS = "mail: {address: host@pbem.example}\n"


class Made(NamedTuple):
    """What a turn came to, for the bare steps to make again.

    Attributes:
        files: Its files.
        mails: Its mails.
        pages: The form pages in them.
    """

    files: dict[Path, bytes]
    mails: list[bytes]
    pages: list[str]


def rows() -> Iterator[Row]:
    """Yield the row of pictures."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        home = sample_home(Path(folder) / "home", {WEB: WEB})
        (top(home) / "home.yaml").write_text(SETTINGS, encoding="utf-8")
        made = _first(home)
        yield paired(
            f"{RULES}, 12 seats: a turn with pictures, forms and mails against its library steps",
            _turn(home),
            _bare(home, made),
            1.25,
            rounds=10,
            note=f"{len(made.mails)} mails, {sum(map(len, made.mails)):,} bytes",
        )


def _first(home: Home) -> Made:
    """Return what the turn comes to, and take it back."""
    folder = resolve(home, WEB)
    files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    mails, saved = _queue(home), SavedGame(home, WEB)
    pages = [page_of(saved, Seat(seat), "host@pbem.example") for seat in saved.start.seats]
    _back(home)
    return Made(files, mails, pages)


def _turn(home: Home) -> Callable[[], float]:
    """Return the whole turn: run, drawn and queued, as a night job does it."""

    def work() -> float:
        png.cache_clear()
        spent = timed(lambda: (resolve(home, WEB, NoSync()), _queue(home)))
        _back(home)
        return spent

    return work


def _queue(home: Home) -> list[bytes]:
    with home.journal() as db:
        queue_reports(home, db, mail_settings(home), WEB, NOW)
        return [row[0] for row in db.rows("SELECT raw FROM outbox ORDER BY id")]


def _back(home: Home) -> None:
    take_back(home, WEB)
    shutil.rmtree(top(home) / "mail")


def _bare(home: Home, made: Made) -> Callable[[], float]:
    """Return the steps of the libraries: YAML, schemas, templates, pictures, mails, and files written."""
    contexts = [json.loads(data) for path, data in made.files.items() if path.name == "report.json"]
    read, templates, beside = reader(RULES), templates_of(find_rules(RULES)), top(home) / "bare"
    orders = sorted((shipped_folder("orders") / WEB).iterdir())
    drawn: dict[str, str] = {}

    def steps() -> None:
        for path in orders:
            read(path)
        for context in contexts:
            report = Report(templates, context)
            report.kept()
            for name in (*PAGES, BRIEF_BOARD) if context["seat"] else ():
                drawn[name] = report.page(name)
                if name == BRIEF_BOARD:
                    _draw(drawn[name])
        _draw(drawn[PLOTS])
        for page in made.pages:
            json.dumps(page)
        for raw in made.mails:
            _write(raw)
        for path, data in made.files.items():
            (beside / path).parent.mkdir(parents=True, exist_ok=True)
            (beside / path).write_bytes(data)

    def work() -> float:
        spent = timed(steps)
        shutil.rmtree(beside)
        return spent

    return work


def _draw(svg: str) -> None:
    """Draw a picture, and keep it with as many colours as a mail's."""
    drawn = svg_to_bytes(svg_string=svg, width=WIDTH, skip_system_fonts=True, font_files=list(FONTS))
    few = Image.open(io.BytesIO(drawn)).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    few.save(io.BytesIO(), "PNG", compress_level=6)


def _write(raw: bytes) -> None:
    """Read a mail and write it again."""
    found = message_from_bytes(raw, policy=policy.SMTP)
    assert isinstance(found, EmailMessage)
    found.as_bytes()
