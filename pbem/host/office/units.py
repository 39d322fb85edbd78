"""Units of systemd that do what is due in a home: made from templates, written, and taken away again."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem.play.config.templates import service_templates, translate_template_errors
from pbem.store.disk import Disk, replace_file
from pbem.store.errors import WrongInput

SYSTEM: Final = Path("/etc/systemd/system")
"""Where units of the whole machine stand."""

_STARTED: Final = (".timer", "-lmtp.service", "-watch.service")
"""How the units end that are started; a timer starts the others."""

CERTIFICATES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""The variables that name certificates which the machine does not know (OpenSSL)."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9/._+=-]+")
_WRITTEN: Final = re.compile(
    r"# Written by `pbem service install` for (.+); `pbem service remove` takes it away\.\n"
)


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """What units are wanted.

    Attributes:
        name: How they are called.
        home: The folder of the home.
        program: What starts this program, word by word.
        minutes: So often is done what is due.
        lmtp: Whether mail is taken in by LMTP too, at once.
        watch: Whether the mailbox is watched too.
        user: Whose units of the whole machine they are run as; "" for units of a user.
        environment: What stands in their environment, by name.
    """

    name: str
    home: Path
    program: Sequence[str]
    minutes: int = 5
    lmtp: bool = False
    watch: bool = False
    user: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


def folder_of_user() -> Path:
    """Return where units of whoever runs this stand.

    Source: XDG Base Directory Specification, XDG_CONFIG_HOME.
    """
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd" / "user"


def unit_texts(wanted: UnitOptions) -> dict[str, str]:
    """Return the text of each unit, by the name of its file.

    Raises:
        WrongInput: The home is called so that no unit can hold it.
    """
    home = str(wanted.home.resolve())
    if not home.isprintable():
        raise WrongInput(
            f"{home!r} cannot stand in a unit of systemd.", "Give the folder a name in one line."
        )
    values = {
        "home": home,
        "said_home": home.replace("%", "%%"),
        "quoted_home": quote_word(home),
        "program": " ".join(map(quote_word, wanted.program)),
        "minutes": wanted.minutes,
        "user": wanted.user,
        "environment": [_setting(name, value) for name, value in wanted.environment.items()],
    }
    templates = {f"{wanted.name}.service": "night.service", f"{wanted.name}.timer": "night.timer"}
    if wanted.lmtp:
        templates[f"{wanted.name}-lmtp.service"] = "lmtp.service"
    if wanted.watch:
        templates[f"{wanted.name}-watch.service"] = "watch.service"
    made = service_templates()
    with translate_template_errors():
        return {
            unit: made.get_template(f"service/{name}.j2").render(values) for unit, name in templates.items()
        }


def quote_word(word: str) -> str:
    """Return a word as a line of a unit holds it: quotes, `%` and `$` mean nothing in it.

    Source: systemd.service(5), "Command lines"; systemd.unit(5), "Specifiers".
    """
    if _PLAIN.fullmatch(word):
        return word
    told = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{told}"'


def certificates() -> dict[str, str]:
    """Return what the shell says of certificates that mail servers may have; units do not see the shell."""
    return {name: str(Path(os.environ[name]).absolute()) for name in CERTIFICATES if os.environ.get(name)}


def _setting(name: str, value: str) -> str:
    """Return a setting as `Environment=` holds it, where `$` means nothing.

    Source: systemd.exec(5), "Environment"; systemd.unit(5), "Specifiers".
    """
    return quote_word(f"{name}={value}").replace("$$", "$")


def install(folder: Path, units: Mapping[str, str]) -> None:
    """Write units, in place of those that were written for the same home before.

    Raises:
        WrongInput: There are others of the same name, or the folder cannot be written.
    """
    for name, text in units.items():
        here = _home_of(folder / name)
        if (folder / name).exists() and here != _home_in(text):
            whose = f"is of the home {here}" if here else "is there, and was not written by pbem"
            raise WrongInput(f"{folder / name} {whose}.", "Choose another name: --name NAME.")
    disk = Disk()
    try:
        disk.make_folder(folder)
        for name, text in units.items():
            replace_file(disk, folder / name, text.encode())
    except PermissionError as wrong:
        raise WrongInput(f"{wrong.filename} cannot be written.", "Be root, or say --user.") from None


def installed_units(folder: Path, name: str) -> list[Path]:
    """Return the units of a name that were written by pbem, and the links by which they start.

    Raises:
        WrongInput: There are none.
    """
    names = [f"{name}.timer", f"{name}.service", f"{name}-lmtp.service", f"{name}-watch.service"]
    found = [folder / one for one in names if _home_of(folder / one)]
    if not found:
        raise WrongInput(f"pbem has written no units called {name} into {folder}.", "See --name and --user.")
    links = [one for unit in found for one in sorted(folder.glob(f"*.wants/{unit.name}"))]
    return [*found, *links]


def remove(paths: Sequence[Path]) -> None:
    """Take units and links away; links first, so that none is left that leads nowhere.

    Raises:
        WrongInput: They cannot be removed.
    """
    disk = Disk()
    try:
        for path in reversed(paths):
            disk.remove(path)
    except PermissionError as wrong:
        raise WrongInput(f"{wrong.filename} cannot be removed.", "Be root, or say --user.") from None


def commands(units: Sequence[str], *, is_user: bool, starts: bool) -> list[str]:
    """Return what is typed to start units that were written, or to stop those that were taken away."""
    control = "systemctl --user" if is_user else "systemctl"
    running = [*dict.fromkeys(one for one in units if one.endswith(_STARTED))]
    if not starts:
        return [f"{control} stop {' '.join(running)}", f"{control} daemon-reload"]
    found = [f"{control} daemon-reload", f"{control} enable --now {' '.join(running)}"]
    lingers = is_user and shutil.which("loginctl") is not None
    return [*found, *(["loginctl enable-linger"] if lingers else [])]


def _home_of(unit: Path) -> str:
    """Return the home that a unit was written for; "" if it is not there, or not of pbem."""
    try:
        return _home_in(unit.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""


def _home_in(text: str) -> str:
    found = _WRITTEN.match(text)
    return found[1] if found else ""
