"""The verb that lets a shell complete what is typed: completion."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

import click

from pbem.cli.base import hand_out, hint, say
from pbem.store.errors import WrongInput

SHELLS: Final = ("bash", "zsh", "fish")
MARK: Final = "# pbem completion"
"""The end of the line in a shell's start file, by which it is found again."""

_SHELL = click.argument("shell", required=False, type=click.Choice(SHELLS))

_STARTED: Final = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"
"""What zsh needs first, where its start file does not do it."""


@click.group()
def completion() -> None:
    """Let your shell complete verbs, games, seats and turns.

    Games, seats, turns and rules are completed by their names. In a home in a database they are not.
    """


@completion.command()
@_SHELL
def install(shell: str | None) -> None:
    """Let a shell complete commands, and say which files are written.

    Without a name it is the shell that you use.
    """
    name = shell or _own_shell()
    script = _script_file(name)
    _write(script, _script(name))
    say(f"Wrote {script}")
    if (start := _start_file(name)) is not None:
        line = _line(script)
        if line in _lines(start):
            say(f"{start} has its line already: {line}")
        else:
            text = "".join(one + "\n" for one in [*_others(start), line])
            _write(start, text)
            say(f"Added to {start}: {line}")
    say(f"A new {name} completes it. To remove it again: pbem completion remove {name}")
    if shutil.which("pbem") is None:
        hint("pbem is not in your PATH; it completes when it is.")


@completion.command()
@_SHELL
def remove(shell: str | None) -> None:
    """Undo what `pbem completion install` did."""
    name = shell or _own_shell()
    script, start = _script_file(name), _start_file(name)
    is_there = script.exists()
    if is_there:
        script.unlink()
        say(f"Removed {script}")
    if start is not None and (removed := [line for line in _lines(start) if line.endswith(MARK)]):
        if left := "".join(one + "\n" for one in _others(start)):
            _write(start, left)
        else:
            start.unlink()
        say(f"Removed from {start}: {removed[0]}")
    elif not is_there:
        say(f"There was nothing of pbem for {name}.")


@completion.command()
@_SHELL
def show(shell: str | None) -> None:
    """Print what `pbem completion install` writes.

    Use it to put the text where you like.
    """
    hand_out(_script(shell or _own_shell()))


def _own_shell() -> str:
    """Return the shell that the person uses.

    Raises:
        WrongInput: It is none of those that are known here.
    """
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        known = f"{name} is completed in" if name else "$SHELL names"
        raise WrongInput(f"{known} no shell that pbem knows.", f"Name one: {', '.join(SHELLS)}.")
    return name


def _script(shell: str) -> str:
    """Return what a shell must read to complete."""
    from click.shell_completion import get_completion_class

    from pbem.cli.commands import cli

    found = get_completion_class(shell)
    assert found is not None, "click knows all of them"
    made = found(cli, {}, "pbem", "_PBEM_COMPLETE")
    text = made.source_template % made.source_vars()
    if shell == "zsh":
        return text.replace("\n\n", f"\n\n{_STARTED}", 1)
    return text.replace('split ","', 'split --max 1 ","')  # or fish cuts what a verb does at a comma


def _script_file(shell: str) -> Path:
    """Return where the script of a shell belongs."""
    if shell == "fish":
        return _folder("XDG_CONFIG_HOME", ".config") / "fish" / "completions" / "pbem.fish"
    return _folder("XDG_DATA_HOME", ".local/share") / "pbem" / f"completion.{shell}"


def _start_file(shell: str) -> Path | None:
    """Return the file in which a line must name the script; fish needs none."""
    if shell == "fish":
        return None
    folder = Path(os.environ.get("ZDOTDIR") or Path.home()) if shell == "zsh" else Path.home()
    return folder / f".{shell}rc"


def _folder(variable: str, usual: str) -> Path:
    named = os.environ.get(variable, "")
    return Path(named) if named.startswith("/") else Path.home() / usual


def _line(script: Path) -> str:
    import shlex

    return f"[ -r {shlex.quote(str(script))} ] && . {shlex.quote(str(script))}  {MARK}"


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _others(file: Path) -> list[str]:
    """Return the lines of a start file that are not ours."""
    return [line for line in _lines(file) if not line.endswith(MARK)]


def _write(file: Path, text: str) -> None:
    """Write a file in one step, where it really lies, for whoever could read it before."""
    from pbem.store.disk import Disk, replace_file

    real = file.resolve()
    real.parent.mkdir(parents=True, exist_ok=True)
    mode = real.stat().st_mode & 0o777 if real.exists() else 0o644
    replace_file(Disk(), real, text.encode(), mode)
