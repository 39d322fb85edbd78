"""The plain words of a mail: whether there are any, whether they are thanks, and for whom they are."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from itertools import groupby, zip_longest
from typing import Final, Literal

from pbem.text.mail.headers import MAX_LINE

_REPLY: Final = r"(?:\s*(?:re|aw|sv|fwd?|antw|vs|wg|tr|rif|r)\s*:|\s*\[[^\]]{0,80}\])*\s*"
_TO_MODERATOR: Final = r"{reply}to\s*:?\s*(?:the\s+|my\s+|our\s+)?(?:{names})\s*(?:[.,:;!-]+\s*(.*))?"
_OF_PRESS: Final = re.compile(r"\s*(to|anonymous)\s*:\s*(.*)", re.IGNORECASE)
_MODERATOR: Final = ("moderator", "host", "game master", "gamemaster", "gm")

_OF_DEVICES: Final = re.compile(
    r"\s*(?:sent (?:from|with|via)|von mei\w+ .{2,40} gesendet|gesendet (?:von|mit)|envoy[ée] (?:de|depuis)"
    r"|enviado desde|inviato da|l[äa]hetetty|skickat fr[åa]n|get outlook for)\b.{0,80}",
    re.IGNORECASE,
)
"""Lines that phones write below what their owner writes."""

_THANKS: Final = frozenset(
    [
        "a", "again", "all", "and", "bitte", "bye", "cheers", "ciao", "danke", "dank", "dankeschön",
        "fine", "for", "fun", "good", "got", "gracias", "grazie", "great", "greetings", "grüße",
        "hallo", "hello", "hey", "hi", "it", "kiitos", "kiitoksia", "klar", "lot", "many", "mass",
        "merci", "moi", "much", "noted", "ok", "okay", "paljon", "perfect", "received", "regards",
        "report", "right", "schön", "schönen", "sehr", "selvä", "so", "super", "tack", "tak",
        "takk", "tausend", "thank", "thanks", "that", "the", "thx", "to", "très", "tusen", "ty",
        "understood", "very", "vielen", "well", "you", "your",
    ]
)  # fmt: skip
"""Words of mails that ask nothing of anybody: thanks, greetings, and that something came."""

_SIGNING: Final = frozenset(["best", "kind", "sincerely", "warm", "wishes", "yours"])
_CLOSINGS: Final = _THANKS | _SIGNING
"""Words that stand above a name."""

_GREETINGS: Final = _SIGNING | frozenset(
    [
        "day", "dear", "evening", "everybody", "everyone", "have", "invitation", "invite", "inviting", "mail",
        "me", "morning", "see", "soon", "us", "weekend",
    ]
)  # fmt: skip
"""Words of greetings beside thanks, and of what one thanks for."""

_DOUBTS: Final = frozenset(
    [
        "but", "don", "except", "if", "later", "never", "no", "not", "nothing", "only", "stop", "unless",
        "until", "wait", "yet",
    ]
)  # fmt: skip
"""Words that take back what stands above them, and are nobody's name."""

_NOTICE: Final = re.compile(
    r"\s*(?:away|vacation|holiday|out of (?:the )?office|auto(?:mat\w+)?[- ]?(?:reply|response|antwort)"
    r"|abwesenheit\w*|r[ée]ponse automatique|absence|automaattinen vastaus|poissa\w*|respuesta autom[áa]tica"
    r"|risposta automatica|autosvar|fr[åa]nvaro)\b[^\[]*\[",
    re.IGNORECASE,
)
"""Begins the subjects of what programs answer to our mails while their owner is away."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST_THANKS: Final = 12
_GRATEFUL: Final = re.compile(
    r"\b(?:thank|thanks|thx|ty|cheers|danke|dank|dankeschön|merci|kiitos|kiitoksia|tack|tak|takk|gracias|grazie"
    r"|ok|okay|noted|received|got it|understood|selvä)\b",
    re.IGNORECASE,
)
_AWAY: Final = re.compile(
    r"\b(?:(?:i will|i'll|i shall) be away|i am away|i'm away|going away|on (?:holiday|vacation|leave)"
    r"|my (?:holidays?|vacation)|out of (?:the )?office|not at home|travell?ing|without internet"
    r"|im urlaub|in urlaub|verreist|abwesend|en vacances|en cong[ée]s?|lomalla|matkoilla"
    r"|de vacaciones|in vacanza|bortrest|p[åa] semester)\b",
    re.IGNORECASE,
)


def words_to_moderator(subject: str, lines: tuple[str, ...], name: str = "") -> tuple[str, ...] | None:
    """Return what a mail says to the moderator, or None if neither its first line nor its subject says so.

    Args:
        subject: Its subject, in words.
        lines: What its sender wrote.
        name: The moderator's name, which may stand in place of the word; "" if nobody knows it.
    """
    names = "|".join(re.escape(one) for one in (*_MODERATOR, *([name] if name.strip() else [])))
    pattern = re.compile(_TO_MODERATOR.format(reply=_REPLY, names=names), re.IGNORECASE)
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is not None and (found := pattern.fullmatch((line := lines[first].strip())[:MAX_LINE])):
        said = (found[1] or "") + line[MAX_LINE:]
        return _strip_blank_lines((*([said] if said else []), *lines[first + 1 :]))
    if found := pattern.fullmatch(subject.strip()):
        return _strip_blank_lines((*([found[1]] if found[1] else []), *lines))
    return None


def press_fields(lines: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Return what stands behind `to:` and `anonymous:` where a mail begins with them, and its other lines."""
    fields: dict[str, str] = {}
    written = list(lines)
    for number, line in enumerate(written):
        if not line.strip():
            continue
        if (field := _OF_PRESS.fullmatch(line[:MAX_LINE])) is None:
            return fields, written[number:]
        fields[field[1].lower()] = (field[2] + line[MAX_LINE:]).strip()
    return fields, []


def person_lines(lines: Iterable[str], known: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the lines of a mail that a person wrote, without those of a phone, or those of a form.

    Args:
        lines: What its sender wrote.
        known: The lines of the form that the sender was given; a first line of orders, such as `- at: red-1`,
            goes with what stands right below it.
    """
    given = {line.strip() for line in known} - {""}
    written = list(lines)

    def is_own(line: str, below: str) -> bool:
        is_head = line.lstrip().startswith("- ") and below.strip() not in given | {""}
        return is_head or line.strip() not in given

    return _strip_blank_lines(
        tuple(
            line
            for line, below in zip_longest(written, written[1:], fillvalue="")
            if not _OF_DEVICES.fullmatch(line[:MAX_LINE]) and is_own(line, below)
        )
    )


def own_subject(subject: str, game: str) -> str:
    """Return the words of a subject, or "" if it is that of a mail of ours that is answered."""
    return "" if f"[{game}]" in subject else re.sub(rf"^{_REPLY}", "", subject, count=1, flags=re.IGNORECASE)


def is_notice(subject: str, game: str) -> bool:
    """Tell whether a subject is that of a program that answers our mails while its owner is away."""
    return f"[{game}]" in subject and bool(_NOTICE.match(subject))


def is_thanks(lines: Iterable[str], names: Iterable[str] = ()) -> bool:
    """Tell whether a few words say no more than thanks, or that something came, beside these names."""
    text, named = " ".join(lines), _WORD.findall(" ".join(names).casefold())
    words = [word for word in _words_if_few(text) or [] if word not in named]
    return _is_thanks(words) and bool(_GRATEFUL.search(text))


def is_only_symbols(lines: Iterable[str]) -> bool:
    """Tell whether lines are no words but a sign or two, such as a thumb; a mark of a question is a word."""
    text = "".join("".join(lines).split())
    return bool(text) and "?" not in text and not any(map(str.isalnum, text))


def is_bare_thanks(lines: Iterable[str], names: Iterable[str], orders: Container[str]) -> bool:
    """Tell whether a few words are nothing but thanks and greetings, each of them known as such.

    Args:
        lines: What its sender wrote.
        names: Names that may stand beside them: the sender's, and the reader's.
        orders: Words that orders are written with; where one of them stands, it may be meant as one.
    """
    words, named = _words_if_few(text := " ".join(lines)) or [], _WORD.findall(" ".join(names).casefold())
    is_plain = {*_THANKS, *_GREETINGS, *named}.issuperset(words) and not any(map(str.isdigit, text))
    is_order = any(word in orders for word in words)
    return bool(words) and is_plain and bool(_GRATEFUL.search(text)) and not is_order


def yes_or_no(lines: Iterable[str]) -> Literal["yes", "no", ""]:
    """Return the one word that a mail says, above the end of a mail; "" if it says something else."""
    said = [line for line in person_lines(lines) if line.strip()]
    word = re.sub(r"\W", "", "".join(said[:1])).lower()
    if not is_closing(said[1:]):
        return ""
    return "yes" if word == "yes" else "no" if word == "no" else ""


def is_closing(lines: Iterable[str]) -> bool:
    """Tell whether lines are no more than the end of a mail: a greeting, a name of two words, or nothing."""
    words = _words_if_few(" ".join(lines))
    return words is not None and _DOUBTS.isdisjoint(words[-2:]) and _CLOSINGS.issuperset(words[:-2])


def signing_lines(lines: Sequence[str], name: str) -> int:
    """Return how many filled lines at the end of a mail are no more than somebody's name, below a gap.

    Of the name the first word does. There may be a greeting before it.

    Args:
        lines: What its sender wrote.
        name: The name; "" if nobody knows it.
    """
    paragraphs = [[*found] for is_filled, found in groupby(lines, lambda one: bool(one.strip())) if is_filled]
    if len(paragraphs) < 2 or max(map(len, (*paragraphs[-1], *paragraphs[-2]))) > MAX_LINE:
        return 0
    own, words = _WORD.findall(name.casefold()), _WORD.findall(" ".join(paragraphs[-1]).casefold())
    ending = next((one for one in (own, own[:1]) if one and words[-len(one) :] == one), None)
    if ending is None or not _CLOSINGS.issuperset(words[: -len(ending)]):
        return 0
    greeting = _WORD.findall(" ".join(paragraphs[-2]).casefold())
    is_apart = len(paragraphs) > 2 and bool(greeting) and _CLOSINGS.issuperset(greeting)
    return len(paragraphs[-1]) + (len(paragraphs[-2]) if is_apart else 0)


def has_question_mark(lines: Iterable[str]) -> bool:
    """Tell whether there is a question in a mail."""
    return any("?" in line for line in lines)


def is_about_absence(lines: Iterable[str]) -> bool:
    """Tell whether somebody seems to say that they are away, where their words begin."""
    return bool(_AWAY.search(" ".join(lines)[:MAX_LINE]))


def _words_if_few(text: str) -> list[str] | None:
    """Return the words of a text, in small letters; None if they are many, or ask something."""
    if len(text) > MAX_LINE:
        return None
    words = _WORD.findall(text.casefold())
    return words if len(words) <= _MOST_THANKS and "?" not in text else None


def _is_thanks(words: list[str]) -> bool:
    """Tell whether all words are of thanks; two at the end may be a name."""
    strange = [place for place, word in enumerate(words) if word not in _THANKS | _GREETINGS]
    return all(place >= len(words) - 2 for place in strange) and len(strange) < len(words)


def _strip_blank_lines(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return lines without empty ones before and behind them."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else ()
