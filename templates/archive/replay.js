"use strict";
// The replay: one number, the moment that is shown; the board, the log, the bar and the address follow it.
/** @typedef {{ part: HTMLElement | SVGElement, since: number, until: number }} Part */
const root = document.documentElement;
/** @type {<T extends HTMLElement>(selector: string) => T} */
const one = (selector) => /** @type {any} */ (document.querySelector(selector));
const moments = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".log li")]);
const turns = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".log h2")]);
/** @type {Part[]} */
const parts = /** @type {SVGElement[]} */ ([...document.querySelectorAll(".board .x")]).map((part) => {
  const read = (/** @type {string} */ name) => part.style.getPropertyValue(name);
  return { part, since: Number(read("--a")), until: Number(read("--b") || Infinity) };
});
const bar = one(".bar"), slider = /** @type {HTMLInputElement} */ (one(".bar input")), told = /** @type {HTMLDetailsElement} */ (one(".told"));
const last = moments.length - 1;
let shown = 0;
/** @type {number | undefined} */
let playing;

/** The turn of a moment: the heading that stands before it. @param {number} at */
const turnOf = (at) => Number(moments[at].id.slice(1).split("-")[0]);
/** The moment that an address names: one of its own, or the end of a turn. @param {string} hash */
function momentOf(hash) {
  const id = hash.slice(1);
  const own = moments.findIndex((moment) => moment.id === id);
  if (own >= 0 || !/^t\d+$/.test(id)) return own;
  return moments.findLastIndex((moment) => moment.id.startsWith(`${id}-`));
}

/** Show a moment. @param {number} at @param {boolean} [keep] leave the address as it is */
function show(at, keep = false) {
  const before = shown;
  shown = Math.max(0, Math.min(last, at));
  for (const { part, since, until } of parts) {
    part.classList.toggle("o", shown < since || shown >= until);
    part.classList.toggle("f", shown === since && shown === before + 1);
  }
  for (const moment of moments) moment.toggleAttribute("aria-current", false);
  const here = moments[shown];
  here.setAttribute("aria-current", "step");
  for (const heading of turns) heading.classList.toggle("here", heading.id === `t${turnOf(shown)}`);
  const log = one(".log");
  log.scrollTop = shown === 0 ? 0 : here.offsetTop - log.clientHeight / 3;
  const words = `Turn ${turnOf(shown)}: ${here.querySelector("h3")?.textContent?.trim() ?? ""} (${shown + 1} of ${moments.length})`;
  one(".where").textContent = words;
  slider.value = String(shown);
  slider.setAttribute("aria-valuetext", words);
  for (const [name, off] of /** @type {[string, boolean][]} */ ([["first", !shown], ["back", !shown], ["turn-back", turnOf(shown) === turnOf(0)], ["on", shown === last], ["last", shown === last], ["turn-on", turnOf(shown) === turnOf(last)]])) {
    /** @type {HTMLButtonElement} */ (one(`[data-go="${name}"]`)).disabled = off;
  }
  if (!keep) history.replaceState(null, "", `#${here.id}`);
  for (const link of /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".eyes a")])) link.hash = `#${here.id}`;
  if (told.open) tell();
}

/** List what stands on the board, in the words that a pointer would be shown. */
function tell() {
  const hidden = (/** @type {Element} */ title) => title.closest(".o");
  const titles = [...document.querySelectorAll(".board svg title")].filter((title) => !hidden(title));
  one(".told ul").replaceChildren(...titles.map((title) => Object.assign(document.createElement("li"), { textContent: title.textContent })));
}

/** Go to the last moment of the turn before or after. @param {number} by */
function turn(by) {
  const ids = turns.map((heading) => momentOf(`#${heading.id}`));
  show(by > 0 ? ids.find((at) => at > shown) ?? last : ids.findLast((at) => turnOf(at) < turnOf(shown)) ?? 0);
}

function play() {
  const button = one('[data-go="play"]');
  const wasPlaying = playing !== undefined;
  clearInterval(playing);
  playing = undefined;
  if (!wasPlaying) {
    if (shown === last) show(0);
    playing = window.setInterval(() => (shown === last ? play() : show(shown + 1)), Number(/** @type {HTMLSelectElement} */ (one(".bar select")).value));
  }
  one(".where").setAttribute("aria-live", wasPlaying ? "polite" : "off");
  button.setAttribute("aria-label", wasPlaying ? "Play" : "Pause");
  button.querySelector("path")?.setAttribute("d", wasPlaying ? "M4 2v16L17 10z" : "M4 3h4v14H4zM12 3h4v14h-4z");
}

/** @type {Record<string, () => void>} */
const go = {
  first: () => show(0),
  "turn-back": () => turn(-1),
  back: () => show(shown - 1),
  play,
  on: () => show(shown + 1),
  "turn-on": () => turn(1),
  last: () => show(last),
};
/** @type {Record<string, string>} */
const keys = { Home: "first", End: "last", ArrowLeft: "back", ArrowRight: "on", " ": "play" };

bar.addEventListener("click", (event) => {
  const name = /** @type {HTMLElement} */ (event.target).closest("button")?.dataset.go;
  if (name) go[name]();
});
slider.addEventListener("input", () => show(Number(slider.value)));
one(".bar select").addEventListener("change", () => { if (playing !== undefined) { play(); play(); } });
told.addEventListener("toggle", () => { if (told.open) tell(); });
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const name = keys[event.key];
  if (!name || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  if (event.key === " " && target.closest("button, a, summary")) return;
  event.preventDefault();
  const far = event.shiftKey ? { back: "turn-back", on: "turn-on" }[name] : undefined;
  go[far ?? name]();
});
/** @type {[number, number] | undefined} */
let touched;
one(".stage").addEventListener("touchstart", (event) => { touched = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : undefined; }, { passive: true });
one(".stage").addEventListener("touchend", (event) => {
  const from = touched, to = event.changedTouches[0];
  if (!from || /** @type {HTMLElement} */ (event.target).closest(".bar")) return;
  const by = to.clientX - from[0];
  if (Math.abs(by) > 40 && Math.abs(by) > 2 * Math.abs(to.clientY - from[1])) show(shown + (by < 0 ? 1 : -1));
});
window.addEventListener("hashchange", () => { const at = momentOf(location.hash); if (at >= 0) show(at, true); });
if (moments.length) {
  root.classList.add("live");
  bar.hidden = told.hidden = false;
  const at = momentOf(location.hash);
  history.scrollRestoration = "manual";
  show(at >= 0 ? at : 0, at < 0);
  window.addEventListener("load", () => requestAnimationFrame(() => window.scrollTo(0, 0)));
}
