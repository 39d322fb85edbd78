// Web of Power: a placement, a preference or a whole standing order comes to one of those that the host has tried.
"use strict";
pbem.game = (() => {
  const { view, hints } = pbem.data;
  const { isMap } = pbem.yaml;
  if (!hints || !view.me) return {};

  const low = (word) => String(word).toLowerCase().trim().replace(/[ -]+/g, "_");
  const listed = (value) => (value === undefined || value === null ? [] : [value].flat());
  const trialOf = (country, pieces) => pbem.model.trial({ place: { country, pieces } });
  const isPossible = (country, pieces) => Boolean(trialOf(country, pieces)?.lines);

  // The plans of an order: countries, and for each piece the words in the order of preference.
  function plansOf(order) {
    return listed(order.place).filter(isMap).map((plan) => {
      const pieces = listed(plan.pieces).map((words) => listed(words).map(low));
      const named = listed(plan.country).map(low);
      const home = pieces.flat().map((word) => hints.home[word]).filter(Boolean).slice(0, 1);
      return { countries: named.length ? named : home, pieces, pay: plan.pay };
    });
  }

  // The pieces that a country takes, each the first of its words that is possible; null if one is not.
  function fitted(country, pieces) {
    const out = [];
    for (const words of pieces) {
      const found = words.find((word) => isPossible(country, [...out, word]));
      if (found === undefined) return null;
      out.push(found);
    }
    return out.length ? out : null;
  }

  const countriesOf = (plan) => plan.countries.flatMap((name) => (name === "any" ? hints.lands : [name]));

  // What an order comes to: {country, pieces}, {card} or null; `unsure` where cards to pay with are named.
  function resolve(order) {
    for (const plan of plansOf(order)) {
      if (plan.pay) return { unsure: true };
      for (const country of countriesOf(plan)) {
        const pieces = fitted(country, plan.pieces);
        if (pieces) return { country, pieces };
      }
    }
    const times = (card) => view.hand.filter((one) => one === card).length;
    for (const name of listed(order.discard).map(low)) {
      if (name === "any" && view.hand.length) return { card: view.hand.reduce((best, one) => (times(one) < times(best) ? one : best)) };
      if (view.hand.includes(name)) return { card: name };
    }
    return null;
  }

  function forecast(order) {
    const act = resolve(order);
    if (!act || act.unsure) return null;
    const said = (act.card ? pbem.model.trial({ discard: act.card }) : trialOf(act.country, act.pieces))?.lines;
    if (!said) return null;
    const plans = plansOf(order);
    const isChoice = plans.length > 1 || plans.some(({ countries }) => countries.length > 1 || countries.includes("any"));
    const first = act.card && plans.length ? ["None of the placements is possible as things stand."]
      : isChoice && !act.card ? ["As things stand, the first placement that is possible is this:"] : [];
    return [...first, ...said.slice(0, -1), drawing(said.at(-1), listed(order.draw).map(low))];
  }

  // The last sentence says what is drawn; the host has tried it without preferences.
  function drawing(last, wanted) {
    const found = /^(.*, and draw )(\d+)( cards?(?:, each)?: )/.exec(last);
    if (!found || !wanted.length) return last;
    const words = { match: "an open card of a type that you hold", pile: "the pile" };
    const ends = view.pile <= Number(found[2]) && wanted.includes("pile") ? "; the pile may run out with it" : "";
    return `${found[1]}${found[2]}${found[3]}${wanted.map((one) => words[one] ?? one).join(", else ")}${ends}.`;
  }

  function problems(order) {
    const unknown = misnamed(order);
    if (unknown.length || resolve(order)) return unknown;
    const out = plansOf(order).map((plan, at) => {
      const path = Array.isArray(order.place) ? ["place", at] : ["place"];
      const why = plan.countries.length === 1 && plan.pieces.length === 1 && plan.pieces[0].length === 1 && trialOf(plan.countries[0], plan.pieces[0])?.problems?.[0];
      return why ? { path: [...path, ...why.path.slice(1)], text: why.text, hint: why.hint } : { path, text: "this placement is not possible now" };
    });
    if (order.discard !== undefined) out.push({ path: ["discard"], text: "no such card is in your hand" });
    return out;
  }

  function misnamed(order) {
    const countries = [...hints.lands, "any"];
    const pieces = ["cloister", "advisor", ...Object.keys(hints.home)];
    return plansOf(order).flatMap((plan, at) => {
      const path = Array.isArray(order.place) ? ["place", at] : ["place"];
      const strange = [...plan.countries.filter((one) => !countries.includes(one)), ...plan.pieces.flat().filter((one) => !pieces.includes(one))];
      return [...(plan.countries.length ? [] : [{ path, text: "it does not say in which country", hint: "Add country: NAME, or name a site." }]),
        ...strange.map((one) => ({ path, text: `there is no ${one} on the map` }))];
    });
  }

  return { forecast, problems };
})();
