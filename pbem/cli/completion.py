"""What a shell may complete, and the verb that lets it: completion."""

from __future__ import annotations

import copy
import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem, get_completion_class

from pbem.cli.base import hand_out, hint, say
from pbem.cli.commands import cli
from pbem.cli.verbs import VERBS
from pbem.store.disk import Disk, replace_file
from pbem.store.errors import WrongInput
from pbem.store.interface import turn_name
from pbem.store.opening import SCHEMES, open_store

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
    return f"[ -r {shlex.quote(str(script))} ] && . {shlex.quote(str(script))}  {MARK}"


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _others(file: Path) -> list[str]:
    """Return the lines of a start file that are not ours."""
    return [line for line in _lines(file) if not line.endswith(MARK)]


def _write(file: Path, text: str) -> None:
    """Write a file in one step, where it really lies, for whoever could read it before."""
    real = file.resolve()
    real.parent.mkdir(parents=True, exist_ok=True)
    mode = real.stat().st_mode & 0o777 if real.exists() else 0o644
    replace_file(Disk(), real, text.encode(), mode)


Find = Callable[[click.Context], list[str]]


class Found(click.types.StringParamType):
    """A word of which it can be found what it may be."""

    def __init__(self, *finds: Find) -> None:
        """Take what finds it."""
        self.finds = finds

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """Return what begins as what was typed; each once."""
        given = ctx.params.get(param.name or "")
        known = set(given) if isinstance(given, tuple) else set()
        words = dict.fromkeys(word for find in self.finds for word in _quietly(find, ctx))
        return [CompletionItem(word) for word in words if word.startswith(incomplete) and word not in known]


def _quietly(find: Find, context: click.Context) -> list[str]:
    try:
        return find(context)
    except (WrongInput, OSError):  # no home, or none that can be read: nothing is offered
        return []


def _home(context: click.Context) -> str:
    """Return the folder of the home, as the words before tell it; "" if it is a database.

    Raises:
        WrongInput: It is a database, which is not asked for every key that is pressed.
    """
    home = context.params.get("home") or "."
    if home.startswith(SCHEMES):
        raise WrongInput("a home in a database is not asked.")
    return str(Path(home).expanduser())


def _games(context: click.Context) -> list[str]:
    return open_store(_home(context)).games()


def _seats(context: click.Context) -> list[str]:
    return [name for name in _readers(context) if name != "spectator"]


def _readers(context: click.Context) -> list[str]:
    """Return who has a report in a game: the seats, and the spectator."""
    return open_store(_home(context)).names(f"{turn_name(_game(context), 0)}/reports")


def _turns(context: click.Context) -> list[str]:
    """Return the turns of a game, the newest first."""
    names = open_store(_home(context)).names(f"games/{_game(context)}/turns")
    return [str(number) for number in sorted((int(name) for name in names if name.isdecimal()), reverse=True)]


def _game(context: click.Context) -> str:
    game = context.params.get("game")
    if game is None and context.args:  # an option that still lacks its value keeps arguments from being read
        names = [one.name for one in context.command.params if isinstance(one, click.Argument)]
        game = dict(zip(names, context.args, strict=False)).get("game")
    if not isinstance(game, str) or not open_store(_home(context)).has(game):
        raise WrongInput("no game is named before it.")
    return game


def _rules(_context: click.Context) -> list[str]:
    from importlib.metadata import entry_points

    return sorted({one.name for one in entry_points(group="pbem.rules")})


def _verbs(_context: click.Context) -> list[str]:
    return sorted(name for _, *verbs in VERBS for name, _, _ in verbs)


_FOUND: Final = {
    "game": Found(_games),
    "games": Found(_games),
    "seat": Found(_seats),
    "turn": Found(_turns),
    "rules": Found(_rules),
    "book.game": Found(_games, _rules),
    "report.seat": Found(_readers),
    "new.game": click.STRING,
    "rules.name": Found(_rules),
    "help.words": Found(_verbs),
    "man.verb": Found(_verbs),
    **dict.fromkeys(("home", "source", "target", "init.home", "archive.out"), click.Path(file_okay=False)),
}
"""What a parameter of this name may be, of one verb or of all."""


def completed(verb: click.Command, name: str) -> click.Command:
    """Return a verb whose words can be completed; the verb itself stays as it is."""
    found = copy.copy(verb)
    if isinstance(found, click.Group):
        found.commands = {below: completed(one, f"{name} {below}") for below, one in found.commands.items()}
    found.params = [_completed(one, name) for one in verb.params]
    return found


def _completed(param: click.Parameter, verb: str) -> click.Parameter:
    type_ = _FOUND.get(f"{verb}.{param.name}") or _FOUND.get(str(param.name))
    if type_ is None or (isinstance(param, click.Option) and param.is_flag):
        return param
    found = copy.copy(param)
    found.type = type_
    return found


def verbs(incomplete: str) -> Iterator[CompletionItem[Any]]:
    """Yield the verbs that begin as what was typed, each with what it does."""
    for _, *group in VERBS:
        for name, _, words in group:
            if name.startswith(incomplete):
                yield CompletionItem(name, help=words)
