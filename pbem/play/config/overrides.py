"""Templates that a host changed: where one fails, the shipped one takes its place, and the fault is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FunctionLoader, Template, TemplateSyntaxError

from pbem.store.interface import Place
from pbem.text.reports.report import environment, escaping
from pbem.text.reports.sandbox import FactsEnvironment, template_fault

Source = tuple[str, str | None, Callable[[], bool] | None]


class OverridableTemplate(Template):
    """A template that a home may have changed, or one that uses such templates."""

    def render(self, *args: Any, **kwargs: Any) -> str:
        """Return what the template makes of facts; where it fails, what the shipped one of its name does."""
        try:
            return super().render(*args, **kwargs)
        except Exception as wrong:  # no turn and no mail waits for a template that a host changed
            home = self.environment
            assert isinstance(home, OverridableEnvironment), "only such environments have such templates"
            shipped = escaping(home.shipped) if home.autoescape is True else home.shipped
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
