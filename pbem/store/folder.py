"""The folder of a home: which games are in it, and where things lie."""

from __future__ import annotations

from pathlib import Path

from pbem.core.events import Seat
from pbem.store.errors import WrongInput
from pbem.text.schema import near


class Folder:
    """A moderator's folder, as it lies on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games_folder = path / "games"
        self.orders_folder = path / "orders"
        self.templates_folder = path / "templates"
        self.mail_folder = path / "mail"

    @property
    def has_journal(self) -> bool:
        """Tell whether anything was ever noted in this home."""
        return (self.mail_folder / "mail.db").exists()

    def games(self) -> list[str]:
        """Return the ids of all games of this home, in order.

        Raises:
            WrongInput: This folder is no home.
        """
        if not self.games_folder.is_dir():
            raise WrongInput(
                f"{self.path} is no pbem home: it has no games folder.", "Make one: pbem init DIR."
            )
        games = (path for path in self.games_folder.iterdir() if (path / "turns").is_dir())
        return sorted(path.name for path in games if not path.name.startswith("."))

    def game(self, name: str) -> Path:
        """Return the folder of a game.

        Raises:
            WrongInput: There is no such game here.
        """
        if not self.has(name):
            hint = near(name, self.games()) or "`pbem status` lists the games of a home."
            raise WrongInput(f"there is no game {name!r} in {self.path}.", hint)
        return self.games_folder / name

    def has(self, name: str) -> bool:
        """Tell whether there is a game of this id, without looking at the others."""
        is_plain = bool(name) and not name.startswith(".") and not set(name) & set("/\0")
        return is_plain and (self.games_folder / name / "turns").is_dir()

    def orders_file(self, game: str, seat: Seat) -> Path:
        """Return where a seat's newest submission lies."""
        return self.orders_folder / game / f"{seat}.yaml"
