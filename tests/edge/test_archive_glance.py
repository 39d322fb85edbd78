"""What the archive tells of games at a glance: stories, leads, small pictures, whose turn it is."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.archive.games import THUMBNAIL
from pbem.archive.profiles import _LISTED
from pbem.archive.public import Allowed, Told, Turn, known_names, public_turn
from pbem.archive.rendering import Pages
from pbem.archive.site import _SHOWN, write_archive
from pbem.archive.story import NO_SCORES, Scores, scores_of, story_of
from pbem.archive.thumbnails import Sheet, thumbnail
from pbem.core.dice import Dice
from pbem.core.interface import Ask, Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.edge.test_archive import a_told_game, allow
from tests.edge.test_archive_people import finished, play, started
from tests.facts import tells
from tests.homes import a_game, a_home, sample_games, send, top, tree

SVG = "{http://www.w3.org/2000/svg}"
GAMES = ["rose-1", "web-1", "wop-1", "cards-1", "powers-1"]
LIMIT = 200_000


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with all samples, which no test changes."""
    home = a_home(tmp_path_factory.mktemp("glance"))
    for game in sorted(sample_games().iterdir()):
        shutil.copytree(game, top(home) / "games" / game.name)
    return home


def turns_of(saved: SavedGame) -> list[Turn]:
    allowed, names = Allowed(names=True), known_names(saved)
    return [public_turn(saved, number, allowed, names) for number in saved.turns.numbers()]


def line(home: Home, game: str, events: list[Json], scores: Scores = NO_SCORES, number: int = 5) -> str:
    """Return what is told of a turn with these events."""
    saved = SavedGame(home, game)
    facts = {**turns_of(saved)[-1].told.facts, "events": events}
    turn = Turn(number, "2026-11-21T20:00:00+00:00", "", Told(facts, True, lambda: ({}, "")))
    pages = Pages(saved.environment)
    return story_of(pages, saved.start.rules, [turn], scores, saved.opening.wording.names)[0]


def lead(before: tuple[int, int], after: tuple[int, int]) -> Scores:
    return Scores("Points", (4, 5), {"red": (before[0], after[0]), "white": (before[1], after[1])})


@pytest.mark.parametrize(
    ("game", "event", "facts"),
    [
        (
            "rose-1",
            {"event": "TokenTurned", "seat": "red", "loser": "white", "square": "B2"},
            ["White", "B2"],
        ),
        ("powers-1", {"event": "TaskClaimed", "seat": "white", "task": "x", "name": "four", "value": 6}, [6]),
    ],
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
    ("before", "after", "said", "unsaid"),
    [
        ((0, 0), (3, 1), ("Red", 3), "White"),
        ((2, 5), (9, 7), ("Red", "White", 9, 7), "level"),
        ((2, 5), (6, 6), ("Red", "White", 6), "2"),
        ((5, 2), (6, 3), (), "Red"),
    ],
    ids=["the first lead", "one overtook the other", "level", "the same lead"],
)
def test_a_story_tells_when_the_lead_changes(
    samples: Home, before: tuple[int, int], after: tuple[int, int], said: tuple[object, ...], unsaid: str
) -> None:
    told = line(samples, "rose-1", [], lead(before, after))
    assert tells(told, *said)
    assert unsaid not in told


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

    assert len(story) == len(turns) and all(story)
    ids = [one for one, name in saved.opening.wording.names.items() if "_" in one and one != name]
    assert [one for one in ids if one in " ".join(story)] == []
    view = turns[-1].told.facts["view"]
    assert isinstance(view, dict)
    sides = view.get("players") or {seat: view[seat] for seat in saved.start.seats}
    assert scores.at(saved.turn) == {seat: side["points"] for seat, side in sides.items()}  # type: ignore[union-attr, index, call-overload]


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


def test_small_pictures_on_a_page_share_what_they_have_in_common_and_find_all_of_it(samples: Home) -> None:
    boards = {game: turns_of(SavedGame(samples, game))[-1].told.board for game in GAMES}
    small = {game: thumbnail(board) for game, board in boards.items()}
    sheet = Sheet({f"{game}-{copy}": text for game, text in small.items() for copy in range(3)})

    page = f'<svg xmlns="http://www.w3.org/2000/svg">{sheet.shared}{"".join(sheet.pictures.values())}</svg>'
    ids = [one.get("id") for one in ElementTree.fromstring(page).iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert set(re.findall('href="#([^"]+)"', page)) <= set(ids)
    assert len(page) < 2 * sum(map(len, small.values()))


def test_nothing_tells_who_has_sent_orders(samples: Home, tmp_path: Path) -> None:
    home, games = a_home(tmp_path), ("rose-1", "web-1")
    for game in games:
        shutil.copytree(top(samples) / "games" / game, top(home) / "games" / game)
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


def test_how_long_is_told_of_one_seat_alone_and_of_several_the_deadline(
    samples: Home, tmp_path: Path
) -> None:
    write_archive(samples, tmp_path / "out")
    for game in GAMES:
        ask = SavedGame(samples, game).ask
        assert isinstance(ask, Ask)
        page = (tmp_path / "out" / game / "index.html").read_text(encoding="utf-8")
        assert ("data-ago" in page.partition("</main>")[0]) == (len(ask.seats) == 1), game


def test_a_feed_calls_things_by_their_names(samples: Home, tmp_path: Path) -> None:
    write_archive(samples, tmp_path / "out")
    feed = html.unescape((tmp_path / "out" / "wop-1" / "feed.xml").read_text(encoding="utf-8"))
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


def test_a_player_has_a_course_of_ratings_and_results_against_others(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}")
    finished(home, "web-1")
    finished(home, "web-2", days=5)
    started(home, "web-3", turns=2)
    play(home, "web-3")
    write_archive(home, out)
    assert "<polyline" not in next(out.glob("player-ann-lee-*")).read_text(encoding="utf-8")
    finished(home, "web-4", days=9)
    write_archive(home, out)

    page = next(out.glob("player-ann-lee-*")).read_text(encoding="utf-8")
    assert len(re.findall('<polyline points="([^"]*)"', page)[0].split()) == 3
    against = page.partition("Against others")[2].partition("</table>")[0]
    assert re.findall('<td class="n">([0-9]+)</td>', against) == ["3", "3", "0"]
