// Web of Power, the card game: clicks take cards and put stones; what a turn comes to, the host has tried.
"use strict";
pbem.game = (() => {
  const { view, menus } = pbem.data;
  const { trial } = pbem.model;
  if (!view.me || !view.cards) return {};

  const listed = (value) => (value === undefined || value === null ? [] : [value].flat());
  const steps = (value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]);
  const isCard = (word) => word in view.cards;
  const without = (order, name) => Object.fromEntries(Object.entries(order).filter(([key]) => key !== name));
  const changed = (order, name, entries) => (entries.length ? { ...order, [name]: entries } : without(order, name));

  // The one turn that an order comes to, as it was tried: alternatives give way to the first that works.
  function settled(order) {
    const fixed = { take: [] };
    for (const name of ["use", "pay"]) if (listed(order[name]).length) fixed[name] = listed(order[name]);
    for (const step of steps(order.take)) {
      const words = [step].flat();
      if (!words.every(isCard)) return null;
      const found = words.find((word) => trial({ ...fixed, take: [...fixed.take, word] })?.lines);
      fixed.take.push(found ?? words[0]);
    }
    if (listed(order.also).length) return null;
    const claims = listed(order.claim);
    if (!claims.length) return trial(fixed) ? fixed : null;
    const from = listed(order.from).length ? { from: listed(order.from) } : {};
    for (const card of claims) {
      const turn = { ...fixed, claim: [card], ...from };
      if (!trial(turn)) return null; // it may be free, and then it comes before those that were tried
      if (trial(turn).lines) return turn;
    }
    return null;
  }

  const forecast = (order) => {
    const found = settled(order);
    return found && trial(found).lines ? trial(found).lines : null;
  };

  // What is wrong, where just this turn was tried.
  function problems(order) {
    const plain = { ...order, take: steps(order.take) };
    const found = (trial(order) ?? trial(plain))?.problems;
    if (found || forecast(order)) return found ?? [];
    const [fixed, cards] = [settled(order), together(order)];
    return [...(fixed ? trial(fixed).problems ?? [] : []), ...(cards ? untaken(cards, order) : [])].slice(0, 1);
  }

  // Everything that can be taken was tried, with the law cards that it needs: by the cards in their order.
  const taken = new Map();
  for (const { order, lines } of pbem.data.tried) {
    const key = JSON.stringify(order.take);
    if (lines && order.take) taken.set(key, [...(taken.get(key) ?? []), listed(order.use)]);
  }
  const isTaken = (cards, use) => (taken.get(JSON.stringify(cards)) ?? []).some((needed) => needed.every((law) => use.includes(law)));

  // The cards that an order takes, each the first of its alternatives that can be taken; null where a law card
  // that turns up may help, or where a name stands for many cards.
  function together(order) {
    const use = listed(order.use);
    if (use.some((law) => !view.laws.includes(law))) return null;
    const cards = [];
    for (const step of steps(order.take)) {
      const words = [step].flat();
      if (!words.every(isCard)) return null;
      cards.push(words.find((word) => isTaken([...cards, word], use)) ?? words[0]);
    }
    return cards.length <= 3 ? cards : null;
  }

  function untaken(cards, order) {
    if (isTaken(cards, listed(order.use))) return [];
    const at = cards.findIndex((_, end) => !isTaken(cards.slice(0, end + 1), listed(order.use)));
    const why = at === 0 ? trial({ take: [cards[0]] })?.problems?.[0] : null;
    const text = why?.text ?? `${cards[Math.max(at, 0)]} cannot be taken after ${cards.slice(0, at).join(", ")}`;
    return [{ path: ["take", Math.max(at, 0)], text, hint: why?.hint ?? "" }];
  }

  // A click on a card: take it, or leave it; put a stone on it; give up or move the stone that lies there.
  function places(word, given) {
    const order = given ?? {};
    const take = steps(order.take);
    const out = [];
    const add = (title, note, next) => out.push({ title, note, order: next });
    if (!isCard(word)) return laws(word, order);
    const note = menus.flatMap((menu) => menu.items).find((item) => item.order === word)?.note ?? "";
    if (take.includes(word)) add(`take: leave ${word}`, "", changed(order, "take", take.filter((one) => one !== word)));
    else if (trial({ ...without(without(order, "claim"), "from"), take: [...take, word] })?.lines) add(`take: ${word}`, note, { ...order, take: [...take, word] });
    else if (take.length && trial({ take: [word] })?.lines) add(`take: ${word} instead`, note, { ...order, take: [word] });
    for (const [name, verb] of [["claim", "put a stone on"], ["pay", "pay with the stone on"], ["from", "move the stone from"]]) {
      const menu = menus.find((one) => one.paths.includes(name));
      const entries = listed(order[name]);
      if (entries.includes(word)) add(`${name}: not ${word}`, "", changed(order, name, entries.filter((one) => one !== word)));
      else if (menu?.items.some((item) => item.order === word) && !take.includes(word)) add(`${name}: ${verb} ${word}`, name === "claim" && entries.length ? `else, after ${entries.join(", ")}` : "", { ...order, [name]: [...entries, word] });
    }
    return out;
  }

  function laws(word, order) {
    const menu = menus.find((one) => one.paths.includes("use"));
    const item = menu?.items.find((one) => one.order === word);
    if (!item) return [];
    const used = listed(order.use);
    const next = used.includes(word) ? used.filter((one) => one !== word) : [...used, word];
    return [{ title: used.includes(word) ? `use: keep ${word}` : `use: ${word}`, note: item.note, order: changed(order, "use", next) }];
  }

  return { places, forecast, problems };
})();
