"""The archive of a finished game: everything is told, and can be verified from one file alone."""

from __future__ import annotations

import hashlib
import hmac
import html
import io
import json
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from pbem.archive.download import pack_zip
from pbem.archive.site import write_archive
from pbem.archive.verification import verify_file
from pbem.archive.verifier import Archive, files_of
from pbem.core.dice import Dice
from pbem.core.interface import Ask, Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import short_root
from pbem.play.turn.luck import deal_of
from pbem.store.errors import WrongInput
from tests.facts import each_tells, tells
from tests.homes import NOW, SEED, a_game, a_home, filled, send, top, undo

TABLE = """
seats:
  1: {player: Ann Lee, address: ann-canary@example.org, luck: lucky ann}
  2: {player: Bob Roy, address: bob-canary@example.org, luck: bob & "luck"}
"""
PRESS: list[Json] = [
    {"to": "all", "say": "Well met, Bob Roy."},
    {"to": ["2"], "say": "between us <script>alert(1)</script> & so on"},
]


def play_out(home: Home) -> SavedGame:
    """Play a short game of Web of Intrigue to its end, with press of all kinds in its first turn."""
    filled(home, by=_play)
    return SavedGame(home, "web-1")


def _play(home: Home) -> None:
    a_game(home, "web-1", rules="web-of-intrigue", table=TABLE, options={"turns": 1})
    play_on(home, NOW)


def play_on(home: Home, now: datetime) -> SavedGame:
    """Play its only turn."""
    saved = SavedGame(home, "web-1")
    assert isinstance(saved.ask, Ask)
    for seat in saved.start.seats:
        do = saved.opening.bot_order(saved.position.game, seat, Dice(b"x", 1), "greedy")
        when: Json = {"me": seat}
        lines: list[Json] = [{"at": "turn-1", "when": {"me": ["3"]}, "do": do}, {"when": when, "do": do}]
        send(home, "web-1", seat, lines, press=PRESS if seat == "1" else [])
    run(home, "web-1", now=now)
    return SavedGame(home, "web-1")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    found = a_home(tmp_path_factory.mktemp("finished"))
    assert not isinstance(play_out(found).ask, Ask)
    return found


@pytest.fixture(scope="module")
def archived(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what gives the game in an archive with such settings, which stand in home.yaml then."""
    made: dict[str, Path] = {}

    def write(allowed: str) -> Path:
        (top(home) / "home.yaml").write_text(f"archive: {allowed}\n", encoding="utf-8")
        if allowed not in made:
            made[allowed] = tmp_path_factory.mktemp("out") / "web-1"
            write_archive(home, made[allowed].parent)
        return made[allowed]

    return write


def text_of(page: Path) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]+>", "", page.read_text(encoding="utf-8"))))


def test_a_finished_game_tells_who_ordered_what_and_why_it_was_played(
    archived: Callable[[str], Path], home: Home
) -> None:
    folder = archived("{names: true, press: all}")
    page, saved = text_of(folder / "0002.html"), SavedGame(home, "web-1")

    moves = SavedGame(home, "web-1").record["steps"][0]["moves"]  # type: ignore[index, call-overload]
    assert f"move: {moves['1']['move']}" in page  # type: ignore[index, call-overload]
    assert tells(page, "Player 2")
    assert "To Player 1" in page
    names, steps = saved.opening.wording.names, json.dumps(saved.record["steps"])
    told = (folder / "0002.html").read_text(encoding="utf-8").partition("Who ordered what")[2]
    ordered = html.unescape("".join(re.findall("<tr>.*<code>.*</tr>", told)))
    ids = [one for one, name in names.items() if name != one and f'"{one}"' in steps]
    assert ids and all(names[one] in ordered for one in ids), "things are called by their names"
    assert not any(re.search(rf"\b{one}\b", ordered) for one in ids)


def test_each_report_is_there_as_it_was_sent(archived: Callable[[str], Path], home: Home) -> None:
    folder = archived("{names: true, press: all}")

    for turn in ("0000", "0001", "0002"):
        for seat in ("1", "2"):
            sent = (top(home) / "games") / "web-1" / "turns" / turn / "reports" / seat / "report.txt"
            assert (folder / f"{turn}-{seat}.txt").read_bytes() == sent.read_bytes()
            assert "This is the report as it was sent." in text_of(folder / f"{turn}-{seat}.html")


def test_a_draw_on_a_page_can_be_made_with_what_the_page_of_the_game_tells(
    archived: Callable[[str], Path],
) -> None:
    folder = archived("{names: false}")

    assert SEED.hex() in text_of(folder / "index.html")
    rows = [
        row
        for page in ("0001.html", "0002.html")
        for row in re.findall(
            r"<tr><td>(\d+)</td><td>([^<]*)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td></tr>",
            (folder / page).read_text(encoding="utf-8"),
        )
    ]
    luck = json.dumps(["luck", [["1", "lucky ann"], ["2", 'bob & "luck"']]])
    key = hmac.digest(SEED, luck.encode(), "sha256")
    assert {row[0] for row in rows} == {"0", "1"}
    for step, label, number, limit, drawn in rows:
        place = json.dumps(["draw", int(step), html.unescape(label), int(number), 0])
        value = int.from_bytes(hmac.digest(key, place.encode(), hashlib.sha256), "big")
        assert value % int(limit) == int(drawn), label


@pytest.mark.parametrize(
    ("allowed", "heard", "unheard"),
    [
        ("{names: true, press: all}", ["Well met, Bob Roy", "between us"], ["canary"]),
        ("{names: true, press: public}", ["Well met, Bob Roy"], ["between us", "canary"]),
        (
            "{press: all}",
            ["Well met, a player", "between us"],
            ["Ann Lee", "Bob Roy", "canary", "(a player)"],
        ),
        ("{press: none}", [], ["Well met", "between us", "Ann Lee", "Bob Roy", "canary"]),
    ],
)
def test_press_and_names_are_published_as_the_moderator_allows_also_in_the_download(
    archived: Callable[[str], Path], allowed: str, heard: list[str], unheard: list[str]
) -> None:
    folder = archived(allowed)
    with zipfile.ZipFile(folder / "web-1.zip") as packed:
        files = [packed.read(name).decode() for name in packed.namelist()]
    told = "\n".join([path.read_text(encoding="utf-8") for path in folder.glob("*.*ml")] + files)

    assert [words for words in heard if words not in told] == []
    assert [words for words in unheard if words in told] == []
    assert verify_file(folder / "web-1.zip")[1].findings == ()


def test_what_people_wrote_to_each_other_is_never_run(archived: Callable[[str], Path]) -> None:
    folder = archived("{names: true, press: all}")

    for page in folder.glob("*.html"):
        scripts = 0 if page.name == "book.html" else 1
        assert page.read_text(encoding="utf-8").count("<script") == scripts, page
    ET.parse(folder / "feed.xml")
    assert "between us <script>alert(1)</script> & so on" in text_of(folder / "0002.html")


def contents_of(game: str) -> bytes:
    texts = dict.fromkeys(("game", "kind", "rules", "commitment", "seed"), game)
    lists: dict[str, Json] = {"seats": [], "roots": [], "feet": []}
    return json.dumps({**texts, **lists, "format": 1, "files": {}, "left_out": {}, "changed": {}}).encode()


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"web-1/../../etc/passwd": b""},
        {"/etc/passwd": b""},
        {"web-1/a": b"", "web-2/a": b""},
        {"web-1/a": b""},
        {"web-1/archive.json": b"[" * 99_999},
        {"web-1/archive.json": b"{}"},
        {"web-1/archive.json": contents_of("../../../tmp/x")},
    ],
)
def test_what_is_no_download_is_refused_in_one_sentence(tmp_path: Path, files: dict[str, bytes]) -> None:
    (tmp_path / "x.zip").write_bytes(pack_zip(files))

    with pytest.raises(WrongInput):
        verify_file(tmp_path / "x.zip")


def test_the_same_game_gives_the_same_download(
    archived: Callable[[str], Path], home: Home, tmp_path: Path
) -> None:
    first = (archived("{names: true}") / "web-1.zip").read_bytes()
    write_archive(home, tmp_path / "again")

    assert (tmp_path / "again" / "web-1" / "web-1.zip").read_bytes() == first
    with zipfile.ZipFile(io.BytesIO(first)) as packed:
        assert {one.date_time for one in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert packed.namelist() == sorted(packed.namelist())


def test_a_feed_holds_what_rfc_4287_asks_for_under_ids_that_stay(archived: Callable[[str], Path]) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ET.parse(archived("{names: true}") / "feed.xml").getroot()
    entries = feed.findall(f"{atom}entry")

    assert feed.tag == f"{atom}feed"
    assert feed.findtext(f"{atom}author/{atom}name")
    titles = [entry.findtext(f"{atom}title") for entry in entries]
    assert each_tells(titles, ("web-1", "Bob Roy", "14", "10"), ("web-1", "1"), ("web-1",))
    for one in [feed, *entries]:
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", one.findtext(f"{atom}id") or "")
        assert re.fullmatch(r"[0-9-]{10}T[0-9:]{8}[+-][0-9:]{5}", one.findtext(f"{atom}updated") or "")
        assert one.find(f"{atom}link[@rel='alternate']") is not None
    assert len({one.findtext(f"{atom}id") for one in [feed, *entries]}) == len(entries) + 1
    assert "Well met, Bob Roy." in (entries[0].findtext(f"{atom}content") or "")
    assert entries[1].findtext(f"{atom}id") == "urn:uuid:9b72286e-69e5-52d7-a11e-96387e0132ec"


def test_every_link_leads_to_a_file_and_none_out_of_the_archive(archived: Callable[[str], Path]) -> None:
    out = archived("{names: true}").parent

    for page in out.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="?([^" >]*)', page.read_text(encoding="utf-8")):
            assert ":" not in link and not link.startswith("/"), link
            name, _, place = link.partition("#")
            target = page.parent / name if name else page
            assert target.is_file(), f"{page}: {link}"
            if place:
                text = target.read_text(encoding="utf-8")
                assert re.search(rf'id="?{re.escape(place)}[" >]', text), f"{page}: {link}"


def test_a_game_whose_end_was_taken_back_shows_only_what_is_public_again(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    play_out(home)
    write_archive(home, tmp_path / "out")
    assert (tmp_path / "out" / "web-1" / "0001-2.html").exists()

    undo(home, "web-1")
    write_archive(home, tmp_path / "out")

    left = {path.name for path in (tmp_path / "out" / "web-1").iterdir()}
    assert left == {f"{n}.html" for n in ("0000", "0001", "book", "index", "replay")} | {
        "feed.xml",
        "web-1.zip",
    }
    assert SEED.hex() not in (tmp_path / "out" / "web-1" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text"), [("report.txt", b"Red won"), ("report.html", None), ("more.html", b"")]
)
def test_what_was_public_of_a_running_game_is_compared_with_its_list_and_its_roots(
    tmp_path: Path, name: str, text: bytes | None
) -> None:
    home = a_home(tmp_path)
    foot = short_root(str(a_game(home).record["root"]))
    write_archive(home, tmp_path / "out")
    path = tmp_path / "out" / "rose-1" / "rose-1.zip"
    assert verify_file(path, foot)[1].findings == ()
    assert verify_file(path, foot)[1].foot == "turn 1"
    assert verify_file(path, "aaaa-aaaa-aaaa-aaaa")[1].findings != ()

    with zipfile.ZipFile(path) as packed:
        files = {one: packed.read(one) for one in packed.namelist()}
    place = f"rose-1/turns/0001/{name}"
    path.write_bytes(
        pack_zip({one: data for one, data in {**files, place: text}.items() if data is not None})
    )

    assert f"turns/0001/{name}" in [one.place for one in verify_file(path)[1].findings]


def test_the_root_of_a_turn_that_was_taken_back_is_known_while_the_game_runs(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    foot = short_root(str(a_game(home).record["root"]))
    undo(home, "rose-1")
    run(home, "rose-1", now=NOW, deal=True)
    write_archive(home, tmp_path / "out")
    path = tmp_path / "out" / "rose-1" / "rose-1.zip"

    found = verify_file(path, foot)[1]

    assert found.findings == () and tells(found.foot, "1")
    alone = Archive(files_of(path))
    assert alone.findings() == []
    assert tells(alone.turn_of_foot(foot), "1")
    assert alone.turn_of_foot("aaaa-aaaa-aaaa-aaaa") == ""
    (strange,) = verify_file(path, "aaaa-aaaa-aaaa-aaaa")[1].findings
    assert tells(strange.text, "aaaa-aaaa-aaaa-aaaa")


def test_whose_luck_words_did_not_come_from_them_is_told(archived: Callable[[str], Path]) -> None:
    """The host put both words in: he knew the seed, and could have tried thousands for a deal he wanted."""
    folder = archived("{names: true}")
    page = text_of(folder / "index.html")

    assert "Player 1: lucky ann, put in by the host" in page
    assert tells(page, "Player 1", "Player 2")
    assert "could choose" not in page
    packed = folder / "web-1.zip"
    assert any(tells(one, "1, 2") for one in verify_file(packed)[1].notes)
    alone = Archive(files_of(packed))
    assert alone.findings() == [] and tells(alone.doubt(), "1", "2", f"{len(alone.excused)} ")


@pytest.mark.parametrize(
    ("word", "is_doubted"), [("rain", False), ("", True)], ids=["one gave words", "nobody did"]
)
def test_seats_of_bots_and_silent_ones_have_no_share_in_the_deal(
    tmp_path: Path, word: str, is_doubted: bool
) -> None:
    """They cannot be used to choose it either; where nobody has a share, the seed could have been chosen."""
    home = a_home(tmp_path)
    table = "seats:\n  1: {player: Ann}\n  2: {player: Bot, bot: greedy}\n  3: {player: Cat}\n"
    a_game(home, "web-1", rules="web-of-intrigue", table=table, options={"turns": 1}, deal=False)
    send(home, "web-1", "1", [{"at": "start", "do": {"luck": word}}])
    run(home, "web-1", now=NOW, deal=True)

    found = deal_of(home.turns("web-1"))

    assert [(share.seat, share.words, share.origin) for share in found.shares] == [
        ("1", word, "sent"),
        ("2", "", "bot"),
        ("3", "", "nobody"),
    ]
    assert found.is_of_seed_alone is is_doubted
