// Choices one after another, where the rules list what can follow: the tables are trees, as `Node` in types.d.ts tells.
/** @import { Node } from "./types" */

// Each wish takes the first choice that fits it; `refused` are the places of wishes that nothing can be had for.
/** @type {<More, Wish>(start: Node<More>, wishes: Wish[], fits: (choice: any, wish: Wish) => boolean) => { node: Node<More>, taken: any[], refused: { at: number, why?: number }[] }} */
function walk(start, wishes, fits) {
  let node = start;
  const taken = [], refused = [];
  for (const [at, wish] of wishes.entries()) {
    const found = node.next?.find(([choice]) => fits(choice, wish));
    if (found) {
      taken.push(found[0]);
      node = found[1];
    } else refused.push({ at, why: node.not?.[/** @type {string} */ (/** @type {unknown} */ (wish))] });
  }
  return { node, taken, refused };
}

export { walk };
