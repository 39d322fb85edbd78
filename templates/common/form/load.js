// Unpacks the page: what zlib packed (RFC 1950) stands there in base64. Until this is done the page says that it is
// opening, so that nobody taps what is about to move. Without this, or where a browser cannot run what comes of it,
// the page shows the position and the form as text.
(async () => {
  /** @type {(id: string) => HTMLElement} */
  const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  let text = "";
  try {
    structuredClone([].findLast(Boolean)); // what browsers learnt last of all that the scripts need
    const packed = Uint8Array.from(atob(at("packed").textContent), (sign) => sign.charCodeAt(0));
    text = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  } finally {
    at("opening")?.remove(); // the browser draws nothing until all of this is done, or has failed
  }
  const [script, style, data, app, dark] = text.split("\0");
  globalThis.pbem = { data: JSON.parse(data) };
  /** @type {(tag: string, content: string) => void} */
  const add = (tag, content) => document.head.append(Object.assign(document.createElement(tag), { textContent: content }));
  add("style", style);
  add("style", dark);
  at("app").innerHTML = app;
  add("script", script);
})();
