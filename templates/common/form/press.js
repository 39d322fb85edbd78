// Messages to other players, and what holds for all orders together.
/** @import { Message } from "./types" */
import * as conditions from "./conditions.js";
import { at, checkbox, el, labelled } from "./dom.js";
import { data } from "./given.js";
import { tools } from "./lines.js";
import { setIn, state } from "./orders.js";
import * as words from "./words.js";

/** @type {(seat: string) => string} */
const seatName = (seat) => `${/^\d+$/.test(seat) ? "Player " : ""}${words.name(seat).replace(/^player /, "")}`;

// One message to other seats.
/** @type {(one: Message, number: number) => HTMLElement} */
function message(one, number) {
  const id = `press.${number}`;
  const readers = [["all", "everybody"], ...data.players.filter(({ seat }) => seat !== data.seat).map(({ seat, name }) => [seat, `${seatName(seat)}: ${name}`]), ["moderator", "the moderator"]];
  const to = [one.to ?? []].flat();
  const boxes = readers.map(([seat, name]) => checkbox(`${id}.to.${seat}`, name, to.includes(seat), (on) => {
    /** @type {(other: string) => boolean} */
    const isBeside = (other) => !on || (other === "all") === (seat === "all"); // all, or some of them
    setIn(one, "to", readers.map(([other]) => other).filter((other) => (other === seat ? on : to.includes(other) && isBeside(other))));
  }));
  const text = el("textarea", { id: `${id}.say`, rows: 3, maxlength: 4000 }, one.say ?? "");
  text.addEventListener("input", () => setIn(one, "say", text.value, true));
  return el("li", { class: "line" }, el("div", { class: "head" }, el("h3", {}, `Message ${number + 1}`), tools(id, `message ${number + 1}`, /** @type {Message[]} */ (state.doc.press), number, () => {
      if (!state.doc.press?.length) delete state.doc.press;
    })),
    el("fieldset", { class: "part" }, el("legend", {}, "To"), boxes), labelled(`${id}.say`, "Text", text),
    checkbox(`${id}.anonymous`, "Anonymous, where the game allows it", one.anonymous === true, (on) => setIn(one, "anonymous", on || undefined)));
}

function flags() {
  const out = [];
  if (data.key_asked) {
    const key = el("input", { type: "text", id: "key", value: state.doc.key ?? "", autocomplete: "off" });
    key.addEventListener("input", () => setIn(state.doc, "key", key.value, true));
    out.push(labelled("key", "Your key", key, "From the moderator; the host takes no orders of this game without it."));
  }
  if (data.deadline || state.doc.wait) out.push(checkbox("wait", "Wait for the deadline: do not run the game early for these orders", state.doc.wait === true, (on) => setIn(state.doc, "wait", on || undefined)));
  out.push(checkbox("partial", "If something is wrong, drop that and take the rest", state.doc.partial === true, (on) => setIn(state.doc, "partial", on || undefined)));
  return out;
}

function draw() {
  at("stop").replaceChildren(conditions.editor("stop_if", "Stop, and ask me, if", () => state.doc.stop_if, (now, isTyped) => setIn(state.doc, "stop_if", now, isTyped), data.draft?.stop ? [data.draft.stop.when] : []));
  at("press").replaceChildren(...(state.doc.press ?? []).map(message));
  at("flags").replaceChildren(...flags());
  const count = state.doc.press?.length ?? 0;
  at("more").textContent = `${count ? `${count} message${count === 1 ? "" : "s"}` : "Messages"} to other players; stop; more`;
}

export { draw };
