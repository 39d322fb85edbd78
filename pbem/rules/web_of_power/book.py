"""What the game book tells besides the data tables: the map as it hangs together, and the alliances."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.interface import Json
from pbem.rules.web_of_power.rules import WebOfPower


def tell(rules: WebOfPower, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return countries in the order of scoring, sites with their roads, and all sets of alliances, by ids."""
    facts = rules.facts
    places = facts.places[str(options["alliances"])]
    return {
        "countries": [
            {
                "id": country,
                "shown": list[Json](facts.shows[place.card]),
                "sites": len(place.sites),
                "allied": list[Json](place.allied),
            }
            for country, place in places.items()
        ],
        "sites": [
            {"id": site, "country": country, "roads": list[Json](facts.near[site])}
            for country, land in facts.lands.items()
            for site in land.sites
        ],
        "sets": {
            name: [list[Json](pair) for pair in alliances.values()]
            for name, alliances in facts.alliances.items()
        },
    }
