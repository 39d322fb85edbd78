// What was done on the page, to be undone and done again; and the draft, which the device keeps until it is sent.
"use strict";
pbem.past = (() => {
  const key = pbem.data.marker;
  const states = [];
  let here = -1;

  // What comes of work with the storage of the device; nothing where there is none.
  function stored(work) {
    try {
      return work(localStorage);
    } catch {
      return null;
    }
  }

  // Notes how the page is now, [text, was it typed], and keeps it; `spot` says where it was typed, and what is typed
  // on there is undone with it. Tells whether the device keeps it.
  function note(state, spot) {
    const last = states[here];
    if (last && last[0] === state[0]) return keep();
    states.length = here + 1;
    if (!last || !spot || last.spot !== spot) here += 1;
    states[here] = Object.assign(state, { spot });
    return here > 0 && keep();
  }

  const keep = () => stored((all) => {
    all.setItem(key, JSON.stringify(states[here]));
    return true;
  });

  // The draft of this ask; those of asks that are over are thrown away.
  const draft = () => stored((all) => {
    const mine = key.split(" ").slice(0, 5).join(" ");
    for (const one of Object.keys(all)) if (one !== key && one.startsWith(`${mine} `)) all.removeItem(one);
    return JSON.parse(all.getItem(key));
  });

  const has = (step) => Boolean(states[here + step]);
  function go(step) {
    here += step;
    delete states[here].spot;
    keep();
    return states[here];
  }

  return { note, draft, has, go, forget: () => stored((all) => all.removeItem(key)) };
})();
