"""What the moderator mails: read in plain words, with or without dashes, and run as the verb it names."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import click

from pbem.cli.base import NAMES, CommandMail, MailableVerb
from pbem.cli.commands import cli
from pbem.cli.verbs import VERBS, module_of
from pbem.core.conditions import close_matches
from pbem.mail.conversation.acts import ActLine
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import RequestRefused, WrongInput
from pbem.text.plaintext import printable_text

Moment = datetime.datetime

_AT_THE_KEYBOARD: Final = NAMES | {
    *("again", "as_json", "home", "jobs", "metrics", "now", "schema", "to_all", "trace"),
}
"""Parameters that mean nothing in a mail, or are for who sits at the machine."""

_VALUES: Final = (
    "WHEN is Friday 18:00, 20 Dec or +36h, SPAN is 90m, 36h or 2 days. TEXT goes on to the end of the line. "
    "`help VERB` tells more."
)

_QUOTES: Final = str.maketrans("“”„«»‘’‚", '"""""\'\'\'')


class MailedCommands:
    """The verbs of the command line, as they are mailed."""

    def begins(self, line: str) -> bool:
        """Tell whether a line begins with a verb that can be mailed."""
        return _verb(_split_verb(line)[0]) is not None

    def read(self, line: str, below: str = "") -> ActLine:
        """Return the act that a line asks for, with a text that may stand below it.

        Raises:
            WrongInput: It cannot be understood.
        """
        verb, options, names = parse_mailed_line(line)
        name = str(verb.name)
        try:
            is_below = _takes_text(verb) and len(names) == verb.needs
            names += [below] * (is_below and bool(below))
            _refuse_number(verb, names)
            verb.make_context(name, [*options, "--", *names], parent=_program_context())
        except click.ClickException as wrong:
            raise _usage_error(verb, wrong) from None
        given = [one.lstrip("-").partition("=") for one in options]
        return ActLine(
            line,
            below if is_below else "",
            name,
            game=names[0] if names and name != "help" else "",
            brief=" ".join(
                [name, *names[: verb.needs or 1], *(one for one, equals, _ in given if not equals)]
            ),
            asks_first=not {name, *(one for one, _, _ in given)}.isdisjoint(verb.asks_first),
            is_look=verb.is_look,
            run=partial(_run, verb, (*options, "--", *names)),
        )


def _run(
    verb: MailableVerb, typed: Sequence[str], home: Home, now: Moment, said: Moment, is_tried: bool
) -> str:
    """Do what a verb does in a home, with what is typed behind it; return what it printed.

    Raises:
        WrongInput: It was not done.
        GateClosedError: Other programs, or mails that are read first, keep it from being done now.
    """
    mail = CommandMail(home, said, is_tried, [])
    try:
        context = verb.make_context(verb.name, [*typed], parent=_program_context(), obj=mail)
        told = {"now": now.isoformat(), "again": True, **_normalize_seat(home, context)}
        context.params.update((name, value) for name, value in told.items() if name in context.params)
        with context:
            code = verb.invoke(context)
    except click.ClickException as wrong:
        raise _usage_error(verb, wrong) from None
    text = "\n".join(mail.printed).replace(f"{home.store.spelled('games')}/", "games/")
    if code and not verb.is_look:
        raise WrongInput(text)
    return text  # where the home lies is no news


def _normalize_seat(home: Home, context: click.Context) -> dict[str, str]:
    """Return the seat as its game spells it; refuse a game that there is not."""
    if game := context.params.get("game") or "".join(context.params.get("games", ())):
        home.game(game)
    if (seat := context.params.get("seat")) is None:
        return {}
    seats = SavedGame(home, game).start.seats
    return {"seat": next((str(one) for one in seats if one.casefold() == seat.casefold()), seat)}


# --- verbs


def usages(names: Sequence[str] = ()) -> Iterator[str]:
    """Yield how verbs are mailed and what they do; of those that are named, more.

    Args:
        names: The names of verbs; none: all that can be mailed.
    """
    for verb in map(_verb, names) if names else _mailable():
        if verb is None:
            raise _unknown_verb_error(names[0])
        only = ", ".join(one for one in verb.asks_first if one != verb.name)
        asked = f" Asked back first{only and f': {only}'}." if verb.asks_first else ""
        yield f"{_usage(verb)}\n    {verb.get_short_help_str(100)}{asked}"
        if names:
            yield from (f"    `{_param_usage(one)}`: {one.help}" for one in _options(verb))
    if not names:
        yield _VALUES


def _program_context() -> click.Context:
    """Return the context of the program, above those of its verbs."""
    return click.Context(cli, info_name="pbem", **cli.context_settings)


def _verb(name: str) -> MailableVerb | None:
    """Return the verb of this name, if it can be mailed."""
    found = cli.get_command(_program_context(), name)
    return found if isinstance(found, MailableVerb) else None


def _mailable() -> Iterator[MailableVerb]:
    found = (_verb(name) for _, *verbs in VERBS for name, _, _ in verbs)
    return (verb for verb in found if verb is not None)


def _unknown_verb_error(word: str) -> RequestRefused:
    names = [str(one.name) for one in _mailable()]
    why = (
        f"there is no act {printable_text(word)!r}.{_suggest_verb(word, names)}"
        if word
        else "there is nothing in it."
    )
    if module_of(word):
        why = f"{word!r} is an act at the keyboard only."
    return RequestRefused(why, f"By mail go: {', '.join(names)}.")


def _suggest_verb(word: str, names: Sequence[str]) -> str:
    return "".join(f" Did you mean {like}?" for like in close_matches(word, names))


def _usage_error(verb: MailableVerb, wrong: click.ClickException) -> RequestRefused:
    told = wrong.format_message()
    return RequestRefused(f"{told[0].lower()}{told[1:]}", f"It is written so: {_usage(verb)}")


def _usage(verb: MailableVerb) -> str:
    """Return how a verb is mailed."""
    parts = [_param_usage(one) for one in (*_positional_arguments(verb), *_options(verb))]
    must = verb.needs + _takes_text(verb)
    return " ".join([str(verb.name), *parts[:must], *(f"[{one}]" for one in parts[must:])])


def _param_usage(one: click.Parameter) -> str:
    """Return a parameter as it stands in a mail: `to WHEN`."""
    if isinstance(one, click.Argument):
        return _value_name(one)
    name = one.opts[0].lstrip("-")
    return name if isinstance(one, click.Option) and one.is_flag else f"{name} {_value_name(one)}"


def _value_name(one: click.Parameter) -> str:
    """Return what the value of a parameter is called; TEXT is words for people, to the end of the line."""
    if isinstance(one.type, click.Choice | click.IntRange):
        return "REASON" if isinstance(one.type, click.Choice) else "NUMBER"
    called = one.make_metavar(_program_context()).strip("[].")
    return called.removesuffix("S") if one.nargs == -1 else called  # by mail there is one of them


def _positional_arguments(verb: click.Command) -> list[click.Argument]:
    return [one for one in verb.params if isinstance(one, click.Argument)]


def _takes_text(verb: click.Command) -> bool:
    return any(_value_name(one) == "TEXT" for one in _positional_arguments(verb))


def _options(verb: click.Command) -> list[click.Option]:
    """Return the options of a verb that may stand in a mail."""
    found = (one for one in verb.params if isinstance(one, click.Option))
    return [one for one in found if one.name not in _AT_THE_KEYBOARD]


# --- words


def _split_verb(line: str) -> tuple[str, str]:
    """Return the verb of a line, and what stands behind it, in plain characters."""
    told = re.sub(r"\A(?:\$ )?(?:pbem )?", "", " ".join(line.translate(_QUOTES).split()), flags=re.IGNORECASE)
    verb, _, behind = told.partition(" ")
    return verb.lower().rstrip(".!:"), behind


def parse_mailed_line(line: str) -> tuple[MailableVerb, list[str], list[str]]:
    """Return the verb of a line, and the options and arguments that would be typed for it at the keyboard.

    Raises:
        RequestRefused: There is no such verb, or nothing stands behind an option that needs it.
    """
    name, words = _split_verb(line)
    if (verb := _verb(name)) is None:
        raise _unknown_verb_error(name)
    parts = words.split(" ", verb.needs) if words else []
    names, rest = parts[: verb.needs], " ".join(parts[verb.needs :])
    options = list[str]()
    marks = _find_option_names(verb, rest)
    ends = [*(mark.start() for _, mark in marks), len(rest)]
    names += [] if _takes_text(verb) else rest[: ends[0]].split()
    for (option, mark), end in zip(marks, ends[1:], strict=True):
        value = _unquote(rest[mark.end() : end])
        if option.is_flag:
            options.append(option.opts[0])
            names += value.split()
        elif not value:
            raise _usage_error(verb, click.UsageError(f"Nothing stands behind {mark[1]!r}."))
        else:
            values = re.findall(r"\w[\w-]*", value) if option.multiple else [value]
            options += [f"{option.opts[0]}={one}" for one in values]
    names = [name.rstrip(".,;!") for name in names]
    text = [_unquote(rest)] if _takes_text(verb) and rest else []
    return verb, options, [*(name.lower() for name in names[:1]), *names[1:], *text]


def _find_option_names(verb: MailableVerb, words: str) -> list[tuple[click.Option, re.Match[str]]]:
    """Return where the names of options stand, each once; behind one that takes text none is looked for."""
    options = {name.lstrip("-"): one for one in _options(verb) for name in one.opts}
    names = re.compile(rf"(?<!\S)[-–—]*({'|'.join(options) or '(?!)'})(?=[\s=]|\Z)=?", re.IGNORECASE)
    marks = list[tuple[click.Option, re.Match[str]]]()
    for mark in names.finditer(words):
        option = options[mark[1].lower()]
        if marks and _value_name(marks[-1][0]) == "TEXT":
            break
        if option.multiple or all(option is not one for one, _ in marks):
            marks.append((option, mark))
    return marks


def _refuse_number(verb: MailableVerb, names: Sequence[str]) -> None:
    """Refuse too few arguments, or words that are none.

    Raises:
        click.UsageError: It is so.
    """
    places = _positional_arguments(verb)
    if len(names) < verb.needs + _takes_text(verb):
        raise click.UsageError(f"Missing argument '{_value_name(places[len(names)])}'.")
    if len(names) > len(places):
        word = names[len(places)]
        meant = _suggest_verb(word.lstrip("-"), [one.opts[0].lstrip("-") for one in _options(verb)])
        raise click.UsageError(f"{printable_text(word)!r} is not understood.{meant}")


def _unquote(text: str) -> str:
    """Return a text without the quotes around it."""
    text = text.strip()
    for quote in ('"', "'"):
        if len(text) > 1 and text[0] == text[-1] == quote and quote not in text[1:-1]:
            return text[1:-1].strip()
    return text
