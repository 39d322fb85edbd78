// Unpacks the page: five signs are four bytes, and together they are what zlib packed. Without this, or where
// a browser cannot do it, the page stays as it is: the position and the form as text.
"use strict";
(async () => {
  const at = (id) => document.getElementById(id);
  const text = at("packed").textContent.replace(/\s/g, "");
  const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
  const words = new DataView(new ArrayBuffer(text.length / 5 * 4));
  for (let n = 0; n < text.length; n += 5) {
    let word = 0;
    for (let m = n; m < n + 5; m++) word = word * 85 + signs.indexOf(text[m]);
    words.setUint32(n / 5 * 4, word);
  }
  const packed = new Blob([new Uint8Array(words.buffer, 0, Number(at("packed").dataset.bytes))]);
  const whole = await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).text();
  const [style, script, app, data] = whole.split("\0");
  globalThis.pbem = { data: JSON.parse(data), game: {} };
  const add = (tag, content) => document.head.append(Object.assign(document.createElement(tag), { textContent: content }));
  add("style", style);
  at("app").innerHTML = app;
  add("script", script);
})();
