"""One turn of one game, run under the terms that its host sets."""

from __future__ import annotations

import datetime

from pbem.host.heartbeat import Uptime
from pbem.host.policy import terms_of_run
from pbem.play import running
from pbem.play.home import Home
from pbem.play.running import Ran, Terms
from pbem.play.saved import SavedGame


def run(
    home: Home,
    game: str,
    *,
    now: datetime.datetime,
    due: bool = False,
    overrides: tuple[str, ...] = (),
    deal: bool = False,
    attended: bool = True,
    uptime: Uptime | None = None,
) -> Ran:
    """Resolve what can be resolved of one game, and commit it as a turn.

    Args:
        home: The moderator's folder.
        game: The id of the game.
        now: The moment of the run.
        due: If the deadline has passed, answer for silent seats as the game says.
        overrides: Names of reasons of the gate that the moderator overrides.
        deal: Do not wait for start forms that have not come: take the luck words of `game.yaml`, or none.
        attended: The moderator named the game; a night job leaves alone what is paused or was taken back,
            and does not run early where that is not allowed.
        uptime: The machine's other clock, if `now` was read from the first.

    Raises:
        GateClosedError: The gate refused; nothing was changed.
        WrongInput: The game is damaged; nothing was changed.
    """

    def terms(saved: SavedGame) -> Terms:
        return terms_of_run(saved, now, due=due, deal=deal, attended=attended, uptime=uptime)

    return running.run(home, game, terms, now=now, overrides=overrides, deal=deal)
