"""Everything that a form page shows: texts, names for those who hear it, what a click on the board offers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from playwright.sync_api import Page

from pbem.core.interface import Json

SHOWN = """() => {
  const out = new Set();
  const add = (text) => { if (text?.trim()) out.add(text.trim().replace(/\\s+/g, " ")); };
  for (const one of document.querySelectorAll("h1, header *, #app, #app *")) {
    if (one.closest("textarea, #numbers, style")) continue;
    for (const name of ["aria-label", "title", "label", "placeholder"]) add(one.getAttribute(name));
    if (one.matches("datalist option")) add(one.value);
    if (one.matches("input[type=text]")) add(one.value);
    for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) add(node.data);
  }
  return [...out];
}"""

OPEN = """() => document.querySelectorAll("details").forEach((one) => { one.open = true; })"""

CLICKED = """() => {
  const out = [];
  for (const place of document.querySelectorAll("#board [data-place]")) {
    place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    out.push(document.getElementById("done").textContent);
    for (const one of document.querySelectorAll("#board-choice button")) out.push(one.textContent);
    document.getElementById("meaning.none")?.click();
  }
  return out;
}"""


def shown_by(page: Page, orders: Iterable[Json]) -> set[str]:
    """Return every label of a page: as it opens, with a line for later, with these orders and clicks.

    Args:
        page: A window with a form page that was just opened.
        orders: Orders that are put into the open line, one after the other.
    """
    found: set[str] = set()

    def look() -> None:
        page.evaluate(OPEN)
        found.update(page.evaluate(SHOWN))

    look()
    for order in orders:
        page.evaluate("order => pbem.page.order(order)", order)
        look()
        found.update(page.evaluate(CLICKED))
        look()
    for button in ("add-press", "add-line", "stop_if.add", "line.1.when.add", "stop_if.add"):
        page.evaluate("id => document.getElementById(id)?.click()", button)
    look()
    for order in orders:
        page.evaluate("order => pbem.page.order(order)", order)
        look()
    found.update(page.evaluate(CLICKED))
    look()
    return found


def identifiers(labels: Iterable[str], names: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the labels in which something stands as only programs call it, with what it is.

    Args:
        labels: Labels of a page.
        names: What has a name, by id.
    """
    ids = {one for one, name in names.items() if one != name and not one.isdecimal()}
    found = {}
    for label in labels:
        words = re.findall(r"[\w'.-]*\w", label)
        bad = [word for word in words if "_" in word or word in ids]
        if bad:
            found[label] = bad
    return found
