// What all parts of the page share: the facts of the report, and what the game's own script adds.
"use strict";
globalThis.pbem = { data: JSON.parse(document.getElementById("data").textContent), game: {} };
