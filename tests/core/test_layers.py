"""What each layer may use, no state in modules, modules of one reading."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pbem

PACKAGE = Path(pbem.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
PURE_STDLIB = frozenset(
    [
        "__future__", "abc", "bisect", "collections", "collections.abc", "colorsys", "contextlib",
        "dataclasses", "difflib", "enum", "fractions", "functools", "hashlib", "heapq", "hmac", "itertools",
        "json", "math", "numbers", "operator", "re", "statistics", "string", "textwrap", "types", "typing",
    ]
)  # fmt: skip
TEXT_PACKAGES = frozenset(["yaml", "jinja2", "jsonschema", "markupsafe"])
TEXT_STDLIB = frozenset(["base64", "decimal", "unicodedata", "zlib"])
MAIL_STDLIB = frozenset(["base64", "email", "html", "weakref"])

OUTSIDE = {
    "play.config.newgame": "files of players and tables that a command names",
    "play.reports.formpages": "the fonts of the package",
    "play.homes.home": "files with passwords, beside the home",
    "play.config.registry": "the folder of a plug-in",
    "play.config.overrides": "the shipped templates, and the user's cache of compiled ones",
    "doctor.home": "whose the files of a home are; tables of cron and timers of systemd",
    "doctor.servers": "Maildirs, and whether a program can be started",
    "host.office.samples": "the shipped samples, and the folder that becomes a home",
    "host.office.watch": "the machine's other clock",
    "host.office.units": "units of systemd, of the machine or of a user",
    "mail.outgoing.outbox": "the Maildir with copies of all mails",
    "mail.arrivals.lmtp": "the socket to listen at",
    "mail.arrivals.proof": "the keys of players, beside the home",
    "mail.account.settings": "files with passwords and tokens, beside the home",
    "mail.account.tokens": "the token itself",
    "mail.arrivals.sources": "Maildirs, mbox files and the spool, from which mail is taken",
    "mail.arrivals.spool": "the spool, where a program leaves mail that must start quickly",
    "mail.outgoing.transports": "the program sendmail",
    "archive.download": "the archive that is written",
    "archive.games": "the archive that is written",
    "archive.record": "the archive that is written",
    "archive.rendering": "the shipped templates, and the archive that is written",
    "archive.site": "the archive that is written",
    "archive.verification": "a download that a command names",
    "archive.verifier": "the same, with Python alone",
    "work": "where the archive is written",
    "work.worker": "where the archive is written",
}
"""Modules that open files which are no part of a home, each with what they are; and all of `cli`."""

IMPURE = (
    "random", "secrets", "logging", "time", "datetime", "os", "pathlib", "io", "socket", "smtplib",
    "subprocess", "threading", "importlib", "__import__",
)  # fmt: skip

ABOVE = ("play", "host", "mail", "archive", "work", "doctor")
"""The layers above the store and below the command line."""

OPENERS = frozenset(["pathlib", "os", "os.path", "shutil", "sqlite3", "tempfile", "glob", "fcntl"])
INSIDE = ("pbem.store.folder", "pbem.store.disk", "pbem.store.connection")


def layer(module: str) -> str:
    """Return the layer of a module, which is its package; an empty text for `pbem` itself."""
    return module.partition(".")[2].partition(".")[0]


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


def may_use(module: str, name: str) -> bool:
    """Tell whether a module may use what is no part of a layer: packages, and `pbem` for its version."""
    home, root = layer(module), name.partition(".")[0]
    if home in ("core", "rules"):
        return name in PURE_STDLIB
    if home in ("text", "contract"):
        return (
            name in PURE_STDLIB | TEXT_STDLIB
            or root in TEXT_PACKAGES
            or (module.startswith("pbem.text.mail") and root in MAIL_STDLIB)
        )
    return home != ""


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
        kinds = ("list", "dict", "set", "bytearray", "defaultdict", "deque", "Counter", "count", "fromkeys")
        return made in kinds
    return isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


@cache
def imported(module: str) -> tuple[str, ...]:
    return tuple(imports(parsed(module)))


@cache
def parsed(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def test_pure_layers_use_only_what_is_pure() -> None:
    """Who imports whom within `pbem` stands as contracts in pyproject.toml, which `make lint` checks."""
    breaches = [
        (module, name)
        for module in MODULES
        for name in imported(module)
        if (module == "pbem" or not name.startswith("pbem.")) and not may_use(module, name)
    ]

    assert breaches == []


def test_pure_is() -> None:
    said = {
        "pbem.core.turn": {"json": True, "pbem": False, **dict.fromkeys(IMPURE, False)},
        "pbem.rules.rose_king.rules": {"json": True, "yaml": False, **dict.fromkeys(IMPURE, False)},
        "pbem.text.reports.report": {
            "jinja2.sandbox": True,
            "email.parser": False,
            **dict.fromkeys(IMPURE, False),
        },
        "pbem.text.mail.letter": {"email.parser": True, **dict.fromkeys(IMPURE, False)},
        "pbem.contract.worlds": {"yaml": True, **dict.fromkeys(IMPURE, False)},
        "pbem.play.turn.running": {"pbem": True, **dict.fromkeys(IMPURE, True)},
        "pbem": {"json": False, "pbem.cli": False},
    }

    found = {module: {name: may_use(module, name) for name in names} for module, names in said.items()}

    assert found == said


def test_an_import_counts_wherever_it_stands() -> None:
    sources = (
        "import time",
        "def f():\n    import time",
        "if TYPE_CHECKING:\n    from time import time",
        "class A:\n    import time as clock",
    )

    assert [[*imports(ast.parse(one))] for one in sources] == [["time"]] * len(sources)
    assert [*imports(ast.parse("__import__('time')"))] == ["__import__"]
    assert [*imports(ast.parse("from pbem.core import turn"))] == ["pbem.core.turn"]
    assert [*imports(ast.parse("from pbem import __version__"))] == ["pbem"]


def test_above_the_store_nobody_opens_a_path_of_a_home() -> None:
    """What lies in a home is asked of its store; other files are opened where `OUTSIDE` says which."""
    opening = {
        module.removeprefix("pbem.")
        for module in MODULES
        if layer(module) in ABOVE
        and any(name in OPENERS or name.startswith(INSIDE) for name in imported(module))
    }

    assert sorted(opening ^ OUTSIDE.keys()) == []


def test_core_and_rules_keep_no_state_in_modules() -> None:
    found = [
        (module, name)
        for module in MODULES
        if layer(module) in ("core", "rules")
        for name in module_state(parsed(module))
    ]

    assert found == []


def test_state_in_a_module_is() -> None:
    said = {
        "seen = []": ["seen"],
        "seen: dict[str, int] = {}": ["seen"],
        "seen = collections.defaultdict(list)": ["seen"],
        "seen = {n for n in range(3)}": ["seen"],
        "n = 0\ndef f():\n    global n\n    n = 1": ["n"],
        "seen = ()\nseen += (1,)": ["seen"],
        "SEEN: Final = {}": [],
        "SEEN: Mapping[str, int] = {}": [],
        "SEEN = (1, 2)": [],
        "SEEN = frozenset([1])": [],
    }

    assert {source: module_state(ast.parse(source)) for source in said} == said


def test_a_module_fits_in_one_reading() -> None:
    # One travels alone, as one file, and checks all that docs/proof.md promises.
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}

    assert [(name, n) for name, n in lines.items() if n > 500 and name != "pbem.archive.verifier"] == []
