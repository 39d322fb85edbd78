"""The texts, each by the name of its file: made from the rows of the corpora."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment

from pbem.text.strictyaml import dump_flow
from tests.behaviour import evenings, later, mails, refusals
from tests.behaviour.slips import home_of, rows
from tests.homes import top
from tests.texts import acting, finding, judging, reading
from tests.texts.saying import said

FOLDER: Final = Path(__file__).parent
_LONGEST: Final = 300
"""More of a line is not looked at."""


def texts() -> Mapping[str, str]:
    """Return all texts; of each corpus of `CORPORA`, the rows that say what nothing before them says."""
    found = {
        name: text for kind, make in MAKERS.items() if kind not in CORPORA for name, text in make().items()
    }
    strings = sentences()
    for start, corpus in CORPORA.items():
        said = plain("".join(found.values()))
        chosen = {*corpus.choose(one for one in strings if one not in said)}
        found |= _of_each(start, partial(corpus.play, chosen))()
    return found


def _refusals() -> Mapping[str, str]:
    """Return what is said of commands and files that are refused, by their topic; long lines are cut off."""
    found: defaultdict[str, str] = defaultdict(str)
    for row in refusals.rows():
        parts = [f"=== {row['refusal']}"]
        parts += [f"{path}: {_short(content)}" for path, content in row.get("files", {}).items()]
        parts += [row["written"].rstrip()] if row.get("written") else []
        parts += [f"--- pbem {' '.join(row.get('do', ['check']))}", refusals.play(row)[1].rstrip(), ""]
        lines = [line[:_LONGEST] for part in parts for line in part.split("\n")]
        found[row["refusal"].partition(":")[0]] += "".join(f"{line.rstrip()}\n" for line in lines)
    return found


def _short(content: Any) -> str:
    """Return the content of a file, on one line."""
    return "gone" if content is None else dump_flow(content)


def _checks() -> Mapping[str, str]:
    """Return what `pbem check` says of the orders that people wrote, by their game."""
    found: defaultdict[str, str] = defaultdict(str)
    for name in ("slips.yaml", "first_orders.yaml"):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            home, file = home_of(name, Path(folder) / "home"), Path("orders.yaml")
            for row in rows(name):
                file.write_text(row["written"], encoding="utf-8")
                told = said("check", str(file), "--home", str(top(home)))
                game = row["slip"].partition(" ")[0].rstrip(":")
                found[game] += f"=== {row['slip']}\n{row['written'].rstrip()}\n--- check\n{told}\n"
    return found


def _later() -> Mapping[str, str]:
    """Return what is said of lines for later turns, by their rules."""
    found: defaultdict[str, str] = defaultdict(str)
    for row in later.rows():
        found[row["rules"]] += f"=== {row['position']}\n"
        for line, told in zip(row["lines"], later.outlooks(row), strict=True):
            words = [one.text for one in told.never] + [*told.provided, told.unknown, *told.besides]
            found[row["rules"]] += f"{dump_flow(line['line'])}\n"
            found[row["rules"]] += "".join(f"  {one}\n" for one in words if one)
    return found


def _letters(row: mails.Row, seen: set[str]) -> tuple[str, str]:
    """Return what the mails of a row are about, and the letters that they bring about."""
    letters = [letter for _, letters in mails.outcomes(row) for letter in letters if letter not in seen]
    seen.update(letters)
    return row.name.partition(":")[0], "".join(f"=== {row.name}\n{letter}\n" for letter in letters)


def _evening(row: evenings.Row, seen: set[str]) -> tuple[str, str]:
    """Return the topic of an evening, and what commands print, all may read, and letters say in it.

    Each text stands there once, behind a mark; its mark stands for it from then on.
    """
    topic, told = row.name.partition(":")[0], ""
    for step, (_, words) in zip(row.steps, evenings.play(row)[1:], strict=True):
        command = f"pbem {' '.join(step['do'])}" if "do" in step else "a mail" if "to" in step else "letters"
        told += f"--- {command}\n" if words else ""
        for one in words:
            mark = hashlib.sha256(f"{topic}\n{one}".encode()).hexdigest()[:5]
            told += f"[{mark}]\n" if mark in seen else f"[{mark}] {one}\n"
            seen.add(mark)
    return topic, f"=== {row.name}\n{told}\n" if told else ""


@dataclass(frozen=True)
class Corpus:
    """A corpus of which the texts show as many rows as say all sentences.

    Attributes:
        rows: Returns its rows.
        text: Returns the topic of a row and its text, without what was seen before.
    """

    rows: Callable[[], Iterable[mails.Row | evenings.Row]]
    text: Callable[[Any, set[str]], tuple[str, str]]

    def play(self, names: Container[str]) -> Mapping[str, str]:
        """Return the texts of the rows of some names, by their topic."""
        found: defaultdict[str, str] = defaultdict(str)
        seen: set[str] = set()
        for row in self.rows():
            if row.name in names:
                topic, text = self.text(row, seen)
                found[topic] += text
        return found

    def choose(self, unsaid: Iterable[str]) -> Iterator[str]:
        """Yield the names of the rows that say a sentence which no row before has said.

        Args:
            unsaid: The sentences that no text says.
        """
        with_word: defaultdict[str, set[str]] = defaultdict(set)
        for sentence in unsaid:
            with_word[max(sentence.split()[1:-1], key=len)].add(sentence)
        for row in self.rows():
            words = plain(self.text(row, set())[1])
            brought = [
                (word, one) for word in {*words.split()} for one in with_word.get(word, ()) if one in words
            ]
            for word, sentence in brought:
                with_word[word].remove(sentence)
            if brought:
                yield row.name


CORPORA: Final[Mapping[str, Corpus]] = {
    "mail": Corpus(lambda: [row for row in mails.rows() if not row.sample], _letters),
    "evening": Corpus(lambda: [*evenings.rows(), *evenings.rows("letters.yaml")], _evening),
}
"""Corpora that say the same in many rows, by the start of the names of their texts.

Samples of mails are the styles and programs of many mails, all of which bring about the same.
"""


def _again(start: str) -> Mapping[str, str]:
    """Return the texts of the rows of a corpus that stand in the texts, by their topic."""
    return CORPORA[start].play(_shown(start))


def _shown(start: str) -> frozenset[str]:
    """Return the names of the rows of a corpus that stand in the texts."""
    return frozenset(
        line.removeprefix("=== ")
        for path in FOLDER.glob(f"{start}-*.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("=== ")
    )


def plain(text: str) -> str:
    """Return a text with a space for what lies between its words: ends of lines, and bars of quotes."""
    return _BETWEEN.sub(" ", text).strip()


_BETWEEN: Final = re.compile(r"[\s|>#]+")


def sentences() -> set[str]:
    """Return the longer strings of the program and of the templates of texts: most are parts of sentences."""
    found: set[str] = set()
    for path in (FOLDER.parents[1] / "pbem").rglob("*.py"):
        strings = (
            one.value for one in ast.walk(ast.parse(path.read_bytes())) if isinstance(one, ast.Constant)
        )
        found |= {plain(one) for one in strings if isinstance(one, str)}
    lexer = Environment()
    for folder in ("pbem", "templates"):
        for path in (FOLDER.parents[1] / folder).rglob("*.j2"):
            if not path.name.endswith((".html.j2", ".svg.j2")):
                data = (
                    text for _, kind, text in lexer.lex(path.read_text(encoding="utf-8")) if kind == "data"
                )
                found |= {plain(one) for text in data for one in text.split("\n\n")}
    return {one for one in found if len(one.split()) >= _PHRASE}


_PHRASE: Final = 3
"""A string with fewer words is not looked for."""


def _judged(rules: str) -> Mapping[str, str]:
    """Return what is said of the orders of a corpus."""
    return {f"judged-{rules}.txt": judging.judged_orders(rules)}


def _reports(rules: str) -> Mapping[str, str]:
    """Return what is read of a game."""
    return {f"reports-{rules}.txt": _in_a_folder(partial(reading.report, rules))}


def _in_a_folder(make: Callable[[Path], str]) -> str:
    """Return a text that is made in a folder, which goes then."""
    with tempfile.TemporaryDirectory() as folder:
        return make(Path(folder))


def _of_each(start: str, make: Callable[[], Mapping[str, str]]) -> Callable[[], Mapping[str, str]]:
    """Return what makes a file for each text, with the same start of their names."""
    return lambda: {f"{start}-{name}.txt": text for name, text in make().items()}


MAKERS: Final[Mapping[str, Callable[[], Mapping[str, str]]]] = {
    "doctor": lambda: {"doctor.txt": _in_a_folder(finding.doctor)},
    "contract": lambda: {"contract.txt": finding.contract()},
    "help": lambda: {"help.txt": reading.helps()},
    "archive": lambda: {"archive.txt": _in_a_folder(reading.archive)},
    "mailed-acts": lambda: {"mailed-acts.txt": acting.acts()},
    "refused": _of_each("refused", _refusals),
    "check": _of_each("check", _checks),
    "later": _of_each("later", _later),
    **{start: _of_each(start, partial(_again, start)) for start in CORPORA},
    **{f"judged-{rules}": partial(_judged, rules) for rules in reading.SAMPLES},
    **{f"reports-{rules}": partial(_reports, rules) for rules in reading.SAMPLES},
}
"""What makes the texts of each kind, by what the names of their files begin with."""
