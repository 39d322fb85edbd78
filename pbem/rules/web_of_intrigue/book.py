"""What the game book tells besides the data tables: Houses, objects and specials in words."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.interface import Json
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue
from pbem.rules.web_of_intrigue.words import describe


def tell(rules: WebOfIntrigue, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return all tiles and Houses by name, with what each does; where they lie is no part of it.

    Source: rules, "Players know all objects and specials there are".
    """
    facts, categories = rules.facts, rules.facts.categories
    return {
        "categories": list[Json](categories),
        "objects": [
            {**same_fields(one, "name", "category", "vp", "difficulty"), "gives": ", ".join(one.gives)}
            for one in facts.objects.values()
        ],
        "specials": [
            {"name": one.name, "does": describe(one.effect), "needs": one.effect.subject}
            for one in facts.specials.values()
        ],
        "houses": [
            {"name": one.name, "element": one.element, "adds": [one.modifiers[kind] for kind in categories]}
            for one in facts.houses.values()
        ],
    }
