"""The command line: verbs, their options, and what they print; the work is done elsewhere."""

from __future__ import annotations

import sys
import traceback

import click

from pbem import __version__
from pbem.cli.base import EPILOG
from pbem.cli.games import demo, init, new, rules, simulate
from pbem.cli.homes import home
from pbem.cli.host import (
    acts,
    announce,
    away,
    digest,
    extend,
    hold,
    pause,
    remind,
    replace,
    resume,
    vote,
)
from pbem.cli.mail import answer, lmtp, receive, send
from pbem.cli.orders import check, form, submit
from pbem.cli.show import archive, book, show
from pbem.cli.turns import report, run, status, undo, verify
from pbem.cli.work import worker
from pbem.store.errors import GateClosedError, WrongInput


@click.group(
    epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="pbem")
def cli() -> None:
    """A play-by-email turn processor: orders in, reports out, every turn recomputable."""


VERBS = (
    *(
        init,
        demo,
        rules,
        new,
        form,
        check,
        submit,
        run,
        status,
        report,
        verify,
        undo,
        simulate,
        show,
        book,
        archive,
        home,
    ),
    *(receive, send, answer, lmtp, worker),
    *(extend, pause, resume, away, vote, hold, replace, announce, remind, digest, acts),
)
for verb in VERBS:
    cli.add_command(verb)


def main() -> None:
    """Run the command line and end with its exit code."""
    sys.exit(run_command(sys.argv[1:]))


def run_command(arguments: list[str]) -> int:
    """Run one command and return its exit code: 0 done, 1 wrong input, 2 usage, 3 gate, 4 our fault."""
    try:
        code = cli.main(arguments, prog_name="pbem", standalone_mode=False)
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except click.Abort:
        return 130
    except BrokenPipeError:
        sys.stdout = None  # the reader has left; nothing more can be said to it
        return 0
    except WrongInput as wrong:
        click.echo(f"pbem: {wrong}", err=True)
        return wrong.exit_code
    except GateClosedError as closed:
        for reason in closed.reasons:
            click.echo(f"pbem: {reason}", err=True)
        return closed.exit_code
    except OSError as wrong:
        click.echo(f"pbem: the disk refused: {wrong.strerror} ({wrong.filename}).", err=True)
        return WrongInput.exit_code
    except Exception:  # ours: say so, and give what a bug report needs
        click.echo(traceback.format_exc(), err=True)
        click.echo(
            "pbem: this is a fault of pbem itself; `pbem status` and `pbem verify` tell what stands.",
            err=True,
        )
        return 4
    return code if isinstance(code, int) else 0
