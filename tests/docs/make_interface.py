"""The interface to the rules by its docstrings, for the page: `python -m tests.docs.make_interface`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "build" / "interface.md"

MODULES = {
    "core.interface": "What a package registers, what it must be able to do, and examples of orders.",
    "core.remedies": "What would do in place of what is wrong with an order.",
    "core.events": "What happened, and who may know it.",
    "core.dice": "Chance: the only one that rules have.",
    "core.foresight": "Orders for later: what rules can tell of them, if they like.",
    "core.wording": "How orders, conditions and names are said.",
    "rules.kit.ruled": "Rules that are put together from parts.",
    "rules.kit.tables": "The data of rules, as their schema has checked them.",
    "rules.kit.ranking": "Counting, comparing and ranking.",
    "contract": "The test suite of any rules.",
    "contract.subject": "What the contract is given, and what it returns.",
}
"""The modules of the page, in order, each with what it is for."""

_SECTION = re.compile(r"^(Attributes|Args|Returns|Raises|Yields|Source):\n((?:    .*\n|\n)+)", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+): ")


def page() -> str:
    """Return the page as the source is now."""
    parts = []
    for module, words in MODULES.items():
        parts += [f"## pbem.{module}\n", f"{words}\n"]
        path = PROJECT / "pbem" / module.replace(".", "/")
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        for one in ast.parse(source.read_text(encoding="utf-8")).body:
            if isinstance(one, ast.ClassDef | ast.FunctionDef) and not one.name.startswith("_"):
                parts += _described(one)
    return "\n".join(parts)


def _described(one: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """Yield the heading of a class or function, how it is written, and what it says of itself."""
    yield f"### {one.name}\n"
    yield f"~~~python\n{_written(one)}\n~~~\n"
    yield _words(one)
    for method in one.body if isinstance(one, ast.ClassDef) else ():
        is_public = isinstance(method, ast.FunctionDef) and not method.name.startswith("_")
        if isinstance(method, ast.FunctionDef) and is_public and ast.get_docstring(method):
            yield f"~~~python\n{_written(method)}\n~~~\n"
            yield _words(method)


def _written(one: ast.ClassDef | ast.FunctionDef) -> str:
    """Return the first lines of a class with its fields, or of a function, without what they say."""
    if isinstance(one, ast.FunctionDef):
        marks = [f"@{ast.unparse(mark)}\n" for mark in one.decorator_list]
        result = f" -> {ast.unparse(one.returns)}" if one.returns else ""
        return f"{''.join(marks)}def {one.name}({_arguments(one, result)}){result}"
    bases = ", ".join(map(ast.unparse, [*one.bases, *(word.value for word in one.keywords)]))
    told = (ast.unparse(field) for field in one.body if isinstance(field, ast.AnnAssign))
    fields = [f"    {field}" for field in told if not field.startswith("_")]
    return "\n".join([f"class {one.name}({bases}):" if bases else f"class {one.name}:", *fields])


def _arguments(one: ast.FunctionDef, result: str) -> str:
    """Return the arguments of a function, on lines of their own where one line would be too long."""
    told = ast.unparse(one.args)
    if len(f"def {one.name}({told}){result}") <= 100:
        return told
    named = one.args
    apart = [ast.unparse(arg) for arg in [*named.posonlyargs, *named.args]]
    first = len(apart) - len(named.defaults)
    apart = [
        f"{arg} = {ast.unparse(named.defaults[place - first])}" if place >= first else arg
        for place, arg in enumerate(apart)
    ]
    for arg, default in zip(named.kwonlyargs, named.kw_defaults, strict=True):
        apart += ["*"] if "*" not in apart else []
        apart.append(ast.unparse(arg) + (f" = {ast.unparse(default)}" if default else ""))
    return "\n" + "".join(f"    {arg},\n" for arg in apart)


def _words(one: ast.ClassDef | ast.FunctionDef) -> str:
    """Return what a class or function says of itself, its sections as lists."""
    said = inspect.cleandoc(ast.get_docstring(one) or "") + "\n"
    return _SECTION.sub(_section, said)


def _section(found: re.Match[str]) -> str:
    """Return one section: a list of names, or a sentence with its title."""
    title, body = found[1], inspect.cleandoc(found[2])
    entries = re.split(r"\n(?=\S)", body)
    if title in ("Returns", "Yields", "Source") or not all(_ENTRY.match(one) for one in entries):
        return f"*{title}:* {' '.join(body.split())}\n"
    listed = [_ENTRY.sub(r"- `\1`: ", " ".join(one.split())) for one in entries]
    return "\n".join(listed) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
