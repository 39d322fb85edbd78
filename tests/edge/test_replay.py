"""The replay of a game and the steps of its turns: each moment as it was, and what each reader may know."""

from __future__ import annotations

import html
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.archive.public import PublishPolicy, public_turn
from pbem.archive.replay import EVERYTHING, PUBLIC, Replay, ReplayFrame
from pbem.archive.site import write_archive
from pbem.archive.timeline import merge_boards
from pbem.archive.verification import verify_file
from pbem.core.dice import Dice
from pbem.core.events import ALL, Recorded, Seat
from pbem.core.interface import Json
from pbem.core.notices import PressSent
from pbem.host.run.batch import run
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import STEPS
from pbem.play.homes.saves import STEPS_IN_TURN as IN_TURN
from pbem.play.homes.verify import play_again, verify
from pbem.play.turn.moments import ReplayMoment, public_moments, read_public_moments, steps_text
from pbem.play.turn.moments import moments_of as moments_played
from pbem.rules.rose_king.rules import RoseKing
from pbem.rules.rose_king.state import State
from pbem.rules.rose_king.view import View
from pbem.store.errors import GateClosedError
from pbem.text.codec import encode, encode_event
from tests.edge.test_archive_finished import play_out
from tests.edge.test_verify import forge
from tests.facts import tells
from tests.finished import SEATS, a_finished_game, moments_of, replay_of
from tests.homes import NOW, a_game, a_home, folder_of, send, top, tree, turn_folder

STEPS_OF_A_RUN = 12
OPTIONS: dict[str, dict[str, int]] = {
    "web-of-intrigue": {"turns": 3},
    "rose-king": {"own_tokens": 16, "most_steps": STEPS_OF_A_RUN},
}
"""With these a game of bots is short, or has several turns of many steps."""
SAMPLES = ["rose-1", "web-1", "wop-1", "cards-1", "powers-1"]
LINES: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}, {"at": "red-2", "do": {"draw": True}}]
REPLIES: list[Json] = [{"at": "white-1", "do": {"play": "SE2"}}, {"at": "white-2", "do": {"draw": True}}]


@pytest.fixture(scope="module", params=SEATS)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SavedGame:
    rules = str(request.param)
    return a_finished_game(
        a_home(tmp_path_factory.mktemp(rules)), rules, **OPTIONS.get(rules, {"most_steps": STEPS_OF_A_RUN})
    )


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


def test_the_public_sees_ringed_who_enacted_or_bid(samples: Home) -> None:
    told, deed = 0, ("SpecialEnacted", "BidMade")
    for one in seen_by_all(SavedGame(samples, "web-1")):
        acted = {entry.event["seat"] for entry in one.entries if entry.event["event"] in deed}
        deeds = len(re.findall('<use href="#(?:won|failed|enacted)"', one.board))
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


def sheets_of(boards: list[str]) -> list[ElementTree.Element]:
    """Return the sheets of the merged picture of some boards."""
    unquoted = re.compile(r'( [\w:-]+)=([^" />]+)(?=[^<]*>)')
    return [ElementTree.fromstring(unquoted.sub(r'\1="\2"', sheet.drawn)) for sheet in merge_boards(boards)]


def drawn_at(sheets: list[ElementTree.Element], moment: int) -> tuple[Drawn, ...]:
    """Return what the sheets of a merged picture show at a moment."""
    found: list[Drawn] = []
    for root in sheets:
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
    is_open = game.start.rules == "rose-king"
    assert replay.eyes == (() if is_open else game.start.seats), "who sees what all see has no pages"
    for eyes in (EVERYTHING, str(game.start.seats[0])):
        boards = [one.board for one in replay.shown(eyes)]
        sheets = sheets_of(boards)
        for moment in {*range(0, len(boards), 19), len(boards) - 1}:
            board = boards[moment]
            assert plain(drawn_at(sheets, moment)) == (plain(drawn(board)) if board else ()), (eyes, moment)


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
    sheets = sheets_of(boards)
    assert bool(sheets) == any(boards)
    for moment, board in enumerate(boards):
        assert plain(drawn_at(sheets, moment)) == (plain(drawn(board)) if board else ()), moment


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
    game = a_finished_game(home, "rose-king", own_tokens=2)
    record = turn_folder(folder_of(game), game.turn) / "turn.json"
    kept = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps({**kept, "rules_version": 99}), encoding="utf-8")

    write_archive(home, tmp_path / "out")

    page = (tmp_path / "out" / "rose-king" / "replay.html").read_text(encoding="utf-8")
    assert re.findall(rf"id=t{game.turn}-\d+", page) == [f"id=t{game.turn}-1"]
    assert "t1-1" in page


def test_a_board_that_is_no_picture_keeps_no_game_out_of_the_archive(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    (top(home) / "templates" / "rose-king").mkdir(parents=True)
    (top(home) / "templates" / "rose-king" / "board.svg.j2").write_text("<svg><g></svg>", encoding="utf-8")

    found = write_archive(home, tmp_path / "out")

    assert list(found.undrawn) == ["rose-1"] and not found.aside


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


def facts_of(game: SavedGame, number: int) -> dict[str, Json]:
    return saves.read_json(game.turns.at(number) / "reports" / "spectator" / "report.json")


def played_again(game: SavedGame, number: int) -> tuple[SavedGame, tuple[ReplayMoment, ...]]:
    """Return the game before a turn, and the moments of the turn, from orders and state alone."""
    before = SavedGame(game.home, game.name, at_turn=number - 1)
    turn = game.turns.at(number)
    return before, moments_played(before, number, play_again(before, turn, saves.load_record(turn)))


def seen_by_all(game: SavedGame) -> list[ReplayFrame]:
    """Return the replay of a game as it is shown while the game runs."""
    turns = [public_turn(game, number, PublishPolicy(), frozenset()) for number in game.turns.numbers()]
    return Replay(game, turns, {}, PublishPolicy(), frozenset()).shown(PUBLIC)


def a_turn_of_steps(home: Home, *more: Json) -> Path:
    """Return the folder of a turn of four steps: both seats had sent two lines each, and red some more."""
    folder = folder_of(a_game(home))
    send(home, "rose-1", "red", [*more, *LINES])
    send(home, "rose-1", "white", REPLIES)
    run(home, "rose-1", now=NOW)
    return turn_folder(folder, 2)


# --- what is kept is what was seen


def test_the_public_sees_each_step_of_a_whole_game_as_it_was(game: SavedGame) -> None:
    several = 0
    for number in [number for number in game.turns.numbers() if number]:
        before, moments = played_again(game, number)
        told = [one for one in moments if one is moments[-1] or _is_told(one)]
        told = told if number < game.turn else []  # of a game that is over all is shown
        seen = read_public_moments(game.turns.at(number), facts_of(game, number))
        assert bool(seen) == (len(told) > 1)
        several += len(seen)
        for moment, one in zip(told, seen, strict=bool(seen)):
            assert (moment.label, moment.stage) == (one.label, one.stage)
            assert json.dumps(encode(before.opening.view(moment.game, None))) == json.dumps(one.view)
    assert several > 10


def _is_told(moment: ReplayMoment) -> bool:
    return any(entry.event.to == ALL and entry.at == moment.label for entry in moment.events)


def test_each_thing_that_was_told_to_all_stands_with_one_step_in_its_order(game: SavedGame) -> None:
    for number in [number for number in game.turns.numbers() if number]:
        facts = facts_of(game, number)
        seen = read_public_moments(game.turns.at(number), facts)
        assert not seen or [event for one in seen for event in one.events] == facts["events"]
        for one in seen:
            labels = {event["at"] for event in one.events if isinstance(event, dict)}
            assert labels <= {one.label, ""}


def test_a_step_has_the_same_address_when_the_game_is_over(game: SavedGame) -> None:
    over = {moment.address for n in game.turns.numbers() if n for moment in played_again(game, n)[1]}

    several = [n for n in game.turns.numbers() if n and (game.turns.at(n) / IN_TURN).exists()]
    assert {one.address for one in seen_by_all(game) if one.turn in several} <= over


# --- what must not show


def test_lines_that_did_not_fire_change_nothing_that_is_kept(tmp_path: Path) -> None:
    unfit: Json = {"at": "red-2", "when": {"white.points": 47114711}, "do": {"draw": True}}
    later: Json = {"at": "red-9", "when": {"crown": "A1"}, "do": {"play": "E1"}}

    plain = a_turn_of_steps(a_home(tmp_path / "plain"))
    conditional = a_turn_of_steps(a_home(tmp_path / "conditional"), unfit, later)

    assert (conditional / "pending" / "red.json").exists()
    assert len(steps_of(plain)) == 4
    assert (plain / IN_TURN).read_bytes() == (conditional / IN_TURN).read_bytes()


def steps_of(turn: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((turn / IN_TURN).read_text(encoding="utf-8"))["steps"]
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_the_steps_are_the_same_in_worlds_that_the_public_cannot_tell_apart(samples: Home, name: str) -> None:
    game, worlds = SavedGame(samples, name), 0
    for number in game.turns.numbers()[1:]:
        before, moments = played_again(game, number)
        others = [
            one._replace(game=before.opening.redeal(one.game, None, Dice(b"another world", n)))
            for n, one in enumerate(moments)
        ]
        worlds += sum(one.game != other.game for one, other in zip(moments, others, strict=True))
        kept = game.turns.at(number) / IN_TURN
        text = kept.read_text() if kept.exists() else ""
        assert steps_text(before, public_moments(others)) == text
    assert worlds > 10


def test_a_part_of_a_step_of_which_nothing_is_told_is_not_told_either(tmp_path: Path) -> None:
    game = a_finished_game(a_home(tmp_path), "web-of-intrigue", turns=1)
    _, moments = played_again(game, game.turn)
    secret = moments[1].label, moments[1].stage
    private = moments[1]._replace(events=tuple(e for e in moments[1].events if e.event.to != ALL))

    shown = public_moments((moments[0], private, *moments[2:]))

    assert secret not in [(one.label, one.stage) for one in shown]
    assert secret in [(one.label, one.stage) for one in public_moments(moments)]


plain_view, plain_redeal = RoseKing.view, RoseKing.redeal


def test_a_leak_within_a_turn_closes_the_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(self: RoseKing, state: State, seat: Seat | None) -> View:
        view = plain_view(self, state, seat)
        is_within = seat is None and state.to_move == "white" and len(state.discards) == 1
        return replace(view, discards=(*view.discards, *state.pile)) if is_within else view

    def failing(self: RoseKing, state: State, seat: Seat | None, dice: Dice) -> State:
        assert seat is not None or len(state.discards) != 1
        return plain_redeal(self, state, seat, dice)

    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", LINES)
    send(home, "rose-1", "white", REPLIES)
    before = tree(top(home))
    monkeypatch.setattr(RoseKing, "view", leaky)

    with pytest.raises(GateClosedError):
        run(home, "rose-1", now=NOW)

    assert tree(top(home)) == before
    monkeypatch.undo()
    with monkeypatch.context() as patched:
        patched.setattr(RoseKing, "redeal", failing)
        with pytest.raises(GateClosedError, match="leak"):  # what cannot be compared closes it too
            run(home, "rose-1", now=NOW)
    assert run(home, "rose-1", now=NOW).steps == ("red-1", "white-1", "red-2", "white-2"), saved.name


# --- what the archive makes of it


def test_the_page_of_a_running_game_shows_its_steps_and_its_download_has_them(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    turn = a_turn_of_steps(home)

    write_archive(home, tmp_path / "out")

    page = (tmp_path / "out" / "rose-1" / "replay.html").read_text(encoding="utf-8")
    assert [f"t2-{n}" for n in range(1, 6) if f"id=t2-{n}" in page] == ["t2-1", "t2-2", "t2-3", "t2-4"]
    packed = tmp_path / "out" / "rose-1" / "rose-1.zip"
    with zipfile.ZipFile(packed) as files:
        assert files.read(f"rose-1/turns/0002/{STEPS}") == (turn / IN_TURN).read_bytes()
    assert verify_file(packed)[1].findings == ()


@pytest.mark.parametrize("text", ["{", '{"steps": 7}', '{"steps": [{"number": 1}, {"label": 2}]}', "[]"])
def test_steps_that_are_damaged_set_their_game_aside_and_no_other(tmp_path: Path, text: str) -> None:
    home = a_home(tmp_path)
    turn = a_turn_of_steps(home)
    a_game(home, "rose-2")
    (turn / IN_TURN).write_text(text, encoding="utf-8")

    found = write_archive(home, tmp_path / "out")

    assert list(found.aside) == ["rose-1"] and tells(found.aside["rose-1"], "steps.json")
    assert not found.is_ours and (tmp_path / "out" / "rose-2" / "replay.html").exists()


# --- what is verified


def _another_square(steps: dict[str, Any]) -> None:
    steps["steps"][1]["view"] = [*steps["steps"][1]["view"], [["crown"], "A1"]]


def _a_step_less(steps: dict[str, Any]) -> None:
    del steps["steps"][1]


@pytest.mark.parametrize("change", [_another_square, _a_step_less, lambda steps: steps.clear()])
def test_playing_again_notices_forged_steps(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    home = a_home(tmp_path)
    turn = a_turn_of_steps(home)
    steps = json.loads((turn / IN_TURN).read_text(encoding="utf-8"))
    change(steps)
    (turn / IN_TURN).write_text(json.dumps(steps), encoding="utf-8")
    assert [one.place for one in verify(home, "rose-1").findings] == [f"turns/0002/{IN_TURN}"]
    forge(home, 2)
