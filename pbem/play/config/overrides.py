"""Templates as they are loaded: where one that a host changed fails, the shipped one takes its place."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    FunctionLoader,
    PrefixLoader,
    Template,
    TemplateSyntaxError,
)
from jinja2.bccache import Bucket

from pbem.store.interface import Place
from pbem.store.opening import shipped_folder
from pbem.text.reports.report import page_environment
from pbem.text.reports.sandbox import FactsEnvironment, environment, template_fault

Source = tuple[str, str | None, Callable[[], bool] | None]


@lru_cache(maxsize=64)
def of_rules(name: str, own: Path, overrides: Place | None) -> Environment:
    """Return the templates of rules, and those that all rules share; each once."""
    shared = FileSystemLoader(shipped_folder("templates") / "common")
    archive = FileSystemLoader(shipped_folder("templates") / "archive")
    folders = PrefixLoader({name: FileSystemLoader(own), "common": shared, "archive": archive})
    return _make_environment(folders, overrides)


def _make_environment(folders: BaseLoader, overrides: Place | None) -> Environment:
    """Return shipped templates, or those of a home that go before them."""
    plain = environment(folders, _bytecode_cache())
    if overrides is None:
        return plain
    return with_overrides(folders, plain, overrides)


@lru_cache(maxsize=64)
def folder_templates(name: str, overrides: Place | None) -> Environment:
    """Return the templates of a folder, named `NAME/FILE`; each once."""
    return _make_environment(
        PrefixLoader({name: FileSystemLoader(shipped_folder("templates") / name)}), overrides
    )


def _bytecode_cache() -> BytecodeCache | None:
    """Return where compiled templates are kept between runs: the user's cache folder, if there can be one.

    A template that both texts and pages use is compiled for each of them: what is escaped is fixed then. What
    lies there is run as code, so nobody else may have put it there.

    Source: XDG Base Directory Specification, XDG_CACHE_HOME.
    """
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pbem" / "templates"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return _TemplateCache(str(folder)) if os.access(folder, os.W_OK) and _is_private_folder(folder) else None


def _is_private_folder(folder: Path) -> bool:
    """Tell whether nobody but this user, or root, can put anything into a folder, or another in its place."""
    folder = folder.resolve()
    for one in (folder, *folder.parents):
        try:
            found = one.stat()
        except OSError:
            return False
        by_others = found.st_mode & (0o022 if one == folder else 0o002) and not found.st_mode & stat.S_ISVTX
        if (
            found.st_uid not in (0, os.geteuid())
            or by_others
            or (one == folder and found.st_uid != os.geteuid())
        ):
            return False
    return True


class _TemplateCache(FileSystemBytecodeCache):
    """Compiled templates in a folder; nothing depends on them."""

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        use = "page" if environment.autoescape is True else "text"
        return super().get_bucket(environment, f"{name} of a {use}", filename, source)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, if that can be."""
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


class OverridableTemplate(Template):
    """A template that a home may have changed, or one that uses such templates."""

    def render(self, *args: Any, **kwargs: Any) -> str:
        """Return what the template makes of facts; where it fails, what the shipped one of its name does."""
        try:
            return super().render(*args, **kwargs)
        except Exception as wrong:  # no turn and no mail waits for a template that a host changed
            home = self.environment
            assert isinstance(home, OverridableEnvironment), "only such environments have such templates"
            shipped = page_environment(home.shipped) if home.autoescape is True else home.shipped
            made = shipped.get_template(str(self.name)).render(*args, **kwargs)
            home.faults.setdefault(template_fault(wrong))
            return made


class OverridableEnvironment(FactsEnvironment):
    """Templates of which a home may have changed some.

    Attributes:
        shipped: The shipped ones alone.
        faults: What failed in the home's since they were first used, each as `FILE:LINE: fault`.
    """

    template_class = OverridableTemplate
    shipped: Environment
    faults: dict[str, None]


def with_overrides(loader: BaseLoader, shipped: Environment, overrides: Place) -> OverridableEnvironment:
    """Return templates of which those of a home go before the shipped ones, as long as they do not fail.

    Args:
        loader: Where the shipped ones are found.
        shipped: The shipped ones alone.
        overrides: The home's `templates`.
    """
    faults: dict[str, None] = {}

    def load(name: str) -> Source | None:
        place = overrides / name
        if ".." in name.split("/") or not place.is_file():
            return None
        text, stamp = place.read_text(), place.stamp()
        try:
            shipped.parse(text, name, str(place))
        except TemplateSyntaxError as wrong:
            faults.setdefault(template_fault(wrong))
            return None
        return text, str(place), lambda: place.is_file() and place.stamp() == stamp

    made = environment(
        ChoiceLoader([FunctionLoader(load), loader]), shipped.bytecode_cache, OverridableEnvironment
    )
    assert isinstance(made, OverridableEnvironment), "it is what was asked for"
    made.shipped, made.faults = shipped, faults
    return made
