// What the order pages say of typed documents, without a browser, beside what the host says: started by
// `python -m tests.browser.documents`, which names the folder with the pages and the documents.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import vm from "node:vm";

const folder = process.env.PBEM_DOCUMENTS;
const rows = (name) => readFileSync(path.join(folder, name), "utf-8").split("\n").filter(Boolean).map((row) => JSON.parse(row));
const SHOWN = 20; // documents of a kind that are printed
const STACK = 4; // rows of an error

// A page as far as it judges: its script without the last line, which draws.
class Page {
  constructor({ script, data }) {
    this.thrown = [];
    // Some games' scripts give the board other titles when they begin; here is none.
    const context = vm.createContext({ structuredClone, TextEncoder, document: { querySelector: () => null, querySelectorAll: () => [] } });
    vm.runInContext(`globalThis.pbem = { data: ${data} };`, context);
    vm.runInContext(script, context);
    this.pbem = context.pbem;
    Object.assign(this.pbem.game, this.pbem.rules());
    for (const [name, work] of Object.entries(this.pbem.game)) if (typeof work === "function") this.pbem.game[name] = this.watched(work);
  }

  // A function of a game's script whose errors are kept: the page goes on without what it would have said.
  watched(work) {
    return (...given) => {
      try {
        return work(...given);
      } catch (error) {
        this.thrown.push(error);
        throw error;
      }
    };
  }

  // What the page says of a text: {verdict, found, isLoose}.
  judged(text) {
    const { pasted, model, yaml } = this.pbem;
    let read;
    try {
      read = pasted.read(text);
    } catch (problem) {
      if (!(problem instanceof yaml.Problem)) throw problem;
      return { verdict: "wrong", found: [problem.text], isLoose: true };
    }
    const { problems, unjudged, isBlank } = model.judge(model.namesAsMeant(model.namesAsText(read.value)));
    const found = isBlank ? [] : problems.map(({ path: at, text: said }) => `${at.join(".")}: ${said}`);
    const verdict = isBlank ? "blank" : found.length ? "wrong" : unjudged.length ? "not judged" : "clean";
    return { verdict, found, isLoose: problems.some(({ kind }) => kind !== "nothing") };
  }

  // The same, with all errors.
  asked(text) {
    this.thrown = [];
    try {
      return { ...this.judged(text), errors: this.thrown };
    } catch (error) {
      return { verdict: "none", found: [], isLoose: false, errors: [error] };
    }
  }
}

// What page and host may never say of the same document.
const NEVER = {
  "uncaught error": ({ errors }) => errors.length > 0,
  "no mistakes, and refused": ({ verdict }, { refused }) => verdict === "clean" && refused,
  "refused, and taken": ({ verdict }, { strict }) => verdict === "wrong" && strict,
  "refused, taken once mended, and not told": ({ verdict, isLoose }, { refused }) => verdict === "wrong" && !refused && !isLoose,
};

const pages = rows("pages.jsonl").map((one) => new Page(one));
const judged = rows("documents.jsonl").map((one) => ({ ...one, page: pages[one.page].asked(one.text) }));
const count = (is) => judged.filter(is).length;

for (const [name, is] of Object.entries(NEVER)) {
  test(`never: ${name}`, () => {
    const found = judged.filter(({ page, host }) => is(page, host));
    const told = found.slice(0, SHOWN).map(({ text, page, host }) =>
      `--- ${name}\n${text}PAGE ${[page.verdict, ...page.found, ...page.errors.map(({ stack }) => stack.split("\n").slice(0, STACK).join("\n"))].join("; ")}\nHOST ${host.words}\n`);
    assert.equal(found.length, 0, `${found.length} of ${judged.length} documents\n${told.join("\n")}`);
  });
}

test("there are documents of each kind", (context) => {
  const kinds = {
    taken: count(({ host }) => !host.refused), refused: count(({ host }) => host.refused),
    clean: count(({ page }) => page.verdict === "clean"), wrong: count(({ page }) => page.verdict === "wrong"),
    "not judged": count(({ page }) => page.verdict === "not judged"),
    "not judged, and refused": count(({ page, host }) => page.verdict === "not judged" && host.refused),
  };
  context.diagnostic(`${judged.length} documents on ${pages.length} pages: ${Object.entries(kinds).map((one) => one.join(" ")).join(", ")}`);
  assert.ok(Math.min(kinds.taken, kinds.refused, kinds.wrong) > judged.length / 10);
  assert.ok(Math.min(kinds.clean, kinds["not judged"]) > judged.length / 50);
});
