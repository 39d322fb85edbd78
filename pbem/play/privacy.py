"""What nobody else on the machine may read: passwords, seeds and keys, saves, mails and orders."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

from pbem.core.interface import Json
from pbem.play.home import Home


def open_to_others(path: Path) -> str:
    """Say that others than its owner can read a file or folder, and the way out; "" if they cannot.

    Raises:
        OSError: It cannot be looked at.
    """
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    if not mode & 0o077:
        return ""
    wanted = "700" if stat.S_ISDIR(found.st_mode) else "600"
    return f"{path} can be read by others (mode {mode:04o}). Type: chmod {wanted} {path}"


def open_secrets(home: Home) -> Iterator[str]:
    """Yield a sentence for all in a home that others on this machine can read and must not.

    That are the files with passwords that `home.yaml` names; the folder of every game, which tells what is
    hidden in it, with its seed and keys; orders that were lodged; and mails. Sample games hold no secrets.

    Raises:
        WrongInput: The home is none, or its `home.yaml` is damaged.
    """
    games = [game for game in home.games() if not _is_sample(home.game(game) / "secret.json")]
    paths = [
        *_password_files(home),
        *(path for game in games for path in (home.game(game), home.game(game) / "secret.json")),
        *(home.orders_folder / game for game in games),
        home.path / "mail",
    ]
    for path in paths:
        try:
            if told := open_to_others(path):
                yield told
        except OSError:
            continue  # what is not there is told where it is needed


def _password_files(home: Home) -> Iterator[Path]:
    section = home.settings().get("mail")
    servers: list[Json] = list(section.values()) if isinstance(section, dict) else []
    for server in servers:
        if isinstance(server, dict) and "password_file" in server:
            yield home.path / str(server["password_file"])


def _is_sample(secret: Path) -> bool:
    try:
        value = json.loads(secret.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("sample") is True
