"""Whole games come out as their rows say: by file and by mail, in a folder and in a database."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from pbem.play.config.registry import OURS
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.turn.simulate import simulate
from pbem.store.folder import FolderStore
from pbem.store.interface import Store
from pbem.store.postgresql.postgres import PostgresStore
from tests.behaviour.games import NAMES, Sender, by_file, by_mail, new, outcomes, row_of
from tests.store.pgserver import server
from tests.subjects import subject

ENDINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "game-of-powers": ("a field of cards could not be filled, and the round is over",),
    "rose-king": (
        "the last token was placed",
        "(red|white) placed its last token",
        "neither red nor white can move",
    ),
    "web-of-power": (
        "the pile ran out for the second time, and the round was finished",
        "no piece can be placed any more",
    ),
    "web-of-intrigue": (
        r"\d+( and \d+)* surpassed the victory target of \d+( \d+/\d+)? in turn \d+",
        r"turn \d+ was the last one",
    ),
    "web-of-power-cards": ("all land cards are taken",),
}
"""Every reason for which a game of each rule system can end, as a pattern."""

DECIDED_BY: Final[Mapping[str, frozenset[str]]] = {
    "game-of-powers": frozenset({"points", "a shared victory"}),
    "rose-king": frozenset({"points", "largest territory", "more roses", "draw"}),
    "web-of-intrigue": frozenset({"points", "points from objects", "a shared victory"}),
    "web-of-power": frozenset({"points", "more pieces left", "shared victory"}),
    "web-of-power-cards": frozenset({"points", "more land cards", "points and land cards are equal"}),
}
"""Everything that can decide a game of each rule system that has ended."""


def a_folder(path: Path) -> Store:
    return FolderStore.make(path / "home")


def a_database(path: Path) -> Store:
    return PostgresStore.make(server().database())


SHORT: Final = ("rose-draw", "power-pieces", "cards-more-lands", "powers-points", "web-last-turn")
"""A short game of each of the rules."""


def ways() -> Iterator[object]:
    """Yield each game by file in a folder and by mail in a database, and the short ones the other way too."""
    for store, marks in ((a_folder, ()), (a_database, [pytest.mark.postgres])):
        for send in (by_file, by_mail):
            usual = (store is a_folder) == (send is by_file)
            for name in NAMES if usual else SHORT:
                said = f"{name}-{send.__name__}-in-{store.__name__}".replace("_", "-")
                yield pytest.param(name, store, send, id=said, marks=marks)


@pytest.mark.parametrize(("name", "store", "send"), [*ways()])
def test_a_game_comes_out_as_its_row_says(
    name: str, store: Callable[[Path], Store], send: Sender, tmp_path: Path
) -> None:
    row = row_of(name)
    home = new(store(tmp_path), row, tmp_path)

    turns = outcomes(home, row, (turn["orders"] for turn in row["turns"]), send, tmp_path)

    assert turns == row["turns"]
    found = verify(home, name)
    assert (found.findings, found.recomputed) == ((), len(turns) + 1)
    _is_the_seed_published_last(SavedGame(home, name))


def _is_the_seed_published_last(saved: SavedGame) -> None:
    """See that the seed stands in nothing but the last turn, and is the one that was committed to."""
    seed = saved.secret.seed.hex()
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == saved.start.commitment
    for number in saved.turns.numbers():
        folder = saved.turns.at(number)
        words = "".join((folder / name).read_text() for name in folder.below())
        assert (seed in "".join(words.split())) == (number == saved.turn)


def test_games_end_in_every_way_that_their_rules_can_name() -> None:
    ended: defaultdict[str, list[Mapping[str, str]]] = defaultdict(list)
    for row in map(row_of, NAMES):
        ended[row["rules"]].append(row["turns"][-1]["outcome"])
    ours = {path.parent.name.replace("_", "-") for path in OURS.glob("*/orders.schema.json")}

    assert ended.keys() == ours == {row_of(name)["rules"] for name in SHORT}
    for rules, ends in ended.items():
        reasons = {one["reason"] for one in ends}
        assert [way for way in ENDINGS[rules] if not any(re.fullmatch(way, one) for one in reasons)] == []
        assert [one for one in reasons if not _is_known(rules, one)] == []
        assert {one["decided_by"] for one in ends} == DECIDED_BY[rules]


def _is_known(rules: str, reason: str) -> bool:
    return any(re.fullmatch(way, reason) for way in ENDINGS[rules])


@pytest.mark.parametrize("rules", ENDINGS)
def test_bots_find_no_other_way_to_end_a_game(rules: str) -> None:
    played, games = subject(rules), 6
    found = simulate(
        played.rules, played.seats, played.options, ("random",), games, "other ways", lambda _: None
    )

    assert [reason for reason in found.tables["endings"] if not _is_known(rules, reason)] == []
    assert set(found.decided_by) <= DECIDED_BY[rules]
    assert len(found.lengths) == games
