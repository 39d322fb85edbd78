"""The facts, built from the data tables and checked against the totals that stand in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.core.interface import Json
from pbem.rules.kit.tables import Checked, checked, demand, ids_by_name, in_order_of, same
from pbem.rules.web_of_intrigue.facts import EFFECTS, Effect, Facts, House, Numbers, Special, Thing, plain
from pbem.rules.web_of_intrigue.grid import make_grid
from pbem.rules.web_of_intrigue.state import Category, HouseId, TileId


def load_facts(data: Mapping[str, Json]) -> Facts:
    """Build the facts from the tables of `data/*.yaml`.

    Raises:
        ValueError: The tables do not add up.

    Source: rules 1, 4.1, 5.1 and 7.1.
    """
    objects, specials, houses = (checked(data, name) for name in ("objects", "specials", "houses"))
    categories = tuple(Category(name) for name in objects["categories"])
    names = {o["id"]: o["name"] for o in objects["list"]}
    things = _by_id("objects", (_thing(entry, names) for entry in objects["list"]))
    acts = _by_id(
        "specials", (Special(TileId(s["id"]), s["name"], Effect(**s["effect"])) for s in specials["list"])
    )
    signs = _by_id("houses", (_house(categories, entry) for entry in houses["list"]))
    titles = {one.id: one.name for one in (*signs.values(), *things.values(), *acts.values())}
    facts = Facts(
        grid=make_grid(checked(data, "grid")["size"]),
        categories=categories,
        objects=things,
        specials=acts,
        houses=signs,
        gains=_gains(objects, things),
        numbers=_numbers(data),
        titles=titles,
        ids=ids_by_name(((tile, titles[tile]) for tile in (*things, *acts)), plain),
        house_ids=ids_by_name(((sign, titles[sign]) for sign in signs), plain),
    )
    _check_objects(facts, objects)
    _check_specials(facts, specials, houses)
    _check_houses(facts, houses)
    _check_numbers(facts)
    return facts


def _house(categories: tuple[Category, ...], entry: Checked) -> House:
    """Return a House, its modifiers in the order of categories, which a saved copy of the data lacks."""
    table: dict[Category, int] = entry["modifiers"]
    ordered = {**in_order_of(categories, table), **table}
    return House(HouseId(entry["id"]), entry["name"], entry["element"], ordered)


def _thing(entry: Checked, names: Mapping[str, str]) -> Thing:
    """Return an object; bonuses for what is in no tile of the set are not told."""
    gives = []
    for bonus in entry.get("bonuses", []):
        if (name := bonus.get("for")) is not None:
            whom = names.get(name)
        else:
            others = any(names.get(one) for one in bonus.get("but", []))
            whom = f"any {'other ' if others else ''}{bonus.get('category', 'object')}"
        if whom is not None:
            gives.append(f"{whom} {bonus['value']:+d}")
    place = TileId(entry["id"]), entry["name"], entry["category"]
    return Thing(*place, entry["vp"], entry["difficulty"], tuple(gives))


def _by_id(place: str, entries: Iterable[Any]) -> dict[Any, Any]:
    listed = list(entries)
    found = {entry.id: entry for entry in listed}
    same(f"{place}: different ids", len(listed), len(found))
    return found


def _gains(objects: Checked, things: Mapping[TileId, Thing]) -> dict[TileId, dict[TileId, int]]:
    """Return what control of each object adds to bids for each other one.

    Source: rules 4.1; "any other X" leaves out the tiles named in `but`.
    """
    gains: dict[TileId, dict[TileId, int]] = {target: {} for target in things}
    for entry in objects["list"]:
        for bonus in entry.get("bonuses", []):
            named = [name for name in (bonus.get("for"), *bonus.get("but", [])) if name is not None]
            for name in named:
                is_known = name in things or name in objects["absent"]
                demand(
                    is_known, f"objects: {entry['id']}", "bonuses for objects of this set or `absent`", name
                )
            for target, thing in things.items():
                is_of_kind = bonus.get("any") or bonus.get("category") == thing.category
                is_meant = (is_of_kind or bonus.get("for") == target) and target not in bonus.get("but", [])
                if is_meant and target != entry["id"]:
                    gains[target][entry["id"]] = gains[target].get(entry["id"], 0) + bonus["value"]
    return gains


def _numbers(data: Mapping[str, Json]) -> Numbers:
    distance, target = checked(data, "distance"), checked(data, "target")
    return Numbers(
        points=checked(data, "action_points")["each_turn"],
        radius=checked(data, "view")["radius"],
        sides=checked(data, "die")["sides"],
        near=tuple(distance["modifiers"]),
        each_further=distance["each_further"],
        rival=checked(data, "control")["modifier"],
        one_in=checked(data, "guess")["one_in"],
        wrong_costs=checked(data, "guess").get("wrong_costs", 5),
        lowest=target["lowest"],
        highest=target["highest"],
        unsaid=target["unsaid"],
        start_distance=checked(data, "grid")["start_distance"],
    )


def _check_objects(facts: Facts, table: Checked) -> None:
    totals = table["totals"]
    for category in facts.categories:
        own = [thing.vp for thing in facts.objects.values() if thing.category == category]
        same(f"objects: number of {category}", totals["per_category"], len(own))
        same(f"objects: victory points of {category}", totals["vp"].get(category), sum(own))
    for thing in facts.objects.values():
        is_listed = thing.category in facts.categories
        demand(is_listed, f"objects: {thing.id}", "a category of the list", thing.category)
    tiles, squares = len(facts.objects) + len(facts.specials), len(facts.grid.squares)
    demand(tiles == squares, "grid", f"a tile for each of {squares} squares", f"{tiles} tiles")


def _check_specials(facts: Facts, table: Checked, houses: Checked) -> None:
    totals, kinds = table["totals"], {special.effect.kind for special in facts.specials.values()}
    same("specials: number", totals["specials"], len(facts.specials))
    same("specials: kinds of effect", totals["effects"], len(kinds))
    for special in facts.specials.values():
        effect, place = special.effect, f"specials: {special.id}"
        subjects, named = EFFECTS[effect.kind], {effect.category, effect.unless}
        expected = f"the subject {' or '.join(subjects) or 'none'}"
        demand(effect.subject in subjects, place, expected, effect.subject or "none")
        demand(named <= {"", *facts.categories}, place, "categories of the objects", effect.category)
        is_bonus, is_against = effect.kind == "category_bonus", effect.kind == "element_bonus"
        expected = "a category for a bonus, and for nothing else"
        demand(is_bonus == bool(effect.category), place, expected, effect.category)
        has_element = effect.element in houses["elements"]
        demand(
            is_against == has_element, place, "an element for a bonus against it", effect.element or "none"
        )


def _check_houses(facts: Facts, table: Checked) -> None:
    """Check the pattern of the rows, the sums of the columns, the elements and the stated cells (1.4)."""
    houses = facts.houses.values()
    for house in houses:
        place, values = f"houses: {house.id}", list(house.modifiers.values())
        fits, is_whole = (
            Counter(values) == Counter(table["pattern"]),
            set(house.modifiers) == set(facts.categories),
        )
        demand(fits, place, f"the modifiers {table['pattern']}", values)
        demand(is_whole, place, "a modifier for each category", ", ".join(house.modifiers))
    for category in facts.categories:
        total = sum(house.modifiers[category] for house in houses)
        same(f"houses: the sum of {category}", table["category_total"], total)
    signs = Counter(house.element for house in houses)
    is_even = signs == Counter(dict.fromkeys(table["elements"], table["per_element"]))
    demand(is_even, "houses", f"{table['per_element']} Houses of each element", dict(signs))
    differ = len({tuple(house.modifiers.items()) for house in houses}) == len(facts.houses)
    demand(differ, "houses", "no two Houses alike", "two that are")
    for cell in table["stated"]:
        got = facts.houses[cell["house"]].modifiers[cell["category"]]
        same(f"houses: {cell['house']}, {cell['category']} as stated", cell["value"], got)


def _check_numbers(facts: Facts) -> None:
    least, unsaid, most = facts.numbers.lowest, facts.numbers.unsaid, facts.numbers.highest
    demand(least <= unsaid <= most, "target: unsaid", f"{least} to {most}", unsaid)
    has_room = len(facts.houses) <= len(facts.grid.squares)
    demand(has_room, "grid", "a square for each House", len(facts.grid.squares))
