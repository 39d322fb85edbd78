// Unpacks the page: two signs are thirteen bits, and together they are what zlib packed. Without this, or where
// a browser cannot do it, the page stays as it is: the position and the form as text.
"use strict";
(async () => {
  const at = (id) => document.getElementById(id);
  const text = at("packed").textContent.replace(/\s/g, "");
  const sign = (n) => {
    const code = text.charCodeAt(n) - 33; // of the printable signs, without three
    return code - (code > 5) - (code > 27) - (code > 59);
  };
  const bytes = [];
  for (let n = 0, bits = 0, held = 0; n < text.length; n += 2) {
    bits |= sign(n) + sign(n + 1) * 91 << held;
    for (held += 13; held > 7; held -= 8, bits >>>= 8) bytes.push(bits & 255);
  }
  const packed = new Blob([new Uint8Array(bytes.slice(0, Number(at("packed").dataset.bytes)))]);
  const whole = await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).text();
  const [script, style, data, app, dark] = whole.split("\0");
  globalThis.pbem = { data: JSON.parse(data) };
  const add = (tag, content) => document.head.append(Object.assign(document.createElement(tag), { textContent: content }));
  add("style", style);
  add("style", dark);
  at("app").innerHTML = app;
  add("script", script);
})();
