// Choices one after another, where the rules list what can follow: the tables are trees, as `Node` in types.d.ts tells.

// Each wish takes the first choice that fits it; `refused` are the places of wishes that nothing can be had for.
/** @type {(start: import("./types").Node, wishes: any[], fits: (choice: any, wish: any) => boolean) => { node: import("./types").Node, taken: any[], refused: { at: number, why?: number }[] }} */
function walk(start, wishes, fits) {
  let node = start;
  const taken = [], refused = [];
  for (const [at, wish] of wishes.entries()) {
    const found = node.next?.find(([choice]) => fits(choice, wish));
    if (found) {
      taken.push(found[0]);
      node = found[1];
    } else refused.push({ at, why: node.not?.[wish] });
  }
  return { node, taken, refused };
}

export { walk };
