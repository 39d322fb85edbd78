"""What a link to a game looks like elsewhere: title, sentence, and of a finished game a picture."""

from __future__ import annotations

import io
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.games import HEIGHT, PICTURE, WIDTH, card, picture, sentence
from pbem.archive.rendering import Pages
from pbem.archive.site import write_archive
from pbem.play.config.templates import archive_templates
from pbem.store.errors import WrongInput
from tests.edge.test_archive import allow, pages
from tests.edge.test_archive_people import finished, play, started
from tests.facts import tells
from tests.homes import a_home, undo

SITE = "https://games.example/mail"
ROW: dict[str, Any] = {
    "title": "The Rose King",
    "name": "duel",
    "at": "2026-11-21T20:00:00+00:00",
    "turn": 9,
    "over": True,
    "standing": "The game is over.",
    "players": [
        {"title": "Red", "name": "Ann <Lee>", "score": 20, "points": 20, "won": False, "colour": "#C1272D"},
        {"title": "White", "name": "Bob & Roy", "score": 30, "points": 30, "won": True, "colour": "#FFFFFF"},
    ],
}
BOARD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="60" height="60"><path/></svg>'


def meta(page: Path) -> dict[str, str]:
    text = page.read_text(encoding="utf-8")
    return dict(
        re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]*|description)" content="([^"]*)">', text)
    )


def test_a_finished_game_is_told_in_a_sentence_and_a_picture_the_winner_first() -> None:
    pages = Pages(archive_templates())
    told = sentence(pages, ROW)
    assert tells(told, "White (Bob & Roy)", "30 to 20", "White, 30", "Red, 20: Ann <Lee>")
    assert told.index("White, 30") < told.index("Red, 20")
    drawn = ET.fromstring(card(ROW, BOARD))
    texts = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    winner, other = "White, 30, winner: Bob & Roy", "Red, 20: Ann <Lee>"
    assert texts == ["The Rose King", "duel, 2026-11-21", winner, other]
    (board,) = list(drawn.iter("{http://www.w3.org/2000/svg}svg"))[1:]
    assert [board.get(name) for name in ("viewBox", "width", "height")] == ["0 0 9 9", "420", "630"]


def test_a_table_of_twelve_and_names_of_any_length_stay_in_the_picture() -> None:
    row = {**ROW, "title": "T" * 99, "players": [{**ROW["players"][0], "name": "N" * 200}] * 12}

    texts = [one.text or "" for one in ET.fromstring(card(row, "")).iter("{http://www.w3.org/2000/svg}text")]

    assert texts[-1] == "and 6 more"
    assert len(texts) == 2 + 7
    assert max(map(len, texts)) < 40


def test_the_picture_is_a_png_of_the_size_that_is_told() -> None:
    pillow = pytest.importorskip("PIL.Image")
    for board in (BOARD, "<svg", "no picture"):
        drawn = picture(ROW, board)
        assert drawn is not None
        assert pillow.open(io.BytesIO(drawn)).size == (WIDTH, HEIGHT)


def test_a_link_to_a_game_has_title_sentence_and_picture(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, f"{{names: true, address: '{SITE}/'}}")
    finished(home, "web-1")
    started(home, "web-2")

    write_archive(home, out)

    told = meta(out / "web-1" / "index.html")
    assert told["og:description"] == told["description"]
    assert tells(told["og:description"], "Player 1, 21", "Ann Lee", "Player 2, 11: Bob Roy")
    assert told["og:url"] == f"{SITE}/web-1/index.html"
    assert told["og:image"] == f"{SITE}/web-1/{PICTURE}"
    assert (out / "web-1" / PICTURE).read_bytes().startswith(b"\x89PNG")
    assert meta(out / "web-2" / "index.html")["og:image"] == f"{SITE}/web-2/{PICTURE}"
    assert sorted(path.parent.name for path in out.rglob(PICTURE)) == ["web-1", "web-2"]

    undo(home, "web-1")
    write_archive(home, out)
    assert "winner" not in meta(out / "web-1" / "index.html")["description"]


@pytest.mark.parametrize("missing", ["address", "extra"])
def test_without_an_address_or_the_extra_a_preview_is_text_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}" if missing == "address" else f"{{names: true, address: '{SITE}'}}")
    if missing == "extra":
        monkeypatch.setitem(sys.modules, "resvg_py", None)
    finished(home, "web-1")

    write_archive(home, out)

    told = meta(out / "web-1" / "index.html")
    assert not [name for name in told if name.startswith(("og:image", "twitter"))]
    assert ("og:url" in told) == (missing == "extra")
    assert not list(out.rglob(PICTURE))


def test_no_preview_of_a_nameless_game_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, f"{{address: '{SITE}'}}")
    drawn: list[str] = []

    def png(svg: str, width: int) -> bytes:
        drawn.append(svg)
        return b""

    monkeypatch.setattr("pbem.archive.games.png", png)
    finished(home, "web-1")
    started(home, "web-2", turns=2)
    play(home, "web-2")

    write_archive(home, out)

    assert len(drawn) == 2
    assert ["winner" in one for one in drawn] == [True, False]
    assert not re.search("Ann|Bob|canary", "".join(drawn) + pages(out))


@pytest.mark.parametrize(
    "address", ["games.example", "javascript:alert(1)", 'https://x"onload=', "https://a b"]
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    home = a_home(tmp_path)
    started(home, "web-1")
    allow(home, f"{{address: '{address}'}}")

    with pytest.raises(WrongInput, match=r"archive\.address.*https://"):
        write_archive(home, tmp_path / "out")

    assert not (tmp_path / "out").exists()
