"""What nobody else on the machine may read: passwords, seeds and keys, saves, mails and orders."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from pbem.core.interface import Json
from pbem.play.config.homefile import TOKEN_FILE
from pbem.play.homes.home import Home, read_secret
from pbem.store.disk import open_to_others
from pbem.store.errors import WrongInput


def open_secrets(home: Home, games: Iterable[str] | None = None) -> list[WrongInput]:
    """Return a mistake for all in a home that others on this machine can read and must not.

    That are the files with passwords and tokens that `home.yaml` names; the folder of every game, which tells
    what is hidden in it, with its seed and keys; orders that were lodged; and mails. Sample games hold no
    secrets.

    Args:
        home: The home.
        games: The games to look at; None: all.

    Raises:
        WrongInput: The home is none, or its `home.yaml` is damaged.
    """
    games = [game for game in (home.games() if games is None else games) if not _is_sample(home, game)]
    secret = (name for game in games for name in (f"games/{game}", f"games/{game}/secret.json"))
    lodged = (f"orders/{game}" for game in games)
    return [*_open_passwords(home), *home.store.open_to_others([*secret, *lodged, "mail"])]


def is_open(home: Home, game: str) -> bool:
    """Tell whether others on this machine can read what they must not of a game."""
    names = (f"games/{game}", f"games/{game}/secret.json", f"orders/{game}")
    return bool(home.store.open_to_others(names)) and not _is_sample(home, game)


def _open_passwords(home: Home) -> Iterator[WrongInput]:
    """Yield a mistake for each file with a password or a token, beside the home, that others can read."""
    section = home.settings().get("mail")
    parts: list[Json] = list(section.values()) if isinstance(section, dict) else []
    files = [
        str(part[name])
        for part in parts
        if isinstance(part, dict)
        for name in ("password_file", "client_secret_file", "token_file")
        if name in part
    ]
    if isinstance(section, dict) and "oauth" in section:
        files.append(TOKEN_FILE)
    for file in dict.fromkeys(files):
        with contextlib.suppress(OSError):  # what is not there is told where it is needed
            if told := open_to_others(home.store.beside / file):
                yield told


def _is_sample(home: Home, game: str) -> bool:
    try:
        return read_secret(home.game(game)).sample
    except WrongInput:
        return False
