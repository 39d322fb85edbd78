"""Many games in one run: one that fails is set aside untouched, and the others go on."""

from __future__ import annotations

import datetime
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from pbem.edge.app import Ran, run
from pbem.edge.errors import GateClosedError, WrongInput
from pbem.edge.files import Disk
from pbem.edge.home import Home

OUR_FAULT = 4


@dataclass(frozen=True, slots=True)
class SetAside:
    """A game that was not run, and is as it was before.

    Attributes:
        game: The id of the game.
        reasons: Why, a line each.
        exit_code: 1 a damaged or wrong input, 3 the gate, 4 our fault.
        trace: The traceback of our fault, for the report of a bug; never mailed.
    """

    game: str
    reasons: tuple[str, ...]
    exit_code: int
    trace: str = ""


def run_games(
    disk: Disk,
    home: Home,
    games: list[str],
    *,
    now: datetime.datetime,
    due: bool,
    overrides: tuple[str, ...],
    done: Callable[[Ran | SetAside], None],
) -> int:
    """Run games one after the other, handing each result to `done`.

    Returns:
        The worst exit code: 0, 1, 3 or 4.
    """
    worst = 0
    for game in games:
        result = _run_one(disk, home, game, now=now, due=due, overrides=overrides)
        worst = max(worst, result.exit_code if isinstance(result, SetAside) else 0)
        done(result)
    return worst


def _run_one(
    disk: Disk, home: Home, game: str, *, now: datetime.datetime, due: bool, overrides: tuple[str, ...]
) -> Ran | SetAside:
    try:
        return run(disk, home, game, now=now, due=due, overrides=overrides)
    except GateClosedError as closed:
        return SetAside(game, tuple(map(str, closed.reasons)), closed.exit_code)
    except WrongInput as wrong:
        return SetAside(game, (str(wrong),), wrong.exit_code)
    except Exception as fault:  # our own fault must not stop the other games
        place = traceback.extract_tb(fault.__traceback__)[-1]
        where = f"{place.name} in {place.filename.rpartition('/')[2]}:{place.lineno}"
        text = f"a fault of pbem itself ({type(fault).__name__} at {where}); the game was left untouched"
        return SetAside(game, (text,), OUR_FAULT, traceback.format_exc())
