"""Mails show the pictures of their reports, and are complete without."""

from __future__ import annotations

import html
import importlib.util
import io
import json
import sys
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.letters import queue_reports
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.play.homes.home import Home
from pbem.play.reports.formpages import FONTS, PLACE, WIDTH, embed_pictures, png
from pbem.text.mail.headers import MAX_BYTES
from pbem.text.reports.report import Report
from tests.homes import NOW, sample_games
from tests.mail.homes import a_mail_home
from tests.pictures import NASTY, RULES, readers, scenes

HAS_PNG = importlib.util.find_spec("resvg_py") is not None and importlib.util.find_spec("PIL") is not None
needs_png = pytest.mark.skipif(not HAS_PNG, reason="the extra pbem[png] is not installed")

ID = "<rose-1.t3.red.report.r0@pbem.test>"
MOST_OF = {"board": 56_000, "plots": 17_000}
"""Bytes of a picture in a mail."""

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">'
SMALL = f'{SVG}<title>A &lt;small&gt; "board"</title></svg>'


@pytest.fixture
def without_png(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take the extra away."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    png.cache_clear()
    yield
    png.cache_clear()


def mails(home: Home) -> list[bytes]:
    """Return the mails of a game's newest turn."""
    with home.journal() as db:
        queue_reports(home, db, mail_settings(home), "rose-1", NOW)
        return [db.queued(row[0]).raw for row in db.rows("SELECT id FROM outbox ORDER BY id")]


def parts(raw: bytes) -> list[tuple[str, str]]:
    """Return type and name of each part of a mail."""
    found = message_from_bytes(raw, policy=default)
    assert isinstance(found, EmailMessage)
    return [(part.get_content_type(), part.get_filename() or "") for part in found.walk()]


@needs_png
def test_a_mail_shows_the_board_in_its_page(tmp_path: Path) -> None:
    raw = mails(a_mail_home(tmp_path))[0]

    found = message_from_bytes(raw, policy=default)
    assert isinstance(found, EmailMessage)
    (picture,) = [part for part in found.walk() if part.get_content_type() == "image/png"]
    page = found.get_body(("html",))
    assert page is not None
    assert f'<img src="cid:{picture["Content-ID"].strip("<>")}" width="450"' in page.get_content()
    assert picture["Content-Disposition"] == 'inline; filename="board.png"'
    assert parts(raw) == [
        ("multipart/mixed", ""),
        ("multipart/alternative", ""),
        ("text/plain", ""),
        ("multipart/related", ""),
        ("text/html", ""),
        ("image/png", "board.png"),
        ("text/x-yaml", "orders-rose-1-red-1.yaml"),
        ("text/html", "orders-rose-1-red-1.html"),
        ("text/html", "rose-1-book.html"),
    ]


def test_without_the_extra_a_mail_has_its_tables_alone(tmp_path: Path, without_png: None) -> None:
    raw = mails(a_mail_home(tmp_path))[0]

    assert [kind for kind, _ in parts(raw)] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "text/x-yaml",
        "text/html",
        "text/html",
    ]
    assert b"cid:" not in raw


@needs_png
@pytest.mark.parametrize("rules", RULES)
def test_no_picture_makes_a_mail_too_large_to_be_quoted(rules: str) -> None:
    from PIL import Image

    drawn = [scene.pictures(readers(scene)[0]) for scene in scenes(rules).values()]
    for name in {name for pictures in drawn for name in pictures}:
        largest = max((pictures.get(name, "") for pictures in drawn), key=len)
        _, (shown,) = embed_pictures(PLACE.format(f"{name}.svg"), {f"{name}.svg": largest}, ID)
        assert len(shown.data) <= MOST_OF[name], name
        assert Image.open(io.BytesIO(shown.data)).width == WIDTH, name


@needs_png
def test_a_reply_that_holds_a_whole_report_with_its_pictures_is_taken_in() -> None:
    folder = max((sample_games() / "web-1" / "turns").glob("0*")) / "reports"
    templates = templates_of(find_rules("web-of-intrigue"))
    told = [json.loads(path.read_bytes()) for path in folder.glob("*/report.json")]
    largest = max((Report(templates, facts) for facts in told), key=lambda report: len(report.html))
    page, shown = embed_pictures(largest.html, {"board.svg": largest.board, "plots.svg": largest.plots}, ID)
    whole = sum(4 * len(one.data) // 3 for one in shown) + len(page) + len(largest.text)

    assert [one.name for one in shown] == ["board.png", "plots.png"]
    assert 1.3 * whole < MAX_BYTES


@needs_png
def test_words_are_drawn_with_the_fonts_of_the_package_whatever_the_machine_has() -> None:
    paper = f'{SVG}<rect width="60" height="20" fill="#ffffff"/>'
    fonts = ("DejaVu Sans", "none", "DejaVu Serif", "Liberation Serif", "Noto Serif", "FreeSerif")

    drawn = [png(f'{paper}<text font-family="{font}" y="15">Ab</text></svg>') for font in fonts]

    assert drawn[0] not in (None, png(f"{paper}</svg>"))
    assert set(drawn[2:]) == {drawn[1]}
    assert all(Path(font).exists() for font in FONTS)


def test_the_title_of_a_picture_is_told_to_those_who_do_not_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.play.reports.formpages.png", lambda svg: b"png")

    _page, files = embed_pictures(f"<p>{PLACE.format('board.svg')}</p>", {"board.svg": SMALL}, ID)

    assert [(one.name, one.content_id) for one in files] == [("board.png", f"board.{ID.strip('<>')}")]


def test_a_picture_without_a_place_in_the_page_is_left_out() -> None:
    assert embed_pictures("<p>no place</p>", {"board.svg": SMALL}, ID) == ("<p>no place</p>", ())


@needs_png
def test_a_picture_that_cannot_be_drawn_keeps_no_mail_back() -> None:
    page = PLACE.format("board.svg")

    assert embed_pictures(page, {"board.svg": "<svg"}, ID) == (page, ())


def test_nobody_can_write_the_place_of_a_picture() -> None:
    assert PLACE.format("board.svg") not in html.escape(PLACE.format("board.svg") + NASTY)


@needs_png
def test_what_is_drawn_does_not_drift() -> None:
    """The pixels of one board as they were looked at; another version of resvg may draw otherwise."""
    import resvg_py
    from PIL import Image

    if resvg_py.__version__ != "0.5.0":
        pytest.skip("the golden picture is of resvg-py 0.5.0")
    drawn = png(scenes("rose-king")["middle"].pictures(Seat("white"))["board"])
    assert drawn is not None
    golden = Path(__file__).with_name("board.png")
    assert (
        Image.open(io.BytesIO(drawn)).convert("RGB").tobytes() == Image.open(golden).convert("RGB").tobytes()
    )
