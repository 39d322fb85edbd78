// Sending: a mail with everything filled in, the clipboard, a file, or what else the device hands texts to.
import { at, el } from "./dom.js";
import { data } from "./given.js";

const MAIL_LENGTH = 1900; // characters of a mailto link that every mail program takes
let isTooLong = false; // for a link
let toSend = () => "";
/** @type {(text: string) => unknown} */
let told = (text) => text;

// Links to what stands here now; `isWhole`: nothing is wrong or missing.
/** @type {(isWhole?: boolean) => void} */
function draw(isWhole = true) {
  const text = toSend();
  const link = at("mail");
  at("go").href = "#send";
  at("go").classList.toggle("main-button", isWhole);
  if (!data.address) {
    name("Copy or save", isWhole);
    link.hidden = true;
    return;
  }
  link.hidden = false;
  const address = data.address.split("@").map(encodeURIComponent).join("@");
  const whole = `mailto:${address}?subject=${encodeURIComponent(data.subject)}&body=${encodeURIComponent(text.replace(/\n/g, "\r\n")).replaceAll("'", "%27")}`;
  const isLong = whole.length > MAIL_LENGTH;
  link.href = isLong ? `mailto:${address}?subject=${encodeURIComponent(data.subject)}` : whole;
  at("go").href = isLong ? "#send" : link.href;
  name(isLong ? "Copy to send" : "Send by mail", isWhole);
  link.textContent = isLong ? "Open an empty mail" : "Open a mail";
  at("long").hidden = !isLong;
  isTooLong = isLong;
}

// What the button of the bar does.
/** @type {(text: string, isWhole: boolean) => void} */
function name(text, isWhole) {
  at("go").textContent = `${text}${isWhole ? "" : ", as it is"}`;
}

async function copy() {
  const text = toSend();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = at("yaml");
    at("text-fold").open = true; // what is hidden cannot be selected
    const whole = box.value;
    box.value = text;
    box.select();
    document.execCommand("copy");
    box.value = whole;
  }
  told(data.address ? "Copied. Paste it into an answer to the report, or a mail to the game." : "Copied. Paste it into what you send to your moderator.");
}

function save() {
  const link = el("a", { href: URL.createObjectURL(new Blob([toSend()], { type: "text/yaml" })), download: `${data.game}.${data.seat}.yaml` });
  link.click();
  URL.revokeObjectURL(link.href);
  told(`Saved as ${data.game}.${data.seat}.yaml. Send this file ${data.address ? "with an answer to the report" : "to your moderator"}.`);
}

// Hands the orders to another program, where the device can; nothing is said when that was given up.
async function share() {
  try {
    await navigator.share({ title: data.subject, text: toSend() });
    told(`Handed on. Send it ${data.address ? "as a mail" : "to your moderator"} there.`);
  } catch {}
}

// Listens to what sends; `text` returns what is sent, `after` is told what was done.
/** @type {(text: () => string, after: (text: string) => void) => void} */
function listen(text, after) {
  toSend = text;
  told = after;
  at("copy").addEventListener("click", copy);
  at("save").addEventListener("click", save);
  at("share").hidden = !navigator.share;
  at("share").addEventListener("click", share);
  for (const id of /** @type {const} */ (["mail", "go"])) at(id).addEventListener("click", () => at(id).href.startsWith("mailto:") && told("Send it in your mail program. If none opened: Copy, and paste it into an answer to the report."));
  at("go").addEventListener("click", () => isTooLong && copy());
}

export { draw, listen };
