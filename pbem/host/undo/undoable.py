"""Which turn can be taken back: the newest, where the turns before it are whole."""

from __future__ import annotations

from pbem.core.wording import listed
from pbem.host.run.lostturns import lost_findings, on_without, ways_out
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.integrity import missing_findings, turn_findings
from pbem.play.homes.turns import Turns
from pbem.store.errors import WrongInput


def turn_to_take_back(home: Home, turns: Turns, turn: int | None) -> int:
    """Return the number of the turn to take back.

    Args:
        home: The home.
        turns: The turns of the game.
        turn: The turn that the host named, or None for the newest.

    Raises:
        WrongInput: There is none, it is not the newest, or one was taken back just before; or a turn after it
            is lost, or one before it is missing or damaged.
    """
    if turn is None:
        _refuse_lost(home, turns.game, turns.newest())
    number = _number(turns, turn)
    _refuse_missing(turns, number, is_named=turn is not None)
    _refuse_damaged(home, turns, number, is_named=turn is not None)
    return number


def _number(turns: Turns, turn: int | None) -> int:
    """Return the turn to take back, or refuse."""
    game, newest = turns.game, turns.newest()
    if turn is None and turns.taken_back(newest + 1):
        text = f"turn {newest + 1} of {game} was taken back already, and nothing was run since."
        raise WrongInput(
            text, f"To take back turn {newest} too: pbem undo {game} --turn {newest}" if newest else ""
        )
    if turn is not None and turn != newest:
        is_back = turn > newest and turns.taken_back(turn)
        if 0 < turn < newest:
            text = f"turn {turn} of {game} is not the newest, which is {newest}."
            several = listed([str(one) for one in range(newest, turn - 1, -1)])
            way = f"Take turns {several} back, the newest first: pbem undo {game} --turn {newest}"
            raise WrongInput(text, f"Nothing was changed. {way}")
        why = "was taken back already" if is_back else f"is not the newest, which is {newest}"
        raise WrongInput(f"turn {turn} of {game} {why}.", "Nothing was changed.")
    if newest == 0:
        raise WrongInput(f"{game} is at its start; there is no turn to take back.")
    return newest


def _refuse_missing(turns: Turns, number: int, *, is_named: bool) -> None:
    """Refuse to take turns back where one before them is missing: that never brings it back."""
    is_last = number - 1 not in turns.numbers()
    missing = next(missing_findings(turns), None)
    if missing is None or (is_named and not is_last):
        return
    game = turns.game
    text = f"{game}/{missing.place}: {missing.text}, so nothing was taken back."
    hint = on_without(game).replace("p", "P", 1)
    more = "" if is_last else f". To take turn {number} back all the same: pbem undo {game} --turn {number}"
    raise WrongInput(text, f"{hint}{more}")


def _refuse_damaged(home: Home, turns: Turns, number: int, *, is_named: bool) -> None:
    """Refuse to take turns back where one before them is damaged: no run goes on from that one."""
    game, seed = turns.game, read_secret(home.game(turns.game)).seed
    last = number - 1
    for one in [last] if is_named else range(number):
        for damaged in turn_findings(turns.at(one), seed):
            if is_named and "/reports/" in damaged.place:
                continue
            text = f"{game}/{damaged.place}: {damaged.text}, so nothing was taken back."
            mend = f"Put it back first, without a backup: pbem home mend {game}"
            more = f". To take turn {number} back all the same: pbem undo {game} --turn {number}"
            raise WrongInput(text, mend if one == last else f"{mend}{more}")


def _refuse_lost(home: Home, game: str, number: int) -> None:
    """Refuse to take a turn back where a later one is gone: that one may be meant."""
    lost = next(lost_findings(home, game), None)
    if lost is not None:
        text = f"{game}/{lost.place}: {lost.text}, so nothing was taken back."
        other = f" To take turn {number} back: pbem undo {game} --turn {number}" if number else ""
        ways = ways_out(game)
        raise WrongInput(text, f"{ways[0].upper()}{ways[1:]}{other and '.'}{other}")
