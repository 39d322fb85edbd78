"""The layers: who may import what, no state in modules, modules of one reading, a quick command line."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pbem

PACKAGE = Path(pbem.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
PURE_STDLIB = frozenset(
    [
        "__future__", "abc", "bisect", "collections", "collections.abc", "colorsys", "contextlib",
        "dataclasses",
        "difflib", "enum", "fractions", "functools", "hashlib", "heapq", "hmac", "itertools", "json", "math",
        "numbers", "operator", "re", "statistics", "string", "textwrap", "types", "typing",
    ]
)  # fmt: skip
TEXT_PACKAGES = frozenset(["yaml", "jinja2", "jsonschema", "markupsafe"])
MAIL_STDLIB = frozenset(["base64", "email", "html"])


ALLOWED = {
    "core": ("core",),
    "text": ("core", "text"),
    "contract": ("core", "text", "contract"),
    "store": ("core", "store", "top"),
    "play": ("core", "text", "contract", "store", "play", "top"),
    "host": ("core", "text", "store", "play", "host", "top"),
    "mail": ("core", "text", "store", "play", "host", "mail", "top"),
    "archive": ("core", "text", "store", "play", "host", "archive", "top"),
    "work": ("text", "store", "play", "host", "mail", "archive", "work", "top"),
    "doctor": ("core", "text", "store", "play", "host", "mail", "doctor", "top"),
    "cli": ("core", "text", "store", "play", "host", "mail", "archive", "work", "doctor", "cli", "top"),
    "top": ("cli",),
}
"""Which layers each layer may import, from the lowest up; rules import core and what all rules share."""


OUTSIDE = {
    "play.newgame": "files of players and tables that a command names",
    "play.owndata": "the same",
    "play.pictures": "the fonts of the package",
    "play.privacy": "files with passwords, beside the home",
    "play.registry": "the folder of a plug-in",
    "play.templates": "the shipped templates, and the user's cache of compiled ones",
    "doctor.machine": "whose the files of a home are",
    "doctor.starters": "tables of cron and timers of systemd, of the machine or of a user",
    "doctor.servers": "Maildirs, and whether a program can be started",
    "host.demo": "the folder that becomes a home",
    "host.samples": "the shipped samples",
    "host.heartbeat": "the machine's other clock",
    "host.units": "units of systemd, of the machine or of a user",
    "mail.copies": "the Maildir with copies of all mails",
    "mail.lmtp": "the socket to listen at",
    "mail.openpgp": "the keys of players, beside the home",
    "mail.settings": "files with passwords, beside the home",
    "mail.providers": "where the token of a mailbox stands, beside the home",
    "mail.tokens": "the token itself",
    "mail.sources": "Maildirs, mbox files and the spool, from which mail is taken",
    "mail.spool": "the spool, where a program leaves mail that must start quickly",
    "mail.transports": "the program sendmail",
    "archive.download": "the archive that is written",
    "archive.games": "the archive that is written",
    "archive.record": "the archive that is written",
    "archive.rendering": "the shipped templates",
    "archive.site": "the archive that is written",
    "archive.verifying": "a download that a command names",
    "archive.verifier": "the same, with Python alone",
    "archive.writing": "the archive that is written",
    "work.shift": "where the archive is written",
    "work.worker": "where the archive is written",
}
"""Modules that open files which are no part of a home, each with what they are; and all of `cli`."""

ABOVE = ("play", "host", "mail", "archive", "work", "doctor")
"""The layers above the store and below the command line."""

OPENERS = frozenset(["pathlib", "os", "os.path", "shutil", "sqlite3", "tempfile", "glob", "fcntl"])
INSIDE = ("pbem.store.folder", "pbem.store.disk", "pbem.store.connection", "pbem.store.intents")


def layer(module: str) -> str:
    """Return the layer of a module: its package, rules.NAME for the rules of a game; "top" for the rest."""
    parts = module.split(".")
    if len(parts) < 3:
        found = parts[1] if len(parts) == 2 else "top"
        return found if found in ALLOWED else "rules.kit" if found == "rules" else "top"
    return ".".join(parts[1:3]) if parts[1] == "rules" else parts[1]


def imports(tree: ast.Module) -> Iterator[str]:
    """Return the name of every imported module, those inside functions and for type checkers too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from sorted(names & MODULES.keys()) or [str(node.module)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "__import__":
            yield "__import__"


def may_import(module: str, name: str) -> bool:
    """Tell whether the layer of a module may import another module."""
    home = layer(module)
    if not name.startswith("pbem"):
        root = name.partition(".")[0]
        if home == "core" or home.startswith("rules"):
            return name in PURE_STDLIB
        if module.startswith("pbem.text.mail") and root in MAIL_STDLIB:
            return True
        if home in ("text", "contract"):
            return (
                name in PURE_STDLIB
                or name in ("base64", "decimal", "unicodedata", "zlib")
                or root in TEXT_PACKAGES
            )
        return True
    return layer(name) in ALLOWED.get(home, ("core", "rules.kit", home))


def module_state(tree: ast.Module) -> list[str]:
    """Return the names that a module binds to something mutable or binds again."""
    found = [",".join(node.names) for node in ast.walk(tree) if isinstance(node, ast.Global)]
    for node in tree.body:
        value: ast.expr | None
        if isinstance(node, ast.Assign):
            named, value, frozen = ast.unparse(node.targets[0]), node.value, False
        elif isinstance(node, ast.AnnAssign):
            named, value = ast.unparse(node.target), node.value
            frozen = ast.unparse(node.annotation).startswith(("Final", "Mapping"))
        elif isinstance(node, ast.AugAssign):
            found.append(ast.unparse(node.target))
            continue
        else:
            continue
        if value is not None and is_mutable(value) and not frozen and named != "__all__":
            found.append(named)
    return found


def is_mutable(value: ast.expr) -> bool:
    """Tell whether an expression makes a list, dict, set, or something that counts or collects."""
    if isinstance(value, ast.Call):
        made = ast.unparse(value.func).rpartition(".")[2].partition("[")[0]
        return made in (
            "list",
            "dict",
            "set",
            "bytearray",
            "defaultdict",
            "deque",
            "Counter",
            "count",
            "fromkeys",
        )
    return isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def parsed(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down_only(module: str) -> None:
    assert [name for name in imports(parsed(module)) if not may_import(module, name)] == []


@pytest.mark.parametrize(
    ("module", "name", "allowed"),
    [
        ("pbem.core.turn", "pbem.core.book", True),
        ("pbem.core.turn", "json", True),
        ("pbem.core.turn", "pbem.text.codec", False),
        ("pbem.core.turn", "pbem", False),
        ("pbem.core.turn", "random", False),
        ("pbem.core.turn", "logging", False),
        ("pbem.core.turn", "time", False),
        ("pbem.core.turn", "datetime", False),
        ("pbem.core.turn", "os", False),
        ("pbem.core.turn", "pathlib", False),
        ("pbem.core.turn", "secrets", False),
        ("pbem.rules.rose_king.rules", "pbem.rules.rose_king.facts", True),
        ("pbem.rules.rose_king.rules", "pbem.rules.other.facts", False),
        ("pbem.rules.rose_king.rules", "pbem.text.report", False),
        ("pbem.rules.rose_king.rules", "socket", False),
        ("pbem.rules.rose_king.rules", "yaml", False),
        ("pbem.text.report", "jinja2.sandbox", True),
        ("pbem.text.report", "pbem.core.book", True),
        ("pbem.text.report", "pbem.play.running", False),
        ("pbem.text.report", "pathlib", False),
        ("pbem.text.report", "datetime", False),
        ("pbem.text.report", "email.parser", False),
        ("pbem.text.mail.letter", "email.parser", True),
        ("pbem.text.mail.letter", "smtplib", False),
        ("pbem.text.mail.letter", "pbem.play.running", False),
        ("pbem.contract.check", "pbem.text.report", True),
        ("pbem.contract.check", "pbem.play.running", False),
        ("pbem.play.running", "pbem.text.report", True),
        ("pbem.play.running", "datetime", True),
        ("pbem.play.running", "pbem.rules.rose_king", False),
        ("pbem.play.running", "pbem.cli.base", False),
        ("pbem.play.running", "pbem.host.notes", False),
        ("pbem.play.running", "pbem.store.disk", True),
        ("pbem.store.disk", "pbem.play.home", False),
        ("pbem.host.telling", "pbem.mail.letters", False),
        ("pbem.mail.letters", "pbem.host.telling", True),
        ("pbem.archive.games", "pbem.host.notes", True),
        ("pbem.archive.games", "pbem.mail.letters", False),
        ("pbem.archive.games", "pbem.play.saved", True),
        ("pbem.cli.games", "pbem.cli.base", True),
    ],
)  # fmt: skip
def test_the_rule_of_imports_says(module: str, name: str, allowed: bool) -> None:
    assert may_import(module, name) is allowed


@pytest.mark.parametrize("module", [name for name in MODULES if layer(name) in ABOVE])
def test_above_the_store_nobody_opens_a_path_of_a_home(module: str) -> None:
    """What lies in a home is asked of its store; other files are opened where `OUTSIDE` says which."""
    found = {name for name in imports(parsed(module)) if name in OPENERS or name.startswith(INSIDE)}
    assert bool(found) is (module.removeprefix("pbem.") in OUTSIDE), found


def test_a_home_is_opened_at_the_command_line_only() -> None:
    above = [name for name in MODULES if layer(name) in (*ABOVE, "cli")]
    openers = [name for name in above if "pbem.store.folder" in {*imports(parsed(name))}]
    assert openers == ["pbem.host.demo"]


@pytest.mark.parametrize("module", [name for name in MODULES if layer(name).startswith(("core", "rules"))])
def test_core_and_rules_keep_no_state_in_modules(module: str) -> None:
    assert module_state(parsed(module)) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("seen = []", ["seen"]),
        ("seen: dict[str, int] = {}", ["seen"]),
        ("seen = collections.defaultdict(list)", ["seen"]),
        ("seen = {n for n in range(3)}", ["seen"]),
        ("n = 0\ndef f():\n    global n\n    n = 1", ["n"]),
        ("seen = ()\nseen += (1,)", ["seen"]),
        ("SEEN: Final = {}", []),
        ("SEEN: Mapping[str, int] = {}", []),
        ("SEEN = (1, 2)", []),
        ("SEEN = frozenset([1])", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_state_in_a_module_is(source: str, expected: list[str]) -> None:
    assert module_state(ast.parse(source)) == expected


@pytest.mark.parametrize("module", MODULES)
def test_a_module_fits_in_one_reading(module: str) -> None:
    # It travels alone, as one file, and checks all that docs/proof.md promises.
    most = 537 if module == "pbem.archive.verifier" else 300
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= most


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_load_nothing_that_they_do_not_need(argument: str) -> None:
    program = (
        "import sys\n"
        "from pbem.cli import run_command\n"
        f"code = run_command([{argument!r}])\n"
        "heavy = {'yaml', 'jinja2', 'jsonschema', 'email'}\n"
        "loaded = heavy & {name.partition('.')[0] for name in sys.modules}\n"
        "sys.exit(' '.join(sorted(loaded)) or code)\n"
    )

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "pbem" in ended.stdout
