"""The command line with its verbs, each loaded when it is asked for; and what a run of it comes to."""

from __future__ import annotations

import contextlib
import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from pbem import __version__
from pbem.cli import completing
from pbem.cli.base import NAMES, everywhere, home_before, say_wrong
from pbem.cli.verbs import EPILOG, OPTIONS, USE, help_page, module_of, names
from pbem.core.conditions import close_matches
from pbem.core.wording import listed

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


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
            return _with_options(found) if found else None
        return completing.completed(_with_options(found), cmd_name)

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
        return [*completing.verbs(incomplete), *click.Command.shell_complete(self, ctx, incomplete)]

    def get_help(self, ctx: click.Context) -> str:
        """Return the first page of the help."""
        return help_page()


def _with_options(verb: click.Command) -> click.Command:
    """Give a verb, and those below it, the options that stand everywhere."""
    if isinstance(verb, click.Group):
        for below in verb.commands.values():
            _with_options(below)
    if not any(one.name in NAMES for one in verb.params):
        verb.params.extend(everywhere())
    return verb


@click.group(
    cls=Verbs,
    help=USE,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=everywhere(),
)
@click.option(
    "--home",
    metavar="HOME",
    type=click.Path(file_okay=False),
    expose_value=False,
    callback=home_before,
    help=dict(OPTIONS)["--home HOME"],
)
@click.version_option(__version__, prog_name="pbem")
def cli() -> None:
    """Take the arguments before the verb."""


_MEANT: Final = {"--players": "--seats"}
"""What options are called in other verbs, whose spelling is no help in finding them."""


_IN_WORDS: Final = frozenset({"--to", "--from", "--at", "--deadline", "--why", "--text", "--name"})
"""Options whose value may be several words."""


def _is_of_words(wrong: click.UsageError, context: click.Context) -> bool:
    """Tell whether an argument too many may be the second word of an option's value."""
    takes = any(_IN_WORDS.intersection(one.opts) for one in context.command.params)
    return takes and wrong.message.startswith("Got unexpected extra argument")


def _with_way_out(wrong: click.ClickException) -> click.ClickException:
    """Return an error of the command line with the way out, where that can be told."""
    if isinstance(wrong, click.NoSuchOption):
        return _meant(wrong)
    if isinstance(wrong, click.UsageError) and wrong.ctx is not None and _is_of_words(wrong, wrong.ctx):
        told = f'{wrong.message}. Put several words in quotes, such as "1 Dec 18:00".'
        if options := _without_words(wrong.ctx):
            told = f"{wrong.message}. Say before it what it is: {listed(options, 'or')}."
        return click.UsageError(told, ctx=wrong.ctx)
    return wrong


def _without_words(context: click.Context) -> list[str]:
    """Return the options that take words or a time, where none of them is given; else none."""
    takes = [one for one in context.command.params if _IN_WORDS.union(["--by"]).intersection(one.opts)]
    sources = [context.get_parameter_source(one.name) for one in takes if one.name is not None]
    return [] if ParameterSource.COMMANDLINE in sources else [one.opts[0] for one in takes]


def _meant(wrong: click.NoSuchOption) -> click.NoSuchOption:
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
        with completing.work_left_out() if is_shell else contextlib.nullcontext():
            code = cli.main(arguments, prog_name="pbem", standalone_mode=False)
    except click.ClickException as wrong:
        _with_way_out(wrong).show()
        return wrong.exit_code
    except click.Abort:
        return 130
    except Exception as wrong:  # ours too: say so, and give what a bug report needs
        return say_wrong(wrong)
    return code if isinstance(code, int) else 0
