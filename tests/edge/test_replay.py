"""The replay of a game: each moment as the game was saved, and what each reader may know of it."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.archive.public import Allowed, public_turn
from pbem.archive.replay import EVERYTHING, PUBLIC, Replay
from pbem.archive.site import write_archive
from pbem.archive.timeline import merged
from pbem.core.events import Recorded
from pbem.core.notices import PressSent
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.text.codec import encode_event
from tests.edge.test_archive_finished import play_out
from tests.finished import SEATS, a_finished_game, moments_of, replay_of
from tests.homes import a_home, sample_games, top

OPTIONS: dict[str, dict[str, int]] = {"web-of-intrigue": {"turns": 2}}


@pytest.fixture(scope="module", params=SEATS)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SavedGame:
    rules = str(request.param)
    return a_finished_game(a_home(tmp_path_factory.mktemp(rules)), rules, **OPTIONS.get(rules, {}))


def numbers(game: SavedGame) -> list[int]:
    return [number for number in game.turns.numbers() if number]


RINGED = re.compile('<(?:circle|rect)[^>]* stroke="#d6006c"')


def test_ships_that_sailed_and_tokens_that_were_taken_are_ringed(tmp_path: Path) -> None:
    game = a_finished_game(a_home(tmp_path), "game-of-powers")
    ringed = {"ShipPlaced": "circle", "ShipSailed": "circle", "TokensTaken": "rect", "CardsLaidOut": "rect"}

    told = set[str]()
    for one in replay_of(game).shown(EVERYTHING):
        kinds = {str(entry.event["event"]) for entry in one.entries}
        found = {"circle" if "<circle" in ring else "rect" for ring in RINGED.findall(one.board)}
        if one.board and kinds:
            assert found == {ringed[kind] for kind in kinds if kind in ringed}, one.address
        told |= kinds
    assert {"ShipSailed", "TokensTaken"} <= told


def test_the_public_sees_ringed_who_enacted_or_bid(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    shutil.copytree(sample_games() / "web-1", top(home) / "games" / "web-1")
    game = SavedGame(home, "web-1")
    turns = [public_turn(game, number, Allowed(), frozenset()) for number in game.turns.numbers()]

    told = 0
    for one in Replay(game, turns, {}, Allowed(), frozenset()).shown(PUBLIC):
        acted = {
            entry.event["seat"]
            for entry in one.entries
            if entry.event["event"] in ("SpecialEnacted", "BidMade")
        }
        deeds = one.board.count('<rect x="231"')
        assert deeds == len(acted), one.address
        told += deeds
    assert told


# --- one picture of many

Drawn = tuple[str, tuple[tuple[str, str], ...], str, tuple["Drawn", ...], str]


def drawn(svg: str) -> tuple[Drawn, ...]:
    """Return what a picture draws, without its own title and what scripts of order pages need."""
    found: list[Drawn | None] = []
    for one in ElementTree.fromstring(svg):
        parts = one if one.tag.endswith("}svg") else [one]
        found += [_drawn(part, None) for part in parts if not _names(part)]
    return tuple(filter(None, found))


def drawn_at(boards: list[str], moment: int) -> tuple[Drawn, ...]:
    """Return what the merged picture of some boards shows at a moment."""
    found: list[Drawn] = []
    for sheet in merged(boards):
        root = ElementTree.fromstring(re.sub(r'( [\w:-]+)=([^" />]+)(?=[^<]*>)', r'\1="\2"', sheet.drawn))
        span = _span(root)
        if not span or span[0] <= moment < span[1]:
            found += (one for part in root for one in _shown(part, moment))
    return tuple(found)


def _names(element: ElementTree.Element) -> bool:
    return element.tag.endswith(("}title", "}desc"))


def _span(element: ElementTree.Element) -> tuple[int, float] | None:
    found = re.fullmatch(r"--a:(\d+)(?:;--b:(\d+))?", element.get("style", ""))
    return (int(found[1]), int(found[2]) if found[2] else float("inf")) if found else None


def _shown(element: ElementTree.Element, moment: int) -> Iterator[Drawn]:
    span = _span(element)
    if span is None:
        yield from filter(None, [_drawn(element, moment)])
    elif span[0] <= moment < span[1]:
        plain = {name: value for name, value in element.items() if name not in ("class", "style")}
        if plain or not element.tag.endswith("}g") or _is_own_group(element):
            yield from filter(None, [_drawn(element, moment)])
        else:  # put around parts that stand for the same time
            yield from (one for part in element for one in _shown(part, moment))


def _is_own_group(element: ElementTree.Element) -> bool:
    return any(_names(one) for one in element)


def _drawn(element: ElementTree.Element, moment: int | None) -> Drawn | None:
    """Return an element with what is in it; groups that say nothing are as good as their parts."""
    attributes = tuple(
        (name, re.sub(r"-v\d+\b", "", value))
        for name, value in sorted(element.items())
        if not name.startswith("data-") and name not in ("class", "style")
    )
    inner: list[Drawn] = []
    for part in element:
        found = [_drawn(part, None)] if moment is None else _shown(part, moment)
        inner += [one for one in found if one is not None]
    text = (element.text or "").strip()
    return element.tag, attributes, text, tuple(inner), (element.tail or "").strip()


def plain(parts: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
    """Return parts without groups that have nothing of their own."""
    found: list[Drawn] = []
    for tag, attributes, text, inner, tail in parts:
        flat = plain(inner)
        is_bare = tag.endswith("}g") and not attributes and not any(one[0].endswith("}title") for one in flat)
        found += flat if is_bare else [(tag, attributes, text, flat, tail)]
    return tuple(found)


def test_each_moment_of_a_whole_game_is_drawn_as_its_board_was(game: SavedGame) -> None:
    replay = replay_of(game)
    for eyes in (EVERYTHING, str(game.start.seats[0])):
        boards = [one.board for one in replay.shown(eyes)]
        for moment in {*range(0, len(boards), 7), len(boards) - 1}:
            board = boards[moment]
            assert plain(drawn_at(boards, moment)) == (plain(drawn(board)) if board else ()), (eyes, moment)


SHAPES = st.recursive(
    st.sampled_from(['<rect x="1"/>', '<rect x="2"/>', '<text x="1">a &amp; b</text>', '<use href="#d"/>']),
    lambda inner: st.lists(inner, max_size=4).map(
        lambda parts: f'<g transform="t"><title>one</title>{"".join(parts)}</g>'
    ),
    max_leaves=8,
)
BOARDS = st.lists(
    st.one_of(
        st.just(""),
        st.tuples(st.lists(SHAPES, max_size=6), st.sampled_from(["<rect/>", "<circle/>"])).map(
            lambda told: (
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>T</title>'
                f'<defs><g id="d">{told[1]}</g></defs>{"".join(told[0])}</svg>'
            )
        ),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(BOARDS)
def test_any_boards_come_out_of_one_picture_as_they_went_in(boards: list[str]) -> None:
    assert bool(merged(boards)) == any(boards)
    for moment, board in enumerate(boards):
        assert plain(drawn_at(boards, moment)) == (plain(drawn(board)) if board else ()), moment


# --- the moments of a game


def test_the_last_moment_of_each_turn_is_the_game_as_it_was_saved(game: SavedGame) -> None:
    for number in numbers(game):
        moments = moments_of(game, number)
        assert moments[-1].game == saves.load_position(game.turns.at(number), game.rules).game
        addresses = [one.address for one in moments]
        assert len(set(addresses)) == len(addresses)


def test_all_that_happened_stands_with_some_moment_in_its_order(game: SavedGame) -> None:
    for number in numbers(game):
        told = [entry for one in moments_of(game, number) for entry in one.events]
        events = (game.turns.at(number) / "events.jsonl").read_text().splitlines()
        assert [_as_kept(entry) for entry in told] == [json.loads(line) for line in events]


def _as_kept(entry: Recorded) -> object:
    event = encode_event(entry.event)
    return {"at": entry.at, **event}


def test_a_step_of_web_of_intrigue_has_a_moment_for_each_phase(tmp_path: Path) -> None:
    game = a_finished_game(a_home(tmp_path), "web-of-intrigue", turns=1)
    stages = [one.stage for one in moments_of(game, game.turn)]

    assert stages[-1] == "points"
    order = ["special_1", "bid_1", "special_2", "bid_2", "special_3", "bid_3", "guess", "move", "points"]
    assert stages == [stage for stage in order if stage in stages] and len(stages) > 4
    for one in moments_of(game, game.turn):
        phases = {getattr(entry.event, "phase", one.stage) for entry in one.events}
        assert phases <= {one.stage, "special_1"} if one.begins else phases == {one.stage}


def test_a_turn_that_cannot_be_played_again_is_shown_as_it_was_told(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    game = a_finished_game(home, "rose-king")
    record = top(home) / "games" / "rose-king" / "turns" / f"{game.turn:04d}" / "turn.json"
    kept = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps({**kept, "rules_version": 99}), encoding="utf-8")

    write_archive(home, tmp_path / "out")

    page = (tmp_path / "out" / "rose-king" / "replay.html").read_text(encoding="utf-8")
    assert re.findall(rf"id=t{game.turn}-\d+", page) == [f"id=t{game.turn}-1"]
    assert "t1-1" in page


def test_a_board_that_is_no_picture_keeps_no_game_out_of_the_archive(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_finished_game(home, "rose-king")
    (top(home) / "templates" / "rose-king").mkdir(parents=True)
    (top(home) / "templates" / "rose-king" / "board.svg.j2").write_text("<svg><g></svg>", encoding="utf-8")

    found = write_archive(home, tmp_path / "out")

    assert list(found.undrawn) == ["rose-king"] and not found.aside


# --- who may know what


def pages_of(home: Home, out: Path, allowed: str) -> dict[str, str]:
    (top(home) / "home.yaml").write_text(f"archive: {allowed}\n", encoding="utf-8")
    write_archive(home, out)
    return {
        path.stem: html.unescape(path.read_text(encoding="utf-8"))
        for path in (out / "web-1").glob("replay*.html")
    }


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = a_home(tmp_path_factory.mktemp("told"))
    play_out(home)
    return home


def test_names_and_press_stand_in_a_replay_as_the_moderator_allows(finished: Home, tmp_path: Path) -> None:
    told = pages_of(finished, tmp_path / "all", "{names: true, press: all}")
    silent = pages_of(finished, tmp_path / "none", "{press: none}")

    first = moments_of(SavedGame(finished, "web-1"), 2)[0]
    said = {one.event.say for one in first.events if isinstance(one.event, PressSent)}
    assert said, "the game has press"
    for words in said:
        assert any(words.split("\n")[0] in page for page in told.values())
        assert not any(words.split("\n")[0] in page for page in silent.values())


def test_a_seat_sees_in_its_replay_what_it_was_told_and_no_more(finished: Home, tmp_path: Path) -> None:
    told = pages_of(finished, tmp_path / "out", "{press: none}")

    whole = re.findall(r"To Player (\d+):</b> ([^<]*)", told["replay"])
    assert len(whole) > 3
    for seat in SavedGame(finished, "web-1").start.seats:
        own = {words for who, words in whole if who == seat}
        assert {words for _, words in whole if words in told[f"replay-{seat}"]} == own


def test_a_running_game_is_replayed_as_the_public_saw_it(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    play_out(home)
    write_archive(home, tmp_path / "over")
    assert (tmp_path / "over" / "web-1" / "replay-2.html").exists()

    (top(home) / "games" / "web-1" / "turns" / "0002").rename(tmp_path / "away")
    write_archive(home, tmp_path / "over")

    left = sorted(path.name for path in (tmp_path / "over" / "web-1").glob("replay*"))
    assert left == ["replay.html"]
    assert "needed" not in (tmp_path / "over" / "web-1" / "replay.html").read_text(encoding="utf-8")
