"""The moderator's own files, put into a home where no editor reaches them: checked first, then in force."""

from __future__ import annotations

import re
from typing import Final

from pbem.play.homes.home import SETTINGS, Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.store.memory import MemoryStore

_GAME: Final = re.compile(r"games/([^/]+)/game\.yaml")


def get(home: Home, name: str) -> bytes:
    """Return a file of a home.

    Raises:
        WrongInput: There is no such file.
    """
    try:
        return home.store.read(name)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, ValueError):
        hint = "Names are those in a folder: home.yaml, games/GAME/game.yaml."
        raise WrongInput(f"there is no file {name} in {home}.", hint) from None


def put(home: Home, name: str, data: bytes) -> None:
    """Put a file of the moderator's into a home, in place of the one that was there.

    Args:
        home: The home.
        name: `home.yaml`, `games/GAME/game.yaml`, or a template: `templates/…`.
        data: Its content.

    Raises:
        WrongInput: It is no such file, or its content is wrong; nothing was changed.
        GateClosedError: The game is held by another program.
    """
    parts, game = name.split("/"), _GAME.fullmatch(name)
    is_template = parts[0] == "templates" and len(parts) > 2 and not {"", ".", ".."} & set(parts)
    if name != SETTINGS and not game and not is_template:
        hint = "Yours are home.yaml, games/GAME/game.yaml and templates/…; all else is the program's."
        raise WrongInput(f"{name} is no file of the moderator's.", hint)
    tried = Home(MemoryStore({name: data}, behind=home.store))
    if game:
        home.game(game[1])
        assert SavedGame(tried, game[1]).table, "it can be read"
        with home.held(game[1], wait_seconds=WAIT_SECONDS):
            home.store.lodge(name, data)
        return
    tried.zone()
    home.store.lodge(name, data)
