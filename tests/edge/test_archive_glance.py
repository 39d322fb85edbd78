"""What the archive tells of games at a glance: stories, leads, small pictures, previews, whose turn it is."""

from __future__ import annotations

import html
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.archive.games import PICTURE, THUMBNAIL, game_card_svg, game_summary
from pbem.archive.profiles import _LISTED
from pbem.archive.public import PublishedReport, PublishPolicy, Turn, known_names, public_turn
from pbem.archive.rendering import Pages
from pbem.archive.results import player_page_name
from pbem.archive.site import _SHOWN, write_archive
from pbem.archive.story import NO_SCORES, Scores, scores_of, story_of
from pbem.archive.thumbnails import Sheet, thumbnail
from pbem.core.dice import Dice
from pbem.core.interface import Ask, Json
from pbem.host.run.batch import run
from pbem.host.time.extensions import extend
from pbem.host.time.pausing import pause, resume
from pbem.play.config.templates import archive_templates
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.books import book_of
from tests.edge.test_archive import a_told_game, allow, pages
from tests.edge.test_archive_people import finished, play, started
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, first_choice, send, table_of, top, tree, undo
from tests.hosting.games import DAY, FRIDAY, GAME, HOUR, MADE, TUESDAY, a_club, stay
from tests.written import rows_of

SVG = "{http://www.w3.org/2000/svg}"
GAMES = ["rose-1", "web-1", "wop-1", "cards-1", "powers-1"]
WRITTEN = ["rose-1", "web-1", "wop-1"]
LIMIT = 200_000


@pytest.fixture(scope="module")
def site(samples: Home, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the archive of some sample games."""
    folder = tmp_path_factory.mktemp("glance")
    home = a_home(folder)
    for game in WRITTEN:
        shutil.copytree(top(samples) / "games" / game, top(home) / "games" / game)
    write_archive(home, folder / "out")
    return folder / "out"


def turns_of(saved: SavedGame) -> list[Turn]:
    allowed, names = PublishPolicy(names=True), known_names(saved)
    return [public_turn(saved, number, allowed, names) for number in saved.turns.numbers()]


def line(home: Home, game: str, events: list[Json], scores: Scores = NO_SCORES, number: int = 5) -> str:
    """Return what is told of a turn with these events."""
    saved = SavedGame(home, game)
    facts = {**turns_of(saved)[-1].told.facts, "events": events}
    turn = Turn(number, "2026-11-21T20:00:00+00:00", "", PublishedReport(facts, True, lambda: ({}, "")))
    pages = Pages(saved.environment)
    return story_of(pages, saved.start.rules, [turn], scores, saved.opening.wording.names)[0].line


def lead(before: tuple[int, int], after: tuple[int, int]) -> Scores:
    return Scores("Points", (4, 5), {"red": (before[0], after[0]), "white": (before[1], after[1])})


@pytest.mark.parametrize(
    ("game", "event", "facts"), rows_of(__file__, "a_story_tells_what_changed_hands_before_all_else")
)
def test_a_story_tells_what_changed_hands_before_all_else(
    samples: Home, game: str, event: dict[str, Json], facts: list[object]
) -> None:
    press: Json = {
        "event": "PressSent",
        "at": "",
        "sender": "red",
        "readers": "all",
        "say": "hello",
        "public": True,
    }
    told = line(samples, game, [{"at": "x-1", "public": True, **event}, press])
    assert tells(told, *facts)
    assert "hello" not in told


@pytest.mark.parametrize(
    ("before", "after", "said", "unsaid"), rows_of(__file__, "a_story_tells_when_the_lead_changes")
)
def test_a_story_tells_when_the_lead_changes(
    samples: Home, before: tuple[int, int], after: tuple[int, int], said: tuple[object, ...], unsaid: str
) -> None:
    told = line(samples, "rose-1", [], lead(before, after))
    assert tells(told, *said)
    assert unsaid not in told


def test_a_story_tells_the_first_of_much_and_has_all_of_it(samples: Home) -> None:
    saved, allowed = SavedGame(samples, "web-1"), PublishPolicy()
    turn = public_turn(saved, 6, allowed, frozenset())
    (told,) = story_of(Pages(saved.environment), "web-of-intrigue", [turn], NO_SCORES, {})
    events: Any = turn.told.facts["events"]
    won = [one["object"] for one in events if one["event"] == "BidMade" and one["success"]]
    taken = [one for one in won if one in told.more]
    assert len(won) > 3 < len(taken) and tells(f"{told.first} {told.more}", *won)
    assert told.line.split() == f"{told.first} {told.count}".split()
    assert not [one for one in taken if one in told.count]


def test_a_story_says_who_won_and_with_how_many_points(samples: Home) -> None:
    ended: Json = {
        "event": "GameEnded", "at": "", "public": True, "reason": "x", "decided_by": "points",
        "scores": {"red": 20, "white": 31}, "winners": ["white"],
    }  # fmt: skip
    assert tells(line(samples, "rose-1", [ended]), "White", "31 to 20")


@pytest.mark.parametrize("game", ["web-1", "wop-1", "powers-1"])
def test_every_turn_has_one_line_and_points_are_those_of_the_newest_report(samples: Home, game: str) -> None:
    saved = SavedGame(samples, game)
    turns = turns_of(saved)
    scores = scores_of(turns[-1].told.facts)
    story = story_of(Pages(saved.environment), saved.start.rules, turns, scores, saved.opening.wording.names)

    assert len(story) == len(turns) and all(one.line for one in story)
    ids = [one for one, name in saved.opening.wording.names.items() if "_" in one and one != name]
    assert [one for one in ids if one in " ".join(f"{told.line} {told.more}" for told in story)] == []
    assert saved.system.system is not None
    title, count = next(iter(saved.system.system.plots.items()))
    view = saved.opening.view(saved.position.game, None)
    assert (scores.title, scores.at(saved.turn)) == (title, dict(count(view)))
    assert any(scores.at(saved.turn).values()), "of a game that goes on something can be told"


def test_points_are_those_that_the_rules_count_now_in_a_game_of_an_older_version(samples: Home) -> None:
    facts = turns_of(SavedGame(samples, "rose-1"))[-1].told.facts
    known = scores_of(facts)
    history: Any = facts["history"]
    older = {"Roses": {seat: [1, *([None] * (len(known.turns) - 1))] for seat in known.seats}}
    told = {**facts, "history": {**history, "plots": {**older, **history["plots"]}}}
    assert scores_of(told) == known


def test_a_table_of_a_running_game_has_who_is_ahead_first(site: Path) -> None:
    page = (site / "wop-1" / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r"<tr[^>]*><td class=.place.>(\d+)\..*?data-of=.points?.>(\d+)", page)
    assert len(rows) == 4 and [int(points) for _, points in rows] == sorted(
        (int(points) for _, points in rows), reverse=True
    )
    assert [int(place) for place, _ in rows] == [
        1 + sum(int(other) > int(points) for _, other in rows) for _, points in rows
    ]
    assert page.count('class="best"') == sum(place == "1" for place, _ in rows)


@pytest.mark.parametrize(
    ("points", "begun"),
    [
        ([(0, 0), (0, 0), (0, 2), (3, 2)], (2, 3, 4)),
        ([(5, 4), (6, 4)], (1, 2)),
        ([(0, 0), (0, 0)], (2,)),
        ([], ()),
    ],
)
def test_points_are_drawn_from_where_they_begin(
    points: list[tuple[int, int]], begun: tuple[int, ...]
) -> None:
    turns = tuple(range(1, len(points) + 1))
    seats = dict(zip(("red", "white"), zip(*points, strict=True), strict=False))
    found = Scores("Points", turns, seats).begun

    assert found.turns == begun
    assert [*zip(*found.seats.values(), strict=True)] == (points[-len(begun) :] if begun else [])


@pytest.mark.parametrize("game", GAMES)
def test_a_small_picture_is_drawn_in_few_bytes_without_words_and_asks_for_nothing(
    samples: Home, game: str
) -> None:
    board = turns_of(SavedGame(samples, game))[-1].told.board
    small = thumbnail(board)
    drawn = ElementTree.fromstring(small)
    assert 0 < len(small) < len(board) * 0.6
    assert not {one.tag for one in drawn.iter()} & {
        f"{SVG}{name}" for name in ("text", "title", "image", "script")
    }
    ids = {f"#{one.get('id')}" for one in drawn.iter() if one.get("id")}
    assert {one.get("href") for one in drawn.iter() if one.get("href")} <= ids
    _, _, wide, high = map(float, drawn.attrib["viewBox"].split())
    assert high <= wide * 4 / 3


def test_a_small_picture_takes_nothing_from_elsewhere_and_runs_nothing() -> None:
    bad = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="x()"><script>canary</script>'
        '<image href="https://canary.example/a.png"/><use href="https://canary.example/b.svg#c"/>'
        '<g onclick="canary()" style="background:url(https://canary.example)">'
        + '<rect fill="url(https://canary.example)" width="1" height="1"/>' * 30
        + "</g><foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>canary</p></foreignObject></svg>"
    )
    assert thumbnail(bad)
    assert "canary" not in thumbnail(bad)
    assert thumbnail("<svg") == thumbnail("") == ""


def test_a_small_picture_shows_the_first_sheet_alone_without_what_is_too_fine() -> None:
    def board(*names: str) -> str:
        sheets = (
            f'<svg y="{90 * n}" viewBox="0 {90 * n} 90 90" aria-label="{name}">'
            + f'<rect y="{90 * n}" width="{n + 1}" height="1"/>' * 9
            + '<use href="#thin"/></svg>'
            for n, name in enumerate(names)
        )
        defined = '<defs><path id="thin" class="still fine" d="M0 0h9"/></defs>'
        return f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 90 180">{defined}{"".join(sheets)}</svg>'

    small = ElementTree.fromstring(thumbnail(board("The map", "Cards")))
    assert small.get("viewBox") == "0 0 90 90"
    assert [one.get("width") for one in small.iter(f"{SVG}rect")] == ["1"] * 9
    assert not [*small.iter(f"{SVG}use"), *small.iter(f"{SVG}path")]
    assert thumbnail(board("Who has what", "Who has what")) == "", "a list in columns"


def test_a_players_page_shows_the_boards_of_the_games_as_they_stand(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    a_game(home)
    allow(home, "{names: true}")

    def boards(name: str) -> list[tuple[str, str]]:
        write_archive(home, out)
        page = (out / player_page_name(name)).read_text(encoding="utf-8")
        assert set(re.findall('<use href="#([^"]+)"', page)) <= set(re.findall('id="([^"]+)"', page))
        found = re.finditer(r'<a class="board small" href="([^"]+)"[^>]*>(<svg.*?</svg>)', page, re.DOTALL)
        return [(one[1], one[2]) for one in found]

    ((link, before),) = boards("Ann")
    assert link == "rose-1/replay.html"
    send(home, "rose-1", "red", [{"at": "red-1", "do": first_choice(SavedGame(home, "rose-1"), "red")}])
    run(home, "rose-1", now=NOW)
    ((_, after),) = boards("Ann")
    assert before != after and boards("Bob") == [(link, after)]


def test_small_pictures_on_a_page_share_what_they_have_in_common_and_find_all_of_it(samples: Home) -> None:
    boards = {game: turns_of(SavedGame(samples, game))[-1].told.board for game in GAMES}
    small = {game: thumbnail(board) for game, board in boards.items()}
    sheet = Sheet({f"{game}-{copy}": text for game, text in small.items() for copy in range(3)})

    page = f'<svg xmlns="http://www.w3.org/2000/svg">{sheet.shared}{"".join(sheet.pictures.values())}</svg>'
    ids = [one.get("id") for one in ElementTree.fromstring(page).iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert set(re.findall('href="#([^"]+)"', page)) <= set(ids)
    assert len(page) < 2 * sum(map(len, small.values()))


def test_nothing_tells_who_has_sent_orders(tmp_path: Path) -> None:
    home, games = a_home(tmp_path), ("rose-1", "web-1")
    a_game(home)
    a_game(home, "web-1", rules="web-of-intrigue", table=table_of(2))
    allow(home, "{names: true, press: all, address: 'https://games.example'}")
    write_archive(home, tmp_path / "before")

    for game in games:
        saved = SavedGame(home, game)
        assert isinstance(saved.ask, Ask)
        seat = sorted(saved.ask.seats)[0]
        do = saved.opening.bot_order(saved.position.game, seat, Dice(b"x", 1), "greedy")
        send(home, game, seat, [{"at": saved.ask.label, "do": do}])
    write_archive(home, tmp_path / "after")

    assert tree(tmp_path / "before") == tree(tmp_path / "after")


def test_how_long_is_told_of_one_seat_alone_and_of_several_the_deadline(samples: Home, site: Path) -> None:
    for game in WRITTEN:
        ask = SavedGame(samples, game).ask
        assert isinstance(ask, Ask)
        page = (site / game / "index.html").read_text(encoding="utf-8")
        assert ("data-ago" in page.partition("</main>")[0]) == (len(ask.seats) == 1), game
        book = (site / game / "book.html").read_text(encoding="utf-8")
        assert book == book_of(SavedGame(samples, game)).page and '<a href="book.html">' in page


def test_a_feed_calls_things_by_their_names(samples: Home, site: Path) -> None:
    feed = html.unescape((site / "wop-1" / "feed.xml").read_text(encoding="utf-8"))
    names = SavedGame(samples, "wop-1").opening.wording.names
    told = [one for one, name in names.items() if "_" in one and name in feed]
    assert told and not any(one in feed for one in told)


def test_no_secret_is_in_a_picture_of_a_running_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, drawn = a_told_game(tmp_path), list[str]()
    allow(home, "{names: true, press: all, address: 'https://games.example'}")

    def png(svg: str, width: int) -> bytes:
        drawn.append(svg)
        return b"png"

    monkeypatch.setattr("pbem.archive.games.png", png)
    monkeypatch.setattr("pbem.archive.games.can_draw", lambda: True)
    write_archive(home, tmp_path / "out")

    secret = SavedGame(home, "rose-1").secret
    small = (tmp_path / "out" / "rose-1" / THUMBNAIL).read_text(encoding="utf-8")
    hidden = ["canary", secret.seed.hex(), "47114711", "example.org", "Tokyo", *secret.keys.values()]
    assert drawn and [one for one in hidden if one in drawn[0] + small] == []


def test_the_index_of_many_games_stays_small_and_lists_hold_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, out, listed_at_most = a_home(tmp_path), tmp_path / "out", _LISTED // 4
    monkeypatch.setattr("pbem.archive.profiles._LISTED", listed_at_most)
    many = listed_at_most + 3
    for number in range(many):
        a_game(home, f"duel-{number:03d}", deal=False)
    write_archive(home, out)
    before = {path.name: path.read_bytes() for path in out.glob("*.html")}

    assert sorted(before) == ["games-1.html", "games-2.html", "index.html"]
    assert all(len(page) * 4 < LIMIT for page in before.values())
    index = before["index.html"].decode()
    assert len(set(re.findall('href="(duel-[0-9]+)/', index))) == _SHOWN
    listed = [re.findall('href="(duel-[0-9]+)/', before[f"games-{n}.html"].decode()) for n in (1, 2)]
    assert [len(one) for one in listed] == [listed_at_most, 3]

    shutil.rmtree(top(home) / "games" / listed[1][0])
    write_archive(home, out)
    assert (out / "games-1.html").read_bytes() == before["games-1.html"]
    assert (out / "games-2.html").read_bytes() != before["games-2.html"]


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
    told = game_summary(pages, ROW)
    assert tells(told, "White (Bob & Roy)", "30 to 20", "White, 30", "Red, 20: Ann <Lee>")
    assert told.index("White, 30") < told.index("Red, 20")
    drawn = ET.fromstring(game_card_svg(ROW, BOARD))
    texts = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    winner, other = "White, 30, winner: Bob & Roy", "Red, 20: Ann <Lee>"
    assert texts == ["The Rose King", "duel, 2026-11-21", winner, other]
    (board,) = list(drawn.iter("{http://www.w3.org/2000/svg}svg"))[1:]
    assert [board.get(name) for name in ("viewBox", "width", "height")] == ["0 0 9 9", "420", "630"]


def test_a_link_to_a_game_has_title_sentence_and_picture(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, f"{{names: true, address: '{SITE}/'}}")
    finished(home, "duel-1")
    started(home, "duel-2")

    write_archive(home, out)

    told = meta(out / "duel-1" / "index.html")
    assert told["og:description"] == told["description"]
    assert tells(told["og:description"], "Red, 1", "Ann Lee", "White, 0: Bob Roy")
    assert told["og:url"] == f"{SITE}/duel-1/index.html"
    assert told["og:image"] == f"{SITE}/duel-1/{PICTURE}"
    assert (out / "duel-1" / PICTURE).read_bytes().startswith(b"\x89PNG")
    assert meta(out / "duel-2" / "index.html")["og:image"] == f"{SITE}/duel-2/{PICTURE}"
    assert sorted(path.parent.name for path in out.rglob(PICTURE)) == ["duel-1", "duel-2"]

    undo(home, "duel-1")
    write_archive(home, out)
    assert "winner" not in meta(out / "duel-1" / "index.html")["description"]


@pytest.mark.parametrize("missing", ["address", "extra"])
def test_without_an_address_or_the_extra_a_preview_is_text_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}" if missing == "address" else f"{{names: true, address: '{SITE}'}}")
    if missing == "extra":
        monkeypatch.setitem(sys.modules, "resvg_py", None)
    finished(home, "duel-1")

    write_archive(home, out)

    told = meta(out / "duel-1" / "index.html")
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
    finished(home, "duel-1")
    started(home, "duel-2", tokens=2)
    play(home, "duel-2")

    write_archive(home, out)

    assert len(drawn) == 2
    assert ["winner" in one for one in drawn] == [True, False]
    assert not re.search("Ann|Bob|canary", "".join(drawn) + pages(out))


FIRST = "Deadline for turn-1: Tuesday 24 November 2026, 20:00 EET (Europe/Helsinki)."


def said(home: Home) -> str:
    """Write the archive; return what both pages say below the line of whom the game waits for."""
    out = top(home).parent / "site"
    write_archive(home, out)
    pages = [(out / name).read_text(encoding="utf-8") for name in ("index.html", f"{GAME}/index.html")]
    found = []
    for page in pages:
        lines = re.findall(r'<span class="due">(.*?)</span>', page)
        found.append(html.unescape(re.sub("<[^>]+>", "", " ".join(lines))))
    assert found[0] == found[1], "the index and the page of the game say the same"
    return found[0]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return a_club(tmp_path)


def test_a_deadline_that_was_moved_by_hand_stands_there_however_often(home: Home) -> None:
    assert said(home) == FIRST
    page = (top(home).parent / "site" / "index.html").read_text(encoding="utf-8")
    assert '<time datetime="2026-11-24T20:00+02:00">' in page
    for moved in (FRIDAY, FRIDAY + DAY, TUESDAY):
        extend(home, GAME, MADE + HOUR, to=moved)
        told = said(home)
        assert moved.strftime("Deadline for turn-1: %A %d November 2026") in told
    assert told == FIRST


def test_the_next_turn_and_one_that_is_taken_back_have_their_own_deadlines(home: Home) -> None:
    said(home)
    stay(home, "1", "2", "3")
    run(home, GAME, now=TUESDAY)
    assert said(home) == "Deadline for turn-2: Friday 27 November 2026, 20:00 EET (Europe/Helsinki)."
    undo(home, GAME)
    assert said(home) == FIRST


def test_a_pause_is_told_with_its_dates_and_no_deadline_that_it_holds_up(home: Home) -> None:
    said(home)
    pause(home, GAME, MADE + HOUR, "Ann is ill")
    paused = said(home)
    assert tells(paused, "Friday 20 November 2026, 15:00 EET")
    resume(home, GAME, MADE + 2 * HOUR)
    assert FIRST.replace("20:00", "21:00") in said(home)

    pause(home, GAME, MADE + 3 * HOUR, "a fair", start=TUESDAY - DAY, end=FRIDAY)
    told = said(home)
    assert told.startswith("Deadline for turn-1: ") and FIRST not in told
    assert tells(told, "Monday 23 November 2026, 20:00 EET", "Friday 27 November 2026, 20:00 EET", "a fair")
    assert "is paused" not in told, "what is written before a pause stays true in it: no page asks the clock"
