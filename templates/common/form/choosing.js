// Choices one after another, where the rules list what can follow: the tables are nets of `Node`, as types.d.ts tells.
import { data } from "./given.js";

/** @typedef {import("./types").Node} Node */

/** @type {(node: Node | number) => Node} */
const nodeOf = (node) => (typeof node === "number" ? data.hints.nodes[node] : node);

/** @type {(choice: any, wish: any) => boolean} */
const same = (choice, wish) => choice === wish;

// Each wish takes the first choice that fits it, or one of several wishes in order of preference. `refused` are those
// that nothing can be had for, with the places of their wishes; `failed` is the first place where nothing is taken.
/** @type {(start: Node | number, wishes: any[], fits?: (choice: any, wish: any) => boolean) => { node: Node, taken: any[], refused: { at: number, one?: any, why?: number }[], failed?: number }} */
function walk(start, wishes, fits = same) {
  const first = nodeOf(start);
  const { most = Infinity, full } = first;
  if (wishes.length > most) return { node: first, taken: [], refused: [{ at: most, why: full }], failed: most };
  let node = first, failed;
  const taken = [], refused = [];
  for (const [at, wish] of wishes.entries()) {
    const before = taken.length;
    for (const one of [wish].flat()) {
      const row = node.next?.find(([choice]) => fits(choice, one));
      if (row) {
        taken.push(row[2] ?? row[0]);
        node = nodeOf(row[1] ?? node);
        if (!row[3]) break;
      } else refused.push({ at, one, why: node.not?.[one] ?? first.not?.[one] });
    }
    if (taken.length === before) failed ??= at;
  }
  return { node, taken, refused, failed };
}

export { walk };
