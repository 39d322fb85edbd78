"""Orders of Web of Intrigue as players write them: by any name, kept, in part, and wrong in every way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from pbem.rules.web_of_intrigue.state import UNSEEN
from pbem.rules.web_of_intrigue.view import View
from tests.homes import NOW, a_game, a_home, folder_of, orders_path, orders_text, send, table_of, top, tree
from tests.mistakes import mistakes

WEB = "web-1"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A game of twelve that bots have played for some turns, until somebody sees an obscured tile."""
    found = a_home(tmp_path_factory.mktemp("web"))
    saved = a_game(
        found, WEB, rules="web-of-intrigue", table=table_of(12, bot="greedy"), options={"most_steps": 5}
    )
    (folder_of(saved) / "game.yaml").write_text(table_of(12), encoding="utf-8")
    return found


def view_of(home: Home, seat: Seat) -> View:
    saved = SavedGame(home, WEB)
    view = saved.opening.view(saved.position.game, seat)
    assert isinstance(view, View)
    return view


def who_sees_fog(home: Home) -> Seat:
    """Return a seat with an obscured tile, a special without subject and an object in its diamond."""
    for seat in SavedGame(home, WEB).start.seats:
        view = view_of(home, seat)
        if UNSEEN in view.web.values() and len(plain_specials(view)) > 1:
            return seat
    raise AssertionError("nobody sees an obscured tile in this game; choose another number of steps")


def plain_specials(view: View) -> list[str]:
    return [name for name, spot in view.specials.items() if not spot.subject]


def words_for(home: Home, seat: Seat) -> dict[str, Any]:
    """Return what the mistakes below need: tiles that are seen, and others that are not."""
    view = view_of(home, seat)
    facts: Any = SavedGame(home, WEB).rules.facts  # type: ignore[attr-defined]
    known = {x.tile for x in view.memory.values()}
    assert view.own is not None
    return {
        "me": seat,
        "spent": view.own.action_points + 1,
        "have": view.own.action_points,
        "special": plain_specials(view)[0],
        "object": next(iter(view.objects)),
        "far": next(tile for tile in facts.objects if tile not in view.objects and tile not in known),
        "fog": next(square for square, tile in view.web.items() if tile == UNSEEN),
        "outside": next(square for square in facts.grid.squares if square not in view.web),
        "here": view.own.square,
    }


# What stands in `do`, with ^ before what is wrong, and what is said of it. [x] is a word from above, and
# [x:name] the name of that tile.
MISTAKES: dict[str, tuple[str, str]] = {
    "21 points": (
        "bid_1: {for: [object], points: ^[spent]}",
        "your actions take [spent] points, and you have [have]. Take 1 away.",
    ),
    "the same special twice": (
        "special_1: {enact: [special], points: 1}\n    special_2: {enact: ^[special], points: 1}",
        "[special:name] is enacted in special_1 already. Each special can be enacted once a turn.",
    ),
    "an invisible tile": (
        "bid_1: {for: ^[far], points: 5}",
        "you do not see [far:name] in your diamond. Nearest to you: ",
    ),
    "an obscured tile": (
        'bid_1: {for: ^"?", points: 5}',
        "an obscured tile cannot be named. Wait until your next report.",
    ),
    "a bid for a special": (
        "bid_1: {for: ^[special], points: 5}",
        "[special:name] is a special, and bids are for objects. Enact it: {enact: [special], points: 5}"
        " as one of the specials.",
    ),
    "an unknown name": (
        "bid_1: {for: ^Quen Victoria, points: 5}",
        "there is no object 'Quen Victoria'. Did you mean Queen Victoria?",
    ),
    "a guess at oneself": (
        "guess: {player: ^[me], house: leo}",
        "player [me] is yourself: guess at another player. The others are ",
    ),
    "a move out of the diamond": (
        "move: ^[outside]",
        "[outside] is not in your diamond. You stand on [here] and see up to ",
    ),
    "a square there is not": ("move: ^k11", "there is no square 'k11'. Squares are a1 to j10."),
}


def filled(text: str, words: dict[str, Any], names: dict[str, str]) -> str:
    for key, value in words.items():
        text = text.replace(f"[{key}:name]", names.get(str(value), "")).replace(f"[{key}]", str(value))
    return text


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_line_with_its_place_and_the_way_out(
    home: Home, mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seat = who_sees_fog(home)
    facts: Any = SavedGame(home, WEB).rules.facts  # type: ignore[attr-defined]
    names = {str(name): thing.name for name, thing in {**facts.objects, **facts.specials}.items()}
    do, _said = (filled(text, words_for(home, seat), names) for text in MISTAKES[mistake])
    orders = tmp_path / "orders.yaml"
    head = f"game: {WEB}\nseat: {seat}\norders:\n- at: turn-5\n  do:\n    "
    orders.write_text(head + do.replace("^", "") + "\n", encoding="utf-8")
    before = tree(top(home))

    code = run_command(["check", str(orders), "--home", str(top(home))])

    assert code == 1
    (_line,) = mistakes(capsys.readouterr().out, orders)
    assert tree(top(home)) == before


def test_what_is_wrong_can_be_dropped_action_by_action(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seat = who_sees_fog(home)
    words = words_for(home, seat)
    do: Json = {
        "bid_1": {"for": words["object"], "points": 5},
        "bid_2": {"for": words["far"], "points": 5},
        "bid_3": {"for": "?", "points": 50},
        "move": words["outside"],
    }
    orders = tmp_path / "orders.yaml"
    orders.write_text(orders_text(WEB, seat, [{"at": "turn-5", "do": do}], partial=True), encoding="utf-8")

    code = run_command(["check", str(orders), "--home", str(top(home))])

    said = capsys.readouterr().out
    assert code == 0, said
    assert "    will be played: bid 1 (5 points): " in said
    assert "You spend 5 of " in said


def test_a_file_in_part_is_played_in_part_and_recomputed(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, WEB, rules="web-of-intrigue", table=table_of(2))
    words = words_for_start(saved)
    do: Json = {"bid_1": {"for": words["object"], "points": 5}, "bid_2": {"for": "The Moon", "points": 5}}
    receipt = send(home, WEB, "1", [{"at": "turn-1", "do": do}], partial=True)
    assert receipt.orders == f"- at: turn-1\n  do: {{bid_1: {{for: {words['object']}, points: 5}}}}"
    assert orders_path(home, WEB, Seat("1")).read_text().endswith("receipt 1, without order 1.bid_2\n")
    send(home, WEB, "2", [{"do": {"move": "stay"}}])

    run(home, WEB, now=NOW)

    assert "The Moon" not in report(home, WEB, "1")
    told = " ".join(report(home, WEB, "2").split())
    assert f"1 won {words['name']}" in told or f"1 failed at {words['name']}" in told
    assert run_command(["verify", WEB, "--home", str(top(home))]) == 0


def words_for_start(saved: SavedGame) -> dict[str, str]:
    view = saved.opening.view(saved.position.game, Seat("1"))
    assert isinstance(view, View)
    name, offer = next(iter(view.objects.items()))
    return {"object": name, "name": offer.name}
