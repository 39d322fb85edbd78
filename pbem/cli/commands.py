"""The command line with its verbs, each loaded when it is asked for; what a shell may complete; `help`."""

from __future__ import annotations

import contextlib
import copy
import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from pbem import __version__
from pbem.cli.base import (
    NAMES,
    MailableVerb,
    current_mail,
    global_options,
    note_home_option,
    print_document,
    print_error,
    print_text,
)
from pbem.cli.verbs import EPILOG, OPTIONS, USE, VERBS, help_page, module_of, names
from pbem.core.conditions import close_matches
from pbem.core.wording import sentence_list
from pbem.store.errors import WrongInput
from pbem.store.interface import turn_name
from pbem.store.opening import SCHEMES, open_store

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


Find = Callable[[click.Context], list[str]]

_WORK: Final = ("archive", "doctor", "host", "mail", "play", "text", "work")
"""The layers that verbs work with, once they are run."""


class _PlaceholderModule(ModuleType):
    """A module that is not loaded; whatever is imported from it is of no use."""

    def __getattr__(self, name: str) -> object:
        return object()


class _PlaceholderFinder:
    """Finds a module that stands in for each that verbs work with."""

    def find_spec(self, fullname: str, *_more: object) -> ModuleSpec | None:
        """Return what is known of a module; None of one that is to be loaded."""
        root, _, rest = fullname.partition(".")
        loader: Any = self
        is_work = root == "pbem" and rest.partition(".")[0] in _WORK
        return ModuleSpec(fullname, loader, is_package=True) if is_work else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module."""
        return _PlaceholderModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Load nothing."""


@contextlib.contextmanager
def skip_imports() -> Iterator[None]:
    """Load nothing meanwhile of what verbs work with, but what was loaded before.

    A shell asks at each press of a key what a verb takes. What a verb works with takes three times as long to
    load, and no verb is run.
    """
    finder = _PlaceholderFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, _PlaceholderModule)]:
            del sys.modules[name]


class CompletedWord(click.types.StringParamType):
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
        words = dict.fromkeys(word for find in self.finds for word in _complete_safely(find, ctx))
        return [CompletionItem(word) for word in words if word.startswith(incomplete) and word not in known]


def _complete_safely(find: Find, context: click.Context) -> list[str]:
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
    "game": CompletedWord(_games),
    "games": CompletedWord(_games),
    "seat": CompletedWord(_seats),
    "turn": CompletedWord(_turns),
    "rules": CompletedWord(_rules),
    "book.game": CompletedWord(_games, _rules),
    "report.seat": CompletedWord(_readers),
    "new.game": click.STRING,
    "rules.name": CompletedWord(_rules),
    "help.words": CompletedWord(_verbs),
    **dict.fromkeys(("home", "source", "target", "init.home", "archive.out"), click.Path(file_okay=False)),
}
"""What a parameter of this name may be, of one verb or of all."""


def add_completion(verb: click.Command, name: str) -> click.Command:
    """Return a verb whose words can be completed; the verb itself stays as it is."""
    found = copy.copy(verb)
    if isinstance(found, click.Group):
        found.commands = {
            below: add_completion(one, f"{name} {below}") for below, one in found.commands.items()
        }
    found.params = [_make_completable(one, name) for one in verb.params]
    return found


def _make_completable(param: click.Parameter, verb: str) -> click.Parameter:
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


class Verbs(click.Group):
    """The verbs as click asks for them: only the module of the one that is used is loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all verbs."""
        return names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a verb by name, or None."""
        module = module_of(cmd_name)
        found: Any = getattr(import_module(module), cmd_name) if module else None
        assert found is None or isinstance(found, click.Command), cmd_name
        if found is None or not ctx.resilient_parsing:
            return _add_global_options(found) if found else None
        return add_completion(_add_global_options(found), cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a verb's name, the verb, and what follows it; of a mistyped one the nearest is told."""
        word = args[0]
        if not word.startswith("-") and not module_of(word) and not ctx.resilient_parsing:
            like = close_matches(word, names())
            way = f"Did you mean {like[0]}?" if like else "`pbem help` lists all."
            raise click.UsageError(f"there is no verb {word!r}. {way}", ctx=ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Return the verbs and options that begin as what was typed."""
        return [*verbs(incomplete), *click.Command.shell_complete(self, ctx, incomplete)]

    def get_help(self, ctx: click.Context) -> str:
        """Return the first page of the help."""
        return help_page()


def _add_global_options(verb: click.Command) -> click.Command:
    """Give a verb, and those below it, the options that stand everywhere."""
    if isinstance(verb, click.Group):
        for below in verb.commands.values():
            _add_global_options(below)
    if not any(one.name in NAMES for one in verb.params):
        verb.params.extend(global_options())
    return verb


@click.group(
    cls=Verbs,
    help=USE,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=global_options(),
)
@click.option(
    "--home",
    metavar="HOME",
    type=click.Path(file_okay=False),
    expose_value=False,
    callback=note_home_option,
    help=dict(OPTIONS)["--home HOME"],
)
@click.version_option(__version__, prog_name="pbem")
def cli() -> None:
    """Take the arguments before the verb."""


_MEANT: Final = {"--players": "--seats"}
"""What options are called in other verbs, whose spelling is no help in finding them."""


_IN_WORDS: Final = frozenset({"--to", "--from", "--at", "--deadline", "--why", "--text", "--name"})
"""Options whose value may be several words."""


def _is_unquoted_value(wrong: click.UsageError, context: click.Context) -> bool:
    """Tell whether an argument too many may be the second word of an option's value."""
    takes = any(_IN_WORDS.intersection(one.opts) for one in context.command.params)
    return takes and wrong.message.startswith("Got unexpected extra argument")


def _add_error_hint(wrong: click.ClickException) -> click.ClickException:
    """Return an error of the command line with the way out, where that can be told."""
    if isinstance(wrong, click.NoSuchOption):
        return _suggest_option(wrong)
    if isinstance(wrong, click.UsageError) and wrong.ctx is not None and _is_unquoted_value(wrong, wrong.ctx):
        told = f'{wrong.message}. Put several words in quotes, such as "1 Dec 18:00".'
        if options := _missing_text_options(wrong.ctx):
            told = f"{wrong.message}. Say before it what it is: {sentence_list(options, 'or')}."
        return click.UsageError(told, ctx=wrong.ctx)
    return wrong


def _missing_text_options(context: click.Context) -> list[str]:
    """Return the options that take words or a time, where none of them is given; else none."""
    takes = [one for one in context.command.params if _IN_WORDS.union(["--by"]).intersection(one.opts)]
    sources = [context.get_parameter_source(one.name) for one in takes if one.name is not None]
    return [] if ParameterSource.COMMANDLINE in sources else [one.opts[0] for one in takes]


def _suggest_option(wrong: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error with the option that means the same, where it has another name."""
    meant = _MEANT.get(wrong.option_name, "")
    options = wrong.ctx.command.params if wrong.ctx is not None else []
    if not any(meant in option.opts for option in options):
        return wrong
    told = f"No such option {wrong.option_name!r}. Did you mean {meant!r}?"
    return click.NoSuchOption(wrong.option_name, told, ctx=wrong.ctx)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code: 0 done, 1 wrong input, 2 usage, 3 gate, 4 our fault."""
    is_shell = "_PBEM_COMPLETE" in os.environ
    try:
        with skip_imports() if is_shell else contextlib.nullcontext():
            code = cli.main(arguments, prog_name="pbem", standalone_mode=False)
    except click.ClickException as wrong:
        _add_error_hint(wrong).show()
        return wrong.exit_code
    except click.Abort:
        return 130
    except Exception as wrong:  # ours too: say so, and give what a bug report needs
        return print_error(wrong)
    return code if isinstance(code, int) else 0


SCHEMAS: Final = Path(__file__).with_name("schemas")
"""Where the JSON schema of each verb lies that has `--json`."""


@click.command(cls=MailableVerb, needs=0, is_look=True)
@click.argument("words", nargs=-1, metavar="[VERB]...")
@click.option("--schema", is_flag=True, help="Print the JSON schema of what VERB --json prints.")
@click.pass_context
def help(context: click.Context, words: tuple[str, ...], schema: bool) -> None:
    """Show the page of a verb, or the list of all verbs."""
    if current_mail():
        from pbem.cli.moderation.mailed import usages

        print_text("\n".join(usages(words)))
        return
    assert context.parent is not None, "it is a verb of pbem"
    shown = _verb_context(context.parent, words)
    if not schema:
        print_text(shown.get_help())
        return
    file = SCHEMAS / f"{'-'.join(words)}.json"
    if not words or not file.exists():
        raise click.UsageError(f"{shown.command_path} prints no JSON.")
    print_document(file.read_text(encoding="utf-8"))


def _verb_context(above: click.Context, words: tuple[str, ...]) -> click.Context:
    """Return the context of a verb, named by one word or, below another verb, by two.

    Raises:
        click.UsageError: There is none.
    """
    if not words:
        return above
    if not isinstance(above.command, click.Group):
        raise click.UsageError(f"{above.command_path} has no verbs of its own.", ctx=above)
    _, command, _ = above.command.resolve_command(above, [words[0]])
    assert command is not None, "or it was refused"
    return _verb_context(click.Context(command, info_name=words[0], parent=above), words[1:])
