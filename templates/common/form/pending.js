// Lines that were sent before and wait already: what is sent now replaces them, and they can be taken over.
/** @import { Line } from "./types" */
import { at } from "./dom.js";
import { data, parts } from "./given.js";
import * as model from "./model.js";
import { isNever, lines, replace, state } from "./orders.js";
import * as words from "./words.js";

const waiting = data.orders.filter((one) => !model.isPast(one));
// Those that can be played after the order that is chosen here for now.
const playable = () => waiting.filter((line) => (parts.tree?.canBe(line) ?? true) && !isNever(line));

function draw() {
  /** @type {(line: Line) => string} */
  const written = ({ at: label_, when, do: order_ }) => model.canonical([label_ ?? "", when ?? {}, order_ ?? null]);
  const here = lines().map(written);
  const alive = playable();
  const areHere = alive.every((one) => here.includes(written(one)));
  at("pending").hidden = areHere && (data.orders.length > 0 || Boolean(state.doc.stop_if) || !Object.keys(data.stop_if).length);
  at("take-over").hidden = !alive.length && !Object.keys(data.stop_if).length;
  const past = data.orders.length - waiting.length;
  const barred = waiting.length - alive.length;
  const told = waiting.length === 1 ? `line that waits: ${words.inShort(waiting[0].do)}` : waiting.length ? `${waiting.length} lines that wait` : "older lines";
  const over = past ? `; ${waiting.length ? `${past} older` : "all"} ${past === 1 && waiting.length ? "one is" : "are"} over` : "";
  at("pending-said").textContent = `What you send now replaces your ${told}${over}.${barred ? ` After what was done or is chosen, ${waiting.length === 1 ? "it" : `${barred} of them`} cannot be played any more.` : ""}`;
}

function listen() {
  at("take-over").addEventListener("click", () => {
    const kept = playable().map(({ at: label_, when, keep, until, if_silent, do: order_ }) => ({
      ...(label_ && { at: label_ }), ...(when && Object.keys(when).length && { when }), ...(until ? { until } : keep && { keep }), ...(if_silent && { if_silent }), do: order_,
    }));
    if (Object.keys(data.stop_if).length) state.doc.stop_if = structuredClone(data.stop_if);
    // The line for now stays to be filled in; else what was taken over is shown.
    const left = lines().filter((line) => !model.isEmpty(line) || (model.isNow(line) && kept.every((one) => one.at !== line.at)));
    replace([...left, ...kept], left.some(model.isEmpty) ? left.findIndex(model.isEmpty) : left.length);
    at("add-line").focus();
  });
}

export { draw, listen };
