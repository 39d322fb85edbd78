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
const search = document.getElementById("search");
if (search) {
  const [words, rules, year, found] = /** @type {HTMLInputElement[]} */ (["words", "rules", "year", "found"].map((id) => document.getElementById(id)));
  const games = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".games li")]);
  const look = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    for (const game of games) {
      const text = game.textContent.toLowerCase();
      const isOther = (rules.value && game.dataset.rules !== rules.value) || (year.value && !game.dataset.years?.split(" ").includes(year.value));
      game.hidden = isOther || !wanted.every((word) => text.includes(word));
    }
    for (const part of /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".games")])) part.hidden = !part.querySelector("li:not([hidden])");
    const count = games.filter((game) => !game.hidden).length;
    found.textContent = count === games.length ? "" : `${count} ${count === 1 ? "game" : "games"}`;
  };
  search.hidden = false;
  search.addEventListener("submit", (event) => event.preventDefault());
  words.addEventListener("input", look);
  rules.addEventListener("change", look);
  year.addEventListener("change", look);
  look();
}
