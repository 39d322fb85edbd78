// Luck words and their seal, made on the page. SHA-256 is written out here: many browsers keep theirs from pages that
// are opened from disk.
import { data, dom, parts } from "./kit.js";

const { button, el, labelled } = dom;
const WORD = 2 ** 32;
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
let made = { words: "", seal: "" }; // the page forgets it when it is closed

/** @type {number[]} */
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((one) => n % one)) primes.push(n);
/** @type {(root: number) => number} */
const fraction = (root) => Math.floor((root - Math.floor(root)) * WORD);
const first = primes.slice(0, 8).map((one) => fraction(Math.sqrt(one)));
const rounds = primes.map((one) => fraction(Math.cbrt(one)));
/** @type {(word: number, by: number) => number} */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @type {(text: string) => string} */
function sha256(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const length = bytes.length * 8;
  bytes.push(0x80);
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (let by = 56; by >= 0; by -= 8) bytes.push(Math.floor(length / 2 ** by) % 256);
  const sum = [...first];
  for (let at = 0; at < bytes.length; at += 64) {
    const words = Array.from({ length: 16 }, (_, n) => bytes.slice(at + 4 * n, at + 4 * n + 4).reduce((all, one) => all * 256 + one, 0));
    for (let n = 16; n < 64; n += 1) {
      const [old, near] = [words[n - 15], words[n - 2]];
      const mixed = (turned(old, 7) ^ turned(old, 18) ^ (old >>> 3)) + (turned(near, 17) ^ turned(near, 19) ^ (near >>> 10));
      words.push((words[n - 16] + words[n - 7] + mixed) >>> 0);
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let n = 0; n < 64; n += 1) {
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + rounds[n] + words[n];
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((one, n) => { sum[n] = (sum[n] + one) >>> 0; });
  }
  return sum.map((one) => one.toString(16).padStart(8, "0")).join("");
}

// 160 random bits, as eight groups of letters and digits.
function luckyWords() {
  const random = [...crypto.getRandomValues(new Uint8Array(32))].map((one) => LETTERS[one % 32]);
  return Array.from({ length: 8 }, (_, n) => random.slice(4 * n, 4 * n + 4).join("")).join("-");
}

/** @type {(words: string) => string} */
const sealOf = (words) => sha256(`[${["seal", data.game, data.seat, words].map((one) => JSON.stringify(one)).join(", ")}]`);

parts.seal = {
  sealOf,
  field(id, title, description, value, set) {
    const make = () => {
      const words = luckyWords();
      made = { words, seal: sealOf(words) };
      set(made.seal);
    };
    const kept = value !== undefined && value === made.seal
      ? labelled(`${id}.words`, "Words of the seal: copy them now", el("input", { type: "text", id: `${id}.words`, value: made.words, readonly: true }),
        "Keep them secret, and send them when you are asked to open the seal. They are not in your orders, and this page forgets them.")
      : null;
    return el("div", {},
      labelled(id, title, el("input", { type: "text", id, value: /** @type {string | undefined} */ (value) ?? "", readonly: true }), description),
      button(`${id}.make`, value === undefined ? "Make words and seal" : "Make others", make),
      value === undefined ? null : button(`${id}.drop`, "No seal", () => set(undefined)),
      kept);
  },
};
