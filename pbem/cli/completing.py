"""What a shell may complete: verbs, games, seats, turns and rules. No file is opened for it."""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from pbem.cli.verbs import VERBS
from pbem.store.errors import WrongInput
from pbem.store.interface import turn_name
from pbem.store.opening import SCHEMES, open_store

Find = Callable[[click.Context], list[str]]

_WORK: Final = ("archive", "doctor", "host", "mail", "play", "text", "work")
"""The layers that verbs work with, once they are run."""


class _StandIn(ModuleType):
    """A module that is not loaded; whatever is imported from it is of no use."""

    def __getattr__(self, name: str) -> object:
        return object()


class _StandIns:
    """Finds a module that stands in for each that verbs work with."""

    def find_spec(self, fullname: str, *_more: object) -> ModuleSpec | None:
        """Return what is known of a module; None of one that is to be loaded."""
        root, _, rest = fullname.partition(".")
        loader: Any = self
        is_work = root == "pbem" and rest.partition(".")[0] in _WORK
        return ModuleSpec(fullname, loader, is_package=True) if is_work else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module."""
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Load nothing."""


@contextlib.contextmanager
def work_left_out() -> Iterator[None]:
    """Load nothing meanwhile of what verbs work with, but what was loaded before.

    A shell asks at each press of a key what a verb takes. What a verb works with takes three times as long to
    load, and no verb is run.
    """
    finder = _StandIns()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, _StandIn)]:
            del sys.modules[name]


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
