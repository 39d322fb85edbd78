"""A home in a database, worked by several machines that are killed and cut off, loses and doubles nothing.

python -m tests.farm.campaign --games 200 --kills 300 --seed 1
"""

from __future__ import annotations

import argparse
import datetime
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.cli import run_command
from pbem.play.homes.home import Home
from pbem.store.errors import WrongInput
from pbem.store.opening import open_store
from tests.farm.counting import Count, count_games, count_mails, count_orders, count_reports, delivered
from tests.farm.disturbing import Disturber
from tests.farm.farm import Farm, a_farm, missing
from tests.farm.games import PLAYERS, make_games, seated, tables, write_home
from tests.farm.players import Bots, bots_of
from tests.farm.undisturbed import look_at

PATIENCE: Final = 400.0
"""Seconds without any new mail after which the play is given up; a mail that is not taken is tried again."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign is to be.

    Attributes:
        games: How many games.
        kills: How many kills.
        seed: What all chance follows but for the moments.
        folder: Where everything is kept that is not thrown away.
        with_house: The house plays all seats of long games but the first, which makes them much shorter.
    """

    games: int
    kills: int
    seed: int
    folder: Path
    with_house: bool = False


class Talk:
    """Tells what happens, with the time since the beginning, also to a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.since = time.monotonic()

    def __call__(self, text: str, *, aloud: bool = False) -> None:
        """Tell something."""
        line = f"{time.monotonic() - self.since:8.1f} {text}"
        with self.path.open("a", encoding="utf-8") as file:
            print(line, file=file)
        if aloud:
            print(line, file=sys.stderr, flush=True)


def campaign(plan: Plan) -> Count:
    """Play, disturb, and count."""
    talk = Talk(plan.folder / "campaign.log")
    luck = random.Random(plan.seed)
    with a_farm(plan.folder) as farm:
        names = tables(plan.games)
        assert run_command(["init", farm.url]) == 0
        home = Home(open_store(farm.url))
        write_home(home, farm.mail_port)
        seats = [one for name, rules in names for one in seated(name, rules, with_house=plan.with_house)]
        make_games(home, seats, luck, datetime.datetime.now(datetime.UTC))
        talk(f"{len(names)} games are made", aloud=True)
        bots = bots_of(farm.stack, home, seats, random.Random(luck.random()))
        disturber = Disturber(farm, plan.kills, lambda: bots.progress, random.Random(luck.random()), talk)
        farm.start()
        disturber.start()
        try:
            _play(bots, disturber, talk)
        finally:
            disturber.stop()
        _settle(farm, home, bots, talk)
        for machine in farm.machines:
            machine.kill()
        return _counted(plan, farm, home, bots, disturber, talk)


def _play(bots: Bots, disturber: Disturber, talk: Talk) -> None:
    """Let the bots play until everybody knows that the game is over, and all kills were made."""
    moved = told = time.monotonic()
    while not bots.is_over or disturber.killed < disturber.kills:
        if bots.go_on():
            moved = time.monotonic()
        elif bots.is_over or time.monotonic() - moved < PATIENCE:
            time.sleep(0.05)
        else:
            talk("nothing comes any more: the play is given up", aloud=True)
            return
        if disturber.wrong is not None:
            return
        if time.monotonic() - told > 15:
            told = time.monotonic()
            games = {game for game, _ in bots.over}
            talk(
                f"{bots.progress:4.0%} played, {len(games)} games over, {sum(bots.turns.values())} turns, "
                f"{bots.came} mails came, {len(bots.wrote)} written, {dict(disturber.done)}",
                aloud=True,
            )


def _settle(farm: Farm, home: Home, bots: Bots, talk: Talk) -> None:
    """Wait until nothing is left to be done."""
    talk("the play has ended; what is left is done undisturbed", aloud=True)
    farm.start()

    def rest() -> tuple[int, int, int]:
        bots.go_on()
        with home.journal() as db:
            return db.waiting(), db.unread(), len(farm.stack.queue())

    _wait(lambda: not any(_try(rest)) and not bots.todo, PATIENCE)
    talk(f"left: mails that wait, mails not read, Postfix's queue: {_try(rest)}", aloud=True)


def _try(ask: Callable[[], tuple[int, int, int]]) -> tuple[int, int, int]:
    try:
        return ask()
    except WrongInput:
        return (-1, -1, -1)


def _wait(is_so: Callable[[], bool], seconds: float) -> None:
    """Wait until something is so for two seconds, or in vain."""
    until = time.monotonic() + seconds
    since = time.monotonic()
    while time.monotonic() < until:
        if not is_so():
            since = time.monotonic()
        elif time.monotonic() - since > 2:
            return
        time.sleep(0.1)


def _counted(plan: Plan, farm: Farm, home: Home, bots: Bots, disturber: Disturber, talk: Talk) -> Count:
    """Count everything."""
    count = Count()
    count.numbers |= {f"killed: {kind}": disturber.done[kind] for kind in ("worker", "door", "database")}
    count.numbers |= {
        "told to end": disturber.done["end"],
        "lines cut": disturber.done["cut"],
        "kills": disturber.killed,
        "started in vain, as the database was gone": sum(one.in_vain for one in farm.machines),
    }
    count.add(
        "machines that ended by themselves",
        (f"{one.name}: {one.failures}" for one in farm.machines if one.failures),
    )
    count.add("machines that did not end when told to", [""] * disturber.done["did not end when told to"])
    letters = delivered(farm.stack, [*bots.seats, f"moderator@{PLAYERS}"])
    count.add("mails left in Postfix's queue", farm.stack.queue())
    count_mails(count, home, letters, farm.stack, disturber.moments)
    count_orders(count, home, letters, bots.wrote)
    talk("the mails are counted", aloud=True)
    looked = look_at(farm.url, plan.folder / "undisturbed", home.games())
    count_games(count, looked)
    count_reports(count, home, letters, bots.seats.values(), looked)
    talk("the games are verified, and were played again", aloud=True)
    return count


def table(count: Count) -> str:
    """Return what was counted, for people."""
    width = max(map(len, count.numbers))
    rows = [f"{what:<{width}}  {number:>7}" for what, number in count.numbers.items()]
    return "\n".join([*rows, *(f"WRONG {one}" for one in count.wrong[:200])])


def main() -> int:
    """Run a campaign from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--house", action="store_true", help="Let the house play most seats of long games.")
    parser.add_argument(
        "--home", type=Path, help="A new folder for the logs and the undisturbed home, which is kept."
    )
    words = parser.parse_args()
    if why := missing():
        print(why, file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that everything is stopped
    folder = words.home or Path(tempfile.mkdtemp(prefix="pbem-campaign-"))
    folder.mkdir(parents=True, exist_ok=True)
    count = campaign(Plan(words.games, words.kills, words.seed, folder.resolve(), words.house))
    print(table(count))
    if not count.wrong and words.home is None:
        shutil.rmtree(folder)
    else:
        print(f"The logs are in {folder}.", file=sys.stderr)
    return 1 if count.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
