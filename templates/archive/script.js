"use strict";
// Whether the keys that scroll belong to what has the focus: a report that is wider than the page, or longer.
/** @type {(one: Element) => boolean} */
const isScrolled = (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  const region = target.closest("[tabindex]");
  if (region && isScrolled(region)) return;
  const wanted = /** @type {{ [key: string]: string }} */ ({ ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" })[event.key];
  const link = wanted && /** @type {HTMLElement} */ (document.querySelector(`.steps a[rel="${wanted}"]`));
  if (!link) return;
  event.preventDefault();
  link.click();
});
// For how long a game has waited, as of now: the page itself tells the date, which stays true.
for (const one of /** @type {HTMLTimeElement[]} */ ([...document.querySelectorAll("time[data-ago]")])) {
  const hours = Math.floor((Date.now() - Date.parse(one.dateTime)) / 36e5);
  const [count, unit] = hours < 48 ? [hours, "hour"] : [Math.floor(hours / 24), "day"];
  if (count > 0) one.after(`, for ${count} ${unit}${count === 1 ? "" : "s"}`);
}
const search = document.getElementById("search");
if (search) {
  const names = ["words", "rules", "state", "year", "found"];
  const [words, rules, state, year, found] = /** @type {HTMLInputElement[]} */ (names.map((id) => document.getElementById(id)));
  const games = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".games li[data-rules]")]);
  const look = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    for (const game of games) {
      const text = game.textContent.toLowerCase();
      const { rules: ofRules, state: inState, years } = game.dataset;
      const isOther = (rules.value && ofRules !== rules.value) || (state.value && inState !== state.value) || (year.value && !years?.split(" ").includes(year.value));
      game.hidden = Boolean(isOther) || !wanted.every((word) => text.includes(word));
    }
    for (const part of /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".games")])) part.hidden = !part.querySelector("li[data-rules]:not([hidden])");
    const count = games.filter((game) => !game.hidden).length;
    found.textContent = count === games.length ? "" : `${count} ${count === 1 ? "game" : "games"}`;
  };
  search.hidden = false;
  search.addEventListener("submit", (event) => event.preventDefault());
  words.addEventListener("input", look);
  for (const one of [rules, state, year]) one.addEventListener("change", look);
  look();
}
const who = /** @type {HTMLSelectElement | null} */ (document.getElementById("who"));
if (who) {
  const find = (/** @type {string} */ names) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(names)]);
  const open = find(".turns details[open]");
  const look = () => {
    for (const line of find(".turns p")) line.hidden = Boolean(who.value) && !line.querySelector(`[data-seat="${who.value}"]`);
    for (const turn of find(".turns li")) turn.hidden = !turn.querySelector("p:not([hidden])");
    for (const more of /** @type {HTMLDetailsElement[]} */ (find(".turns details"))) {
      more.open = who.value ? Boolean(more.querySelector("p:not([hidden])")) : open.includes(more);
      more.hidden = Boolean(who.value) && !more.open;
    }
  };
  document.getElementById("filter")?.removeAttribute("hidden");
  who.addEventListener("change", look);
  look();
}
