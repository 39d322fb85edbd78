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
const dock = one(".dock"), bar = one(".bar"), slider = /** @type {HTMLInputElement} */ (one(".bar input")), told = /** @type {HTMLDetailsElement} */ (one(".told"));
const scores = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".score b")]);
const last = moments.length - 1;
const seats = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".score [data-seat]")]), log = one(".log");
const isStill = matchMedia("(prefers-reduced-motion:reduce)"), isWide = matchMedia("(min-width:64rem)");
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

/** Where the pieces in some parts of the board stand: by what they look like, each with the middle of its box. Signs
    that are no pieces are drawn of what has the class "still".
    @param {Part[]} among @returns {Map<string, [SVGGraphicsElement, number, number][]>} */
function pieces(among) {
  const found = new Map();
  for (const { part } of among) {
    for (const piece of /** @type {SVGGraphicsElement[]} */ ([...(part.matches("use") ? [part] : part.querySelectorAll("use"))])) {
      const { x, y, width, height } = piece.getBoundingClientRect();
      const after = piece.nextElementSibling;
      const look = [piece.getAttribute("href"), piece.getAttribute("fill"), after?.matches("text") ? after.textContent : ""].join();
      if (width && !document.querySelector(piece.getAttribute("href") ?? "")?.matches(".still")) found.set(look, [...found.get(look) ?? [], [piece, x + width / 2, y + height / 2]]);
    }
  }
  return found;
}

/** Show what moved: pieces come from where others like them stood until now; where nothing is to move, they are ringed.
    @param {ReturnType<typeof pieces>} before @param {ReturnType<typeof pieces>} after */
function moved(before, after) {
  for (const [look, now] of after) {
    const is = (/** @type {number[]} */ [x, y], /** @type {unknown[]} */ [, atX, atY]) => Math.abs(x - Number(atX)) + Math.abs(y - Number(atY)) < 1;
    const old = before.get(look) ?? [];
    const gone = old.filter(([, x, y]) => !now.some((one) => is([x, y], one)));
    const come = now.filter(([, x, y]) => !old.some((one) => is([x, y], one)));
    if (come.length > 4) continue; // a whole board that is drawn anew
    for (const [piece, x, y] of come) {
      const from = gone.shift();
      const scale = piece.ownerSVGElement?.getScreenCTM()?.a ?? 1;
      if (isStill.matches) ring(piece);
      else if (from) {
        const way = `${(from[1] - x) / scale}px ${(from[2] - y) / scale}px`;
        const text = piece.nextElementSibling;
        for (const one of text?.matches("text") ? [piece, text] : [piece]) one.animate([{ translate: way }, { translate: "0 0" }], { duration: 350, easing: "ease-in-out" });
      }
    }
  }
}

/** @param {SVGGraphicsElement} piece */
function ring(piece) {
  const svg = piece.ownerSVGElement, box = piece.getBBox(), to = svg?.getScreenCTM()?.inverse().multiply(/** @type {DOMMatrix} */ (piece.getScreenCTM()));
  if (!svg || !to) return;
  const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(to);
  const drawn = document.createElementNS(svg.namespaceURI, "circle");
  for (const [name, value] of Object.entries({ class: "ring", cx: x, cy: y, r: Math.min(30, Math.max(box.width, box.height) / 2 + 5) })) drawn.setAttribute(name, String(value));
  svg.append(drawn);
}

const called = new Map(seats.map((seat) => [seat.querySelector(".who span")?.textContent ?? "", seat]));
const titles = [...called.keys()].filter(Boolean).map((word) => (/ \d+$/.test(word) ? `${word}|${word.toLowerCase()}` : word).replace(/[.*+?^$(){}[\]\\]/g, "\\$&"));
const titled = new RegExp(`\\b(${titles.join("|")})\\b`);

/** Call seats by their players in a line, each in its colour; "player 4" may be written small. @param {Element} line */
function callByNames(line) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of /** @type {Text[]} */ (texts)) {
    const parts = text.data.split(titled).map((part, n) => {
      const seat = n % 2 ? called.get(part[0].toUpperCase() + part.slice(1)) : undefined;
      if (!seat) return part;
      const name = Object.assign(document.createElement("span"), { className: "by", textContent: seat.querySelector("small")?.textContent || part });
      name.dataset.seat = seat.dataset.seat;
      return name;
    });
    if (parts.length > 1) text.replaceWith(...parts);
  }
}

/** Show a moment. @param {number} at @param {boolean} [keep] leave the address as it is */
function show(at, keep = false) {
  const before = shown;
  shown = Math.max(0, Math.min(last, at));
  const isAt = (/** @type {Part} */ { since, until }, /** @type {number} */ moment) => since <= moment && moment < until;
  const isStep = Math.abs(shown - before) === 1;
  const old = isStep ? pieces(parts.filter((part) => isAt(part, before) && !isAt(part, shown))) : new Map();
  for (const piece of document.querySelectorAll(".ring")) piece.remove();
  for (const one of parts) {
    one.part.classList.toggle("o", !isAt(one, shown));
    one.part.classList.toggle("f", isStep && isAt(one, shown) && !isAt(one, before));
  }
  if (isStep) moved(old, pieces(parts.filter((part) => isAt(part, shown) && !isAt(part, before))));
  for (const moment of moments) moment.toggleAttribute("aria-current", false);
  const here = moments[shown];
  here.setAttribute("aria-current", "step");
  const turn = `Turn ${turnOf(shown)}: ${here.querySelector("h3")?.textContent?.trim() ?? ""} `, count = `(${shown + 1} of ${moments.length})`;
  one(".where").replaceChildren(turn, Object.assign(document.createElement("small"), { textContent: count }));
  callByNames(one(".where"));
  const happened = [...here.querySelectorAll(":scope > p:not(.walk)")].map((line) => line.cloneNode(true));
  const now = one(".now");
  now.replaceChildren(...happened);
  now.scrollTop = 0;
  now.classList.toggle("more", now.scrollHeight > now.clientHeight + 1);
  toMove();
  const counted = moments.slice(0, shown + 1).findLast((moment) => moment.dataset.points)?.dataset.points?.split(" ") ?? [];
  const most = Math.max(...counted.filter(Boolean).map(Number)), isLed = counted.some((points) => points && Number(points) < most);
  scores.forEach((score, n) => {
    score.textContent = counted[n] ?? "";
    score.parentElement?.classList.toggle("leads", isLed && Number(counted[n]) === most);
  });
  follow();
  slider.value = String(shown);
  slider.setAttribute("aria-valuetext", turn + count);
  for (const [name, off] of /** @type {[string, boolean][]} */ ([["first", !shown], ["back", !shown], ["turn-back", turnOf(shown) === turnOf(0)], ["on", shown === last], ["last", shown === last], ["turn-on", turnOf(shown) === turnOf(last)]])) {
    /** @type {HTMLButtonElement} */ (one(`[data-go="${name}"]`)).disabled = off;
  }
  if (!keep) history.replaceState(null, "", `#${here.id}`);
  for (const link of /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".eyes a")])) link.hash = `#${here.id}`;
  if (told.open) tell();
  tip("");
}

/** Show what happened then in the middle of the moves beside the board, or its beginning where it is long. */
function follow() {
  const here = moments[shown];
  if (isWide.matches) log.scrollTop = here.offsetTop - Math.max(turns[0].offsetHeight, (log.clientHeight - here.offsetHeight) / 2);
}

/** Say who is to move then: who is asked in the moment after, and at the end how the game stands. */
function toMove() {
  const next = one(".next"), asked = shown < last ? [moments[shown + 1].dataset.seat ?? ""] : next.dataset.asked?.split(" ") ?? [];
  const movers = seats.filter((seat) => asked.length === 1 && seat.dataset.seat === asked[0]);
  for (const seat of seats) seat.ariaCurrent = movers.includes(seat) ? "true" : null;
  next.textContent = shown === last ? next.dataset.last ?? "" : movers.map((seat) => `${seat.querySelector(".who span")?.textContent} to move`).join("");
  callByNames(next);
}

/** Say what a thing on the board is. @param {string} words */
function tip(words) {
  const said = document.querySelector(".tip");
  if (said) Object.assign(said, { textContent: words, hidden: !words });
}

/** Tell the style how much room the board has: on a wide screen all below the heading, else what the sentence and the bar leave. */
function settle() {
  const replay = one(".replay"), top = replay.getBoundingClientRect().top + scrollY;
  const room = isWide.matches ? innerHeight - top - 16 : innerHeight - top - one(".head").offsetHeight - dock.offsetHeight;
  replay.style.setProperty("--room", `${Math.max(room, 0)}px`);
  // Where the width of a wide screen ends the board before its height does, the sentence and the bar stand below it.
  const isLow = isWide.matches && room - one(".board").offsetHeight > 200;
  replay.classList.toggle("low", isLow);
  one(isLow ? ".left" : ".panel").append(dock);
  // Where a telephone has no room for both, the board is whole first, and the points stand below the sentence and the buttons.
  replay.classList.remove("tight");
  replay.classList.toggle("tight", one(".board").offsetHeight > innerHeight - top - one(".head").offsetHeight - dock.offsetHeight);
}

/** Show the page from its top: an address leads to the move that it names, within the panel too. */
function toTop() {
  window.scrollTo(0, 0);
  one(".panel").scrollTop = 0;
}

/** Beside the board the moves stand open, and what signs mean where there is room; below it they are folded. */
function unfold() {
  const panel = one(".panel"), signs = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".signs"));
  /** @type {HTMLDetailsElement} */ (one(".moves")).open = isWide.matches;
  if (!signs) return;
  signs.open = isWide.matches;
  if (panel.scrollHeight > panel.clientHeight) signs.open = false;
}

/** Where the panel is too low for all, the moves stand before what else there is: where one is now stays in sight. */
function fit() {
  const panel = one(".panel");
  panel.classList.remove("full");
  panel.classList.toggle("full", panel.scrollHeight > panel.clientHeight);
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
  one(".said").setAttribute("aria-live", wasPlaying ? "polite" : "off");
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
one(".replay").addEventListener("touchstart", (event) => { touched = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : undefined; }, { passive: true });
one(".replay").addEventListener("touchend", (event) => {
  const from = touched, to = event.changedTouches[0];
  if (!from || /** @type {HTMLElement} */ (event.target).closest(".bar, .log")) return;
  const by = to.clientX - from[0];
  if (Math.abs(by) > 40 && Math.abs(by) > 2 * Math.abs(to.clientY - from[1])) show(shown + (by < 0 ? 1 : -1));
});
document.querySelector(".board")?.addEventListener("click", (event) => {
  tip(/** @type {Element} */ (event.target).closest("g:has(> title)")?.querySelector(":scope > title")?.textContent ?? "");
});
log.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target), at = moments.findIndex((moment) => moment.contains(target));
  if (at >= 0 && !target.closest("a, .log details")) show(at);
});
isWide.addEventListener("change", unfold);
window.addEventListener("resize", () => { settle(); fit(); follow(); });
window.addEventListener("hashchange", () => {
  const at = momentOf(location.hash);
  if (at < 0) return;
  show(at, true);
  toTop();
});
if (moments.length) {
  root.classList.add("live");
  dock.hidden = told.hidden = false;
  const at = momentOf(location.hash);
  history.scrollRestoration = "manual";
  for (const line of document.querySelectorAll(".log li > p:not(.walk)")) callByNames(line);
  settle();
  unfold();
  fit();
  show(at >= 0 ? at : 0, at < 0);
  settle();
  window.addEventListener("load", () => requestAnimationFrame(toTop));
}
