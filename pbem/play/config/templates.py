"""Where report templates are found: a home's overrides, then those of the rules, then the common ones."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.opening import DealtGame, Opening
from pbem.play.config.registry import InstalledRules, find_rules
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.codec import dumps

if TYPE_CHECKING:
    from jinja2 import Environment

    from pbem.contract.subject import Subject


def templates_of(system: InstalledRules, overrides: Place | None = None) -> Environment:
    """Return the templates of a rule system; homes that override none share what was loaded.

    Args:
        system: The installed rules.
        overrides: The `templates` of a home; its files replace shipped ones, file by file.
    """
    from pbem.play.config.overrides import of_rules

    return of_rules(system.name, system.templates, _existing_folder(overrides))


def _existing_folder(overrides: Place | None) -> Place | None:
    return overrides if overrides is not None and overrides.below() else None


def _folder_environment(name: str, overrides: Place | None) -> Environment:
    from pbem.play.config.overrides import folder_templates

    return folder_templates(name, overrides)


def faults_of_overrides(templates: Environment) -> tuple[str, ...]:
    """Return what failed in a home's templates, each as `FILE:LINE: fault`: shipped ones took their place."""
    return tuple(getattr(templates, "faults", ()))


def mail_templates(overrides: Place | None = None) -> Environment:
    """Return the templates of mails that are no reports, named `mail/FILE`.

    Args:
        overrides: The `templates` of a home; its files replace shipped ones, file by file.
    """
    return _folder_environment("mail", _existing_folder(overrides))


def render_mail_words(overrides: Place | None, template: str, facts: Mapping[str, Json]) -> str:
    """Return what a template of mails makes of facts.

    Args:
        overrides: The `templates` of a home; its files replace shipped ones, file by file.
        template: Its path in `templates/mail`, without its ending.
        facts: What it is made of.

    Raises:
        WrongInput: It fails.
    """
    with translate_template_errors():
        return mail_templates(overrides).get_template(f"mail/{template}.txt.j2").render(facts)


def service_templates() -> Environment:
    """Return the templates of units of systemd, named `service/FILE`."""
    return _folder_environment("service", None)


def archive_templates(overrides: Place | None = None) -> Environment:
    """Return the templates of pages that are of no one game, named `archive/FILE`.

    Args:
        overrides: The `templates` of a home; its files replace shipped ones, file by file.
    """
    return _folder_environment("archive", _existing_folder(overrides))


@contextlib.contextmanager
def translate_template_errors() -> Iterator[None]:
    """Tell a template that fails by its name, line and fault.

    Raises:
        WrongInput: A template failed.
    """
    try:
        yield
    except Exception as wrong:  # a template that fails has loaded what is named here
        from pbem.text.reports.sandbox import is_template_error, template_fault

        if not is_template_error(wrong):
            raise
        is_missing = isinstance(wrong, LookupError)
        raise WrongInput(f"{template_fault(wrong)}.", _MISSING if is_missing else _FAILED) from wrong


_MISSING: Final = (
    "Templates are named RULES/FILE; the package of the rules holds FILE in its folder templates."
)
_FAILED: Final = "Mend the template, or remove it from the home's templates to have the shipped one."


def subject(rules: str, seats: int | None = None, **options: Json) -> Subject:
    """Return an installed rule system as the contract checks it, with its data as a game keeps them.

    Args:
        rules: The name of the rules.
        seats: How many seats; the most if left out.
        options: Options other than the shipped ones.

    Raises:
        WrongInput: There are no such rules, or they and their System have different versions.
    """
    from pbem.contract.subject import Subject
    from pbem.play.reports import books, formpages

    system = find_rules(rules)
    assert system.system is not None, "find returns no broken rules"
    names = system.system.seat_names(seats or system.system.seats[-1])
    in_force = {**system.system.options, **options}
    loaded = system.load(json.loads(dumps(system.shipped_data())))
    if loaded.version != system.system.version:
        versions = f"the System has version {system.system.version}, its rules have {loaded.version}"
        raise WrongInput(f"the rules {rules} are broken: {versions}.")
    templates = templates_of(system)

    def book() -> tuple[str, str]:
        found = books.book_of_rules(rules, seats=names, options=in_force)
        return found.text, found.page

    def page(
        opening: Opening[Any, Any, Any], state: object, ask: Ask, seat: Seat, facts: Mapping[str, Json]
    ) -> str:
        game = DealtGame(dict.fromkeys(names, ""), state)
        return formpages.render_form_page(system, templates, opening, ask, game, seat, facts)

    return Subject(
        loaded,
        names,
        in_force,
        system.move_schema,
        templates,
        plots=system.system.plots,
        stages=system.system.stages,
        book=book,
        page=page,
    )
