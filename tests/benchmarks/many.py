"""Many games of all rules: what each costs, how much memory they take, and two processes against one."""

from __future__ import annotations

import datetime
import hashlib
import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.host.run.batch import run, run_games
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.text.strictyaml import dump
from tests.benchmarks.cold import peak
from tests.benchmarks.homes import NOW, in_memory, resolve, sample_home, samples, take_back
from tests.benchmarks.pairs import Row, paired, timed
from tests.homes import make_home, submit, top

TABLE = "seats:\n  red: {player: Ann}\n  white: {player: Bob}\n"
MANY, SOME, FEW = 1000, 100, 10
AT_ONCE = 30
PAIRS = 10
"""Fewer than elsewhere: each side plays many games of all rules."""


def rows() -> Iterator[Row]:
    """Yield the rows of many games."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        many = _home(Path(folder) / "many", MANY)
        some = _home(Path(folder) / "some", SOME)
        few = _home(Path(folder) / "few", FEW)
        yield _memory(many, few)
        yield paired(
            f"cost per game at {MANY} games against {SOME}",
            _games(many),
            _games(some),
            1.1,
            rounds=PAIRS,
            note=f"{AT_ONCE} games each time, one after the other",
        )
        yield _old_against_young(Path(folder))
        yield paired(
            f"--jobs 2 against one, {AT_ONCE} games",
            _games(some, 2),
            _games(some, 1),
            1.6,
            rounds=PAIRS,
            at_least=True,
        )


def _home(folder: Path, games: int) -> Home:
    """Make a home with games of all rule systems by turns."""
    mixed = samples()
    names = {f"game-{number:04d}": mixed[number % len(mixed)].game for number in range(games)}
    return sample_home(folder, names, slim=True)


def _games(home: Home, jobs: int = 1) -> Callable[[], float]:
    """Return a run of the next games of a home, round and round; turns are taken back untimed."""
    names = itertools.cycle(home.games())

    def work() -> float:
        chosen = [*itertools.islice(names, AT_ONCE)]
        spent = timed(lambda: _run(home, chosen, jobs))
        for name in chosen:
            take_back(home, name)
        return spent

    return work


def _run(home: Home, names: list[str], jobs: int) -> None:
    code = run_games(
        home, names, now=NOW, due=False, overrides=(), deal=False, done=lambda _: None, jobs=jobs
    )
    assert code == 0


def _memory(many: Home, few: Home) -> Row:
    """Compare the most memory that one process ever held, in MiB."""

    def running(home: Home) -> float:
        most = peak("run", "--home", str(top(home)), "--now", NOW.isoformat())
        for name in home.games():
            take_back(home, name)
        return most

    ours, other = running(many), median(running(few) for _ in range(3))
    title = f"peak memory at {MANY} games against {FEW}"
    return Row(title, ours, other, ours / other, 1.15, note="MiB, not ms; once against the median of 3")


def _old_against_young(folder: Path) -> Row:
    """Compare a turn of one game after few turns with one after many."""
    young, old = _played(folder, "young", 5), _played(folder, "old", 60)

    def turn(home: Home) -> Callable[[], float]:
        name = home.games()[0]

        def work() -> float:
            spent = timed(lambda: resolve(home, name))
            take_back(home, name)
            return spent

        return work

    return paired("a Rose King game 60 turns old against 5", turn(old), turn(young), 1.05)


def _played(folder: Path, name: str, turns: int) -> Home:
    """Return a home with one game, so many turns old, and orders for the next."""
    home = make_home(folder / name)
    players = top(home) / "players.yaml"
    players.write_text(TABLE, encoding="utf-8")
    seed = hashlib.sha256(b"a long game").digest()
    new_game(home, "rose-king", name, players, {"most_steps": 1}, now=NOW, seed=seed)
    run(home, name, now=NOW, deal=True)
    while True:
        saved = SavedGame(home, name)
        assert isinstance(saved.ask, Ask), "the game ended too soon"
        for seat in saved.ask.seats:
            _send(home, saved, seat)
        if saved.turn == turns:
            return home
        run(home, name, now=NOW + datetime.timedelta(days=saved.turn))


def _send(home: Home, saved: SavedGame, seat: Seat) -> None:
    do = saved.opening.bot_order(saved.position.game, seat, Dice(b"bench", saved.turn), "random")
    path = top(home) / "sent.yaml"
    path.write_text(dump({"game": saved.name, "seat": seat, "orders": [{"do": do}]}), encoding="utf-8")
    assert not isinstance(submit(home, path), list)
