// Unpacks the page: two signs are thirteen bits, and together they are what zlib packed (RFC 1950, 1951). Until this
// runs the page says that it is opening, so that nobody taps what is about to move. Without this, or where a browser
// cannot run what comes of it, the page shows the position and the form as text.
(() => {
  /** @type {(id: string) => HTMLElement} */
  const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  at("opening")?.remove(); // the browser draws nothing until all of this is done, or has failed
  structuredClone([].findLast(Boolean)); // what browsers learnt last of all that the scripts need
  const text = at("packed").textContent.replace(/\s/g, "");
  /** @type {(n: number) => number} */
  const sign = (n) => {
    const code = text.charCodeAt(n) - 33; // of the printable signs, without three
    return code - +(code > 5) - +(code > 27) - +(code > 59);
  };
  /** @type {number[]} */
  const packed = [];
  for (let n = 0, bits = 0, held = 0; n < text.length; n += 2) {
    bits |= sign(n) + sign(n + 1) * 91 << held;
    for (held += 13; held > 7; held -= 8, bits >>>= 8) packed.push(bits & 255);
  }
  /** @type {number[]} */
  const out = [];
  let here = 16; // the next bit, after what zlib begins with
  /** @type {(count: number) => number} */
  const take = (count) => {
    let found = 0;
    for (let n = 0; n < count; n += 1, here += 1) found |= (packed[here >> 3] >> (here & 7) & 1) << n;
    return found;
  };
  // Signs by their codes, each code behind a 1, so that none is lost of a code that begins with 0.
  /** @type {(lengths: number[]) => number[]} */
  const codes = (lengths) => {
    /** @type {number[]} */
    const found = [];
    for (let length = 1, code = 2; length < 16; length += 1, code <<= 1) {
      lengths.forEach((one, sign) => { if (one === length) found[code++] = sign; });
    }
    return found;
  };
  /** @type {(signs: number[]) => number} */
  const next = (signs) => {
    let code = 1;
    while (!(signs[code] >= 0)) code = code << 1 | take(1);
    return signs[code];
  };
  // A length or a distance: steps double after each `many` of them, and further bits say how far in a step.
  /** @type {(code: number, many: number) => number} */
  const far = (code, many) => {
    const more = Math.max(0, Math.floor(code / many) - 1);
    return (more ? many + code % many << more : code) + take(more);
  };
  const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  const tables = () => {
    const [long, wide, count] = [take(5) + 257, take(5) + 1, take(4) + 4];
    const own = Array(19).fill(0);
    for (const one of ORDER.slice(0, count)) own[one] = take(3);
    const how = codes(own);
    /** @type {number[]} */
    const lengths = [];
    while (lengths.length < long + wide) {
      const one = next(how);
      const again = one < 16 ? 1 : one === 16 ? take(2) + 3 : one === 17 ? take(3) + 3 : take(7) + 11;
      lengths.push(...Array(again).fill(one < 16 ? one : one === 16 ? lengths[lengths.length - 1] : 0));
    }
    return [codes(lengths.slice(0, long)), codes(lengths.slice(long))];
  };
  const fixed = () => [codes(Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280)), codes(Array(30).fill(5))];
  for (let isLast = 0; !isLast;) {
    isLast = take(1);
    const kind = take(2);
    if (!kind) { // as it is
      here = (here + 7 & -8) + 32;
      for (let count = packed[(here >> 3) - 4] + 256 * packed[(here >> 3) - 3]; count--;) out.push(take(8));
      continue;
    }
    const [signs, distances] = kind > 1 ? tables() : fixed();
    for (let one = next(signs); one !== 256; one = next(signs)) {
      if (one < 256) out.push(one);
      else {
        let count = one > 284 ? 258 : far(one - 257, 4) + 3;
        const back = far(next(distances), 2) + 1;
        while (count--) out.push(out[out.length - back]);
      }
    }
  }
  const [script, style, data, app, dark] = new TextDecoder().decode(new Uint8Array(out)).split("\0");
  globalThis.pbem = { data: JSON.parse(data) };
  /** @type {(tag: string, content: string) => void} */
  const add = (tag, content) => document.head.append(Object.assign(document.createElement(tag), { textContent: content }));
  add("style", style);
  add("style", dark);
  at("app").innerHTML = app;
  add("script", script);
})();
