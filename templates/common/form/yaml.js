// The small, strict part of YAML that orders are written in: read with the place of every value, and written.
// The host reads by the same rules. What this page cannot read is told with its place, and is the host's to judge.
/** @import { Fields, Path, Place, Read } from "./types" */
const MAX_DEPTH = 12;
const MAX_KEY = 64;
const MAX_NODES = 5000;
const MAX_BYTES = 64 * 1024;
const WORDS = new Map([["", null], ["~", null], ["null", null], ["true", true], ["false", false]]);
const INTEGER = /^-?(?:0|[1-9][0-9]{0,17})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]*)\.[0-9]+$/;
const QUOTE_IT = "If it is part of a text, put the whole text in quotes.";
const ONE_COLUMN = "Entries of one list or mapping start in the same column; what belongs to an entry stands deeper.";
/** @type {{ [sign: string]: string }} */
const SIGNS = {
  "*": 'a "*" here means a reference, which is not allowed', "&": 'an "&" here names a value for reuse, which is not allowed',
  "!": 'a "!" here means a type tag, which is not allowed',
};
const ODD_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const FORBIDDEN = new RegExp(
  "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\xad\\u200b\\u2060-\\u2064\\ufeff\\ufff9-\\ufffb" +
  "\\u{e0000}-\\u{e007f}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2065-\\u206f\\ud800-\\udfff\\ue000-\\uf8ff" +
  "\\ufdd0-\\ufdef\\ufffe\\uffff\\u{f0000}-\\u{10ffff}]", "u");

// A text that cannot be read here: place from 1, columns in characters.
class Problem extends Error {
  /** @param {string} text @param {number} line @param {number} column */
  constructor(text, line, column, hint = "") {
    super(text);
    this.text = text;
    this.hint = hint;
    this.line = line;
    this.column = column;
  }
}

/** @type {(value: unknown) => value is Fields} */
const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(path: Path) => string} */
const keyOf = (path) => JSON.stringify(path);

/** @type {(text: string) => unknown} */
function plainValue(text) {
  if (WORDS.has(text)) return WORDS.get(text);
  if (INTEGER.test(text)) {
    const number = Number(text);
    if (!Number.isSafeInteger(number)) throw new RangeError("this number is too long for this page");
    return number;
  }
  if (DECIMAL.test(text)) {
    const number = Number(text);
    return Number.isFinite(number) ? number : text;
  }
  return text;
}

/** @type {(text: string) => string} */
function clean(text) {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const bad = FORBIDDEN.exec(plain);
  if (bad) {
    const before = plain.slice(0, bad.index);
    const line = before.split("\n").length;
    const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
    const code = (/** @type {number} */ (bad[0].codePointAt(0))).toString(16).toUpperCase().padStart(4, "0");
    throw new Problem(`the character U+${code} is not allowed, as it may hide or change what others read`,
      line, column);
  }
  if (new TextEncoder().encode(plain).length > MAX_BYTES) throw new Problem("this text is too long", 1, 1);
  return plain.replace(ODD_SPACE, " ");
}

// Reads one document, character by character, with the indentation that each block must keep to.
class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.nodes = 0;
    /** @type {Map<string, Place>} */
    this.marks = new Map();
    /** @type {Map<string, Place>} */
    this.keys = new Map();
    this.starts = [0];
    for (let i = 0; i < text.length; i++) if (text[i] === "\n") this.starts.push(i + 1);
  }

  /** @type {(text: string, at?: number, hint?: string) => never} */
  fail(text, at = this.at, hint = "") {
    const { line, column } = this.place(at);
    throw new Problem(text, line, column, hint);
  }

  /** @type {(at: number) => Place} */
  place(at) {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: [...this.text.slice(this.starts[low], at)].length + 1 };
  }

  column() {
    return this.at - (this.text.lastIndexOf("\n", this.at - 1) + 1);
  }

  /** @type {(path: Path, at: number) => void} */
  count(path, at) {
    this.nodes += 1;
    if (this.nodes > MAX_NODES) this.fail(`there are more than ${MAX_NODES} values up to here`, at);
    if (path.length > MAX_DEPTH) this.fail(`more than ${MAX_DEPTH} lists and mappings stand within each other`, at);
    this.marks.set(keyOf(path), this.place(at));
  }

  // Spaces within a line, and a comment that ends it.
  blanks() {
    while (this.text[this.at] === " ") this.at += 1;
    const before = this.text[this.at - 1];
    if (this.text[this.at] === "#" && (before === undefined || before === " " || before === "\n")) {
      while (this.at < this.text.length && this.text[this.at] !== "\n") this.at += 1;
    }
  }

  // To the next thing that is no comment, over lines.
  skip() {
    for (;;) {
      this.blanks();
      if (this.text[this.at] !== "\n") return;
      this.at += 1;
    }
  }

  document() {
    this.skip();
    if (this.text.startsWith("---", this.at) && this.column() === 0 && /[ \n]|$/.test(this.text[this.at + 3] ?? "")) {
      this.at += 3;
      this.skip();
    }
    if (this.at >= this.text.length) this.fail("there is nothing here", 0);
    if (this.text[this.at] === "%") this.fail('a line that begins with "%" is not allowed', this.at, "Delete the line.");
    const value = this.node(0, [], false);
    this.skip();
    if (this.text.startsWith("...", this.at) && this.column() === 0) {
      this.at += 3;
      this.skip();
    }
    if (this.at < this.text.length) this.misplaced("this stands after the end of what was begun above");
    return value;
  }

  // A value whose first character is the present one, of a block indented by at least `indent`.
  /** @type {(indent: number, path: Path, inLine: boolean) => unknown} */
  node(indent, path, inLine) {
    const start = this.at;
    const column = this.column();
    if (this.isDash()) {
      if (inLine) this.fail('a list entry ("- ") cannot start here', this.at, "Start the list on the next line, or write [a, b].");
      return this.list(column, path);
    }
    if (this.text[this.at] === "|" || this.text[this.at] === ">") return this.block(indent, path);
    if (!inLine && this.isKey()) return this.mapping(column, path);
    this.count(path, start);
    const value = this.flowValue(path, false, indent);
    return value;
  }

  isDash() {
    return this.text[this.at] === "-" && /^[ \n]?$/.test(this.text[this.at + 1] ?? "");
  }

  // Whether a key and its colon stand here, in one line.
  isKey() {
    const end = this.text.indexOf("\n", this.at);
    const line = this.text.slice(this.at, end < 0 ? undefined : end);
    if (line[0] === '"') return /^"(?:[^"\\]|\\.)*" *:(?: |$)/.test(line);
    if (line[0] === "'") return /^'(?:[^']|'')*' *:(?: |$)/.test(line);
    if (/^[[{]/.test(line)) return false;
    const colon = line.search(/:(?: |$)/);
    const comment = line.search(/ #/);
    return colon >= 0 && (comment < 0 || colon < comment);
  }

  /** @type {(column: number, path: Path) => unknown[]} */
  list(column, path) {
    this.count(path, this.at);
    /** @type {unknown[]} */
    const out = [];
    while (this.at < this.text.length && this.column() === column && this.isDash()) {
      const below = [...path, out.length];
      const dash = this.at;
      this.at += 1;
      this.blanks();
      if (this.text[this.at] === "\n" || this.at >= this.text.length) {
        const end = this.at;
        this.skip();
        if (this.at < this.text.length && this.column() > column) out.push(this.node(column + 1, below, false));
        else {
          this.count(below, Math.min(end, dash + 1));
          out.push(null);
        }
      } else out.push(this.node(column + 1, below, false));
      this.skip();
    }
    this.endOfBlock(column);
    return out;
  }

  /** @type {(column: number, path: Path) => Fields} */
  mapping(column, path) {
    this.count(path, this.at);
    const out = Object.create(null);
    while (this.at < this.text.length && this.column() === column && !this.isDash() && this.isKey()) {
      const start = this.at;
      const key = this.key(false);
      this.claim(key, path, start);
      const below = [...path, key];
      const colon = this.at;
      this.blanks();
      if (this.text[this.at] === "\n" || this.at >= this.text.length) {
        this.skip();
        const deeper = this.column() > column || (this.column() === column && this.isDash());
        if (this.at < this.text.length && deeper) out[key] = this.node(column + 1, below, false);
        else {
          this.count(below, colon);
          out[key] = null;
        }
      } else out[key] = this.node(column + 1, below, true);
      this.skip();
    }
    this.endOfBlock(column);
    return out;
  }

  /** @type {(column: number) => void} */
  endOfBlock(column) {
    if (this.at < this.text.length && this.column() > column) {
      this.misplaced("this line is indented to a column where nothing above it starts");
    }
    if (this.at < this.text.length && this.column() === column && column > 0 && !this.isKey() && !this.isDash()) {
      this.noColon(this.at);
    }
  }

  // A line that fits nothing above it: the line before may lack a space, or have its value already.
  /** @type {(text: string) => never} */
  misplaced(text) {
    const above = this.text.slice(0, this.at).trimEnd();
    const start = above.lastIndexOf("\n") + 1;
    const found = /^ *(?:- +)*([^\s:#'"[{]+):(?=\S)/.exec(above.slice(start));
    if (found) this.glued(found[1], start + found[0].length - 1);
    if (/^[\]}]/.test(this.text.slice(this.at))) this.noOpening();
    if (this.isDash()) this.fail('a list entry ("- ") stands where a key is expected', this.at, ONE_COLUMN);
    this.fail(this.isKey() && /[^\]}"':|>-]$/.test(above) ? "this line does not fit the line above, which already has its value" : text, this.at, ONE_COLUMN);
  }

  /** @type {() => never} */
  noOpening() {
    this.fail(`there is no opening bracket for this "${this.text[this.at]}"`, this.at, `Delete it. ${QUOTE_IT}`);
  }

  /** @type {(start: number) => never} */
  noColon(start) {
    const words = this.text.slice(start).split("\n", 1)[0].trimEnd();
    this.fail(`there is no colon after "${words.length <= 30 ? words : `${words.slice(0, 29)}…`}"`, start, "Write a word, a colon and a space before it, or indent it if it belongs to the line above.");
  }

  /** @type {(key: string, at: number) => never} */
  glued(key, at) {
    this.fail(`there is no space after the colon of "${key}"`, at, `Write a space after the colon, as in ${key}: value.`);
  }

  // What was opened here is never closed; the text ends inside it, or runs on in another line.
  /** @type {(sign: string, start: number, runsOn?: boolean) => never} */
  notClosed(sign, start, runsOn = false) {
    const before = this.text.slice(this.text.lastIndexOf("\n", start) + 1, start + 1);
    const isInList = !runsOn && before.split("[").length > before.split("]").length;
    this.fail(`the "${sign}" that opens here is never closed${isInList ? ", and the text ends inside a list: more may have followed" : ""}`, start, `Close it with "${sign === "[" ? "]" : "}"}".`);
  }

  /** @type {(sign: string, start: number) => never} */
  noComma(sign, start) {
    const runsOn = this.text[this.at] === ":" && this.text.slice(start, this.at).includes("\n");
    if (!this.text.slice(this.at).trim() || runsOn) this.notClosed(this.text[start], start, runsOn);
    const { line, column } = this.place(start);
    this.fail(`a comma or the "${sign}" is missing before this; its "${this.text[start]}" is at ${line}:${column}`, this.at, `Put a comma between entries. ${QUOTE_IT}`);
  }

  /** @type {(inFlow: boolean) => string} */
  key(inFlow) {
    const start = this.at;
    let key;
    if (this.text[this.at] === '"' || this.text[this.at] === "'") key = this.quoted();
    else {
      key = this.plain(inFlow, true);
      if (key === "<<") this.fail('the merge key "<<" is not allowed', start);
      if (key === "") this.fail("a key must be a simple word", start, "Write one word before the colon.");
      if (/^[^:]*:[[{"']/.test(key)) this.glued(key.slice(0, key.indexOf(":")), start + key.indexOf(":"));
    }
    if (key.length > MAX_KEY) this.fail(`a key of ${key.length} characters is too long`, start);
    while (this.text[this.at] === " ") this.at += 1;
    const glued = /^([^\s:]+):\S/.exec(key);
    if (this.text[this.at] !== ":" && glued) this.glued(glued[1], start + glued[1].length);
    if (this.text[this.at] !== ":") this.noColon(start);
    this.at += 1;
    return key;
  }

  /** @type {(key: string, path: Path, at: number) => void} */
  claim(key, path, at) {
    this.nodes += 1;
    const child = keyOf([...path, key]);
    if (this.keys.has(child)) this.fail(`the key "${key}" is already in line ${/** @type {Place} */ (this.keys.get(child)).line}`, at);
    this.keys.set(child, this.place(at));
  }

  // A value in one go: a list or mapping in brackets, a quoted text, or a word.
  /** @type {(path: Path, inFlow: boolean, indent: number) => unknown} */
  flowValue(path, inFlow, indent) {
    const first = this.text[this.at];
    const start = this.at;
    if (first === "[" || first === "{") {
      const value = first === "[" ? this.flowList(path) : this.flowMapping(path);
      if (!inFlow) this.endOfLine();
      return value;
    }
    if (first === '"' || first === "'") {
      const value = this.quoted();
      if (!inFlow) this.endOfLine();
      return value;
    }
    const text = this.plain(inFlow, false);
    if (!inFlow) {
      this.endOfLine();
      this.refuseFolding(indent, path);
    }
    try {
      return plainValue(text);
    } catch (problem) {
      return this.fail(/** @type {Error} */ (problem).message, start);
    }
  }

  endOfLine() {
    this.blanks();
    if (this.at < this.text.length && this.text[this.at] !== "\n") {
      if (/[\]}]/.test(this.text[this.at])) this.noOpening();
      const isQuote = /["'] *$/.test(this.text.slice(0, this.at));
      this.fail(isQuote ? "the text goes on after its closing quote" : "the line goes on after the closing bracket", this.at, QUOTE_IT);
    }
  }

  // A word that goes on in the next line is allowed in YAML; this page leaves it to the host.
  /** @type {(indent: number, path: Path) => void} */
  refuseFolding(indent, path) {
    const back = this.at;
    this.skip();
    if (this.at < this.text.length && path.length && this.column() >= indent && !this.isKey() && !this.isDash()) {
      this.fail("a text without quotes over several lines is not read by this page; put it in quotes");
    }
    this.at = back;
  }

  /** @type {(inFlow: boolean, isKey: boolean) => string} */
  plain(inFlow, isKey) {
    const start = this.at;
    const first = this.text[start];
    if (/[&*!%@`#?:]/.test(first ?? "") && !(first === "?" && /^[ \n]?$/.test(this.text[start + 1] ?? ""))) this.fail(SIGNS[first] ?? `a text cannot begin with "${first}"`, start, QUOTE_IT);
    if (/[\]}|>,]/.test(first ?? "") || (/[?:-]/.test(first ?? "") && /^[ \n]?$/.test(this.text[start + 1] ?? ""))) {
      if (inFlow && /[\]},]/.test(first)) return "";
      if (first === "-" && inFlow) this.fail('a list entry ("- ") cannot stand in brackets', start, "Write [a, b], or one entry a line without brackets.");
      if (inFlow || first === ",") this.fail(`there is nothing before this "${first}"`, start, QUOTE_IT);
      this.fail(`a text cannot begin with "${first}"`, start, QUOTE_IT);
    }
    while (this.at < this.text.length) {
      const one = this.text[this.at];
      const next = this.text[this.at + 1] ?? "";
      if (one === "\n" || (one === "#" && this.text[this.at - 1] === " ")) break;
      if (one === ":" && (/^[ \n]?$/.test(next) || (inFlow && /[,[\]{}]/.test(next)))) break;
      if (inFlow && /[,[\]{}]/.test(one)) break;
      this.at += 1;
    }
    if (!isKey && !inFlow && this.text[this.at] === ":") this.fail("a second colon stands in this line", this.at, 'Put the whole value in quotes, as in say: "Note: hold".');
    let end = this.at;
    while (end > start && this.text[end - 1] === " ") end -= 1;
    return this.text.slice(start, end);
  }

  /** @type {(path: Path) => unknown[]} */
  flowList(path) {
    const out = [];
    const open = this.at;
    this.at += 1;
    for (;;) {
      this.skip();
      if (this.at >= this.text.length) this.notClosed("[", open);
      if (this.text[this.at] === "]") break;
      const below = [...path, out.length];
      this.count(below, this.at);
      const start = this.at;
      const value = this.flowValue(below, true, 0);
      this.skip();
      if (this.text[this.at] === ":") this.fail("a key stands in a list; put it in braces", start);
      if (this.at === start) this.fail("a value is missing here");
      out.push(value);
      if (this.text[this.at] === ",") this.at += 1;
      else if (this.text[this.at] !== "]") this.noComma("]", open);
    }
    this.at += 1;
    return out;
  }

  /** @type {(path: Path) => Fields} */
  flowMapping(path) {
    const out = Object.create(null);
    const open = this.at;
    this.at += 1;
    for (;;) {
      this.skip();
      if (this.at >= this.text.length) this.notClosed("{", open);
      if (this.text[this.at] === "}") break;
      const start = this.at;
      const key = this.key(true);
      this.claim(key, path, start);
      if (!/[ \n]/.test(this.text[this.at] ?? "") && this.text[start] !== '"') {
        this.glued(key, this.at - 1);
      }
      this.skip();
      const below = [...path, key];
      this.count(below, /[,}]/.test(this.text[this.at] ?? "") && this.text[this.at - 1] !== ":" ? start : this.at);
      out[key] = this.flowValue(below, true, 0);
      this.skip();
      if (this.text[this.at] === ",") this.at += 1;
      else if (this.text[this.at] !== "}") this.noComma("}", open);
    }
    this.at += 1;
    return out;
  }

  quoted() {
    const quote = this.text[this.at];
    const start = this.at;
    let out = "";
    for (this.at += 1; ; this.at += 1) {
      const one = this.text[this.at];
      if (one === undefined) this.fail(`this ${quote === '"' ? "double" : "single"} quote is never closed`, start, "Close it at the end of the text.");
      if (one === "\n") {
        out = this.folded(out);
      } else if (one === quote) {
        if (quote === '"' || this.text[this.at + 1] !== "'") break;
        out += "'";
        this.at += 1;
      } else if (one === "\\" && quote === '"') out += this.escape();
      else out += one;
    }
    this.at += 1;
    return out;
  }

  // A quoted text over several lines: one line end is a space, more are that many less one.
  /** @type {(out: string) => string} */
  folded(out) {
    let lines = 0;
    while (/[ \n]/.test(this.text[this.at] ?? "")) {
      if (this.text[this.at] === "\n") lines += 1;
      this.at += 1;
    }
    this.at -= 1;
    return out.replace(/ +$/, "") + (lines === 1 ? " " : "\n".repeat(lines - 1));
  }

  escape() {
    const rest = this.text.slice(this.at + 1, this.at + 10);
    /** @type {{ [sign: string]: string }} */
    const simple = { n: "\n", t: "\t", _: "\u00a0", "/": "/", '"': '"', "\\": "\\", " ": " " };
    const code = /^(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/.exec(rest);
    if (code) {
      const number = parseInt(code[1] ?? code[2] ?? code[3], 16);
      this.at += code[0].length;
      if (number > 0x10ffff || FORBIDDEN.test(String.fromCodePoint(number))) {
        this.fail(`"\\${code[0]}" is not allowed`, this.at - code[0].length);
      }
      return String.fromCodePoint(number);
    }
    if (rest[0] in simple) {
      this.at += 1;
      return simple[rest[0]];
    }
    return this.fail(`"\\${rest[0] ?? ""}" means nothing here; write \\\\ for one backslash`);
  }

  // A text that begins on the next line, after | or >.
  /** @type {(indent: number, path: Path) => string} */
  block(indent, path) {
    const start = this.at;
    this.count(path, start);
    const end = this.text.indexOf("\n", this.at);
    const head = /^([|>])([+-]?)( +#.*)?$/.exec(this.text.slice(this.at, end < 0 ? undefined : end).trimEnd());
    if (!head) return this.fail(`nothing else may stand in the line after "${this.text[start]}"`, this.at, `Start the text on the next line. ${QUOTE_IT}`);
    const lines = [];
    let depth = -1;
    let at = end < 0 ? this.text.length : end + 1;
    while (at < this.text.length) {
      const stop = this.text.indexOf("\n", at);
      const line = this.text.slice(at, stop < 0 ? undefined : stop);
      const spaces = line.length - line.trimStart().length;
      if (line.trim() && depth < 0) depth = spaces;
      if (line.trim() && spaces < Math.max(depth, path.length ? Math.max(indent, 1) : 0)) break;
      if (!line.trim() && depth < 0 && spaces > 0) this.fail("this page cannot tell how far this text is indented", at);
      lines.push(line.slice(Math.max(depth, 0)));
      at = stop < 0 ? this.text.length : stop + 1;
    }
    this.at = at;
    let trailing = 0;
    while (lines.length && lines[lines.length - 1] === "") {
      lines.pop();
      trailing += 1;
    }
    if (head[1] === ">" && lines.some((line) => /^ /.test(line))) {
      this.fail("this page cannot fold lines that are indented further; write | in place of >", start);
    }
    const body = head[1] === "|" ? lines.join("\n") : this.foldLines(lines);
    if (!lines.length) return head[2] === "+" ? "\n".repeat(trailing) : "";
    const endsInLine = at >= this.text.length && !this.text.endsWith("\n") ? "" : "\n";
    if (head[2] === "-") return body;
    return body + endsInLine + (head[2] === "+" ? "\n".repeat(trailing) : "");
  }

  /** @type {(lines: string[]) => string} */
  foldLines(lines) {
    let out = "";
    let blank = 0;
    for (const [number, line] of lines.entries()) {
      if (line === "") blank += 1;
      else {
        if (number) out += blank ? "\n".repeat(blank) : number === blank ? "" : " ";
        out += line;
        blank = 0;
      }
    }
    return out;
  }
}

// The value of a text, with marks: where each value and each key starts, by its path as JSON.
/** @type {(text: string) => Read<unknown>} */
function read(text) {
  const plain = clean(text);
  for (const [number, line] of plain.split("\n").entries()) {
    if (/^ *\t[ \t]*[^ \t]/.test(line)) throw new Problem("this line is indented with a tab", number + 1, 1, "Use spaces to indent.");
  }
  const reader = new Reader(plain.replace(/\t/g, " "));
  const value = reader.document();
  return { value, marks: reader.marks, keys: reader.keys };
}

const PLAIN = /^(?!\p{N})[\p{L}\p{N}_][\p{L}\p{N}_./@+'()-]*(?: [\p{L}\p{N}_./@+()-][\p{L}\p{N}_./@+'()-]*)*$/u;
const PLAIN_KEY = /^(?:0|[1-9][0-9]{0,17})$/;
const MEANT_ELSEWHERE = new Set(["null", "true", "false", "yes", "no", "on", "off", "y", "n"]);

/** @type {(text: string) => string} */
function escapeOddSpaces(text) {
  return text.replace(ODD_SPACE, (odd) => `\\u${odd.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** @type {(text: string, isKey: boolean) => string} */
function writeText(text, isKey) {
  if (PLAIN.test(text) && !MEANT_ELSEWHERE.has(text.toLowerCase())) return text;
  if (isKey && PLAIN_KEY.test(text)) return text;
  return escapeOddSpaces(JSON.stringify(text));
}

// One line of YAML such as {play: N2, hero: true}.
/** @type {(value: unknown) => string} */
function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (isMap(value)) {
    return `{${Object.entries(value).map(([key, entry]) => `${writeText(key, true)}: ${flow(entry)}`).join(", ")}}`;
  }
  return typeof value === "string" ? writeText(value, false) : JSON.stringify(value);
}

/** @type {(text: string) => boolean} */
function isBlockText(text) {
  if (!text.includes("\n") || text[0] === "\n" || text.endsWith("\n\n") || text.includes("\t")) return false;
  return escapeOddSpaces(text) === text && text.split("\n").every((line) => line === line.trim());
}

/** @type {(value: object) => boolean} */
function fitsOneLine(value) {
  const entries = Array.isArray(value) ? value : Object.values(value);
  const isSimple = entries.every((entry) => (typeof entry !== "object" || entry === null) && !String(entry).includes("\n"));
  return isSimple && flow(value).length <= 80;
}

/** @type {(value: object) => string[]} */
function block(value) {
  const lines = [];
  const isList = Array.isArray(value);
  for (const [key, entry] of Object.entries(value)) {
    const head = isList ? "-" : `${writeText(key, true)}:`;
    if (typeof entry === "string" && isBlockText(entry)) {
      lines.push(`${head} ${entry.endsWith("\n") ? "|" : "|-"}`);
      lines.push(...indented(entry.replace(/\n$/, "").split("\n")));
    } else if (typeof entry !== "object" || entry === null || fitsOneLine(entry)) lines.push(`${head} ${flow(entry)}`);
    else if (isList) {
      const [first, ...rest] = block(entry);
      lines.push(`- ${first}`, ...indented(rest));
    } else lines.push(head, ...(Array.isArray(entry) ? block(entry) : indented(block(entry))));
  }
  return lines;
}

/** @type {(lines: string[]) => string[]} */
const indented = (lines) => lines.map((line) => (line ? `  ${line}` : ""));

// Text over several lines that both this page and the host read back to the equal value.
/** @type {(value: unknown) => string} */
function write(value) {
  const isLong = typeof value === "object" && value !== null && Object.keys(value).length;
  return `${(isLong ? block(value) : [flow(value)]).join("\n")}\n`;
}

export { read, write, flow, keyOf, isMap, Problem };
