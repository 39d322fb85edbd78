// Web of Power: a click on the map places pieces; placements, a card to throw away and cards to draw by preference.
// Which placements are possible, and what each brings, comes from the report; here an order is only looked up.
import { data, dom, fields, model, page, words, yaml } from "../../../../templates/common/form/kit.js";

export default () => {
  const { view, hints, menus } = data;
  const { counts, el, button, select, labelled } = dom;
  const { isMap } = yaml;
  const { name: titled, shown, noted: withNote } = words;
  const same = (one, other) => model.canonical(one) === model.canonical(other);
  const ADVISOR = "advisor";
  const CLOISTER = "cloister";
  if (!view.me || !view.places) return {};

  const lands = Object.keys(view.places);
  const home = Object.fromEntries(lands.flatMap((land) => view.places[land].sites.map((site) => [site, land])));
  const cards = Object.keys(view.held);
  const entries = (value) => (value === undefined || value === null ? [] : [value].flat());
  const listed = (items, last = "and") => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`);
  const counted = (items) => listed([...new Set(items)].map((one) => (items.filter((other) => other === one).length > 1 ? `${items.filter((other) => other === one).length} ${one}` : one)));
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

  // Names as names are compared: lower case, one underscore for whatever joins words.
  const plain = (text) => String(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "");
  const known = new Map([...lands, ...Object.keys(home), ...cards, CLOISTER, ADVISOR, "any", "match", "pile"].map((one) => [plain(one), one]));
  for (const land of lands) known.set(plain(view.places[land].name), land);
  const named = (word) => known.get(plain(word)) ?? String(word);
  const names = (words) => entries(words).map(named);
  // A card by its own name or that of a country that it shows.
  const cardNamed = (word) => (cards.includes(named(word)) ? named(word) : view.places[named(word)]?.card ?? named(word));
  const cardNames = (words) => entries(words).map(cardNamed);

  // A placement as it is compared: countries, words for each piece, cards.
  function readPlan(plan) {
    const pieces = entries(isMap(plan) ? plan.pieces : undefined).length ? (Array.isArray(plan.pieces) ? plan.pieces : [plan.pieces]).map(names) : [];
    const given = names(plan?.country);
    const countries = given.length ? given : pieces.flat().filter((one) => one in home).slice(0, 1).map((site) => home[site]);
    return { countries, pieces, pay: plan?.pay === undefined ? null : cardNames(plan.pay) };
  }
  const plansOf = (order) => entries(order?.place).filter(isMap);

  // The placement of just these pieces, in this order, if it is possible; undefined otherwise.
  const actOf = (country, pieces) => hints?.acts.find((act) => act.country === country && act.pieces.some((one) => same(one, pieces)));
  const said = (numbers) => numbers.map((number) => hints.lines[number]);

  // Why a piece cannot stand in a country after another one, or first of all; "" if it can.
  function whyNot(country, piece, first = "") {
    if (home[piece] && home[piece] !== country) return `${titled(piece)} lies in ${titled(home[piece])}, not in ${titled(country)}`;
    const why = hints.why[country];
    const at = why[first]?.[piece] === undefined ? why[""][piece] : why[first][piece];
    return hints.lines[at] ?? "";
  }

  // The pieces that words come to in a country, or what is in the way: {pieces} or {text, piece}.
  function fit(country, wanted) {
    const [most, tooMany] = hints.most[country];
    if (wanted.length > most) return { text: hints.lines[tooMany], piece: most };
    const placed = [];
    for (const [piece, words] of wanted.entries()) {
      const site = hints.cloister[country][placed[0] === ADVISOR ? "" : placed[0] ?? ""];
      const found = words.map((word) => (word === CLOISTER ? site ?? CLOISTER : word));
      const fits = found.find((one) => !whyNot(country, one, placed[0]));
      if (!fits) return { text: found.map((one) => whyNot(country, one, placed[0])).join("; "), piece };
      placed.push(fits);
    }
    return { pieces: placed };
  }

  // The placement that a plan comes to in a country: {country, pieces, cards}, or {text, piece}.
  function tried(plan, country) {
    const found = fit(country, plan.pieces);
    if (!found.pieces) return found;
    const ways = hints.payments[country][found.pieces.length - 1];
    const paid = plan.pay === null ? ways[0] : ways.find((one) => same([...one].sort(), [...plan.pay].sort()));
    return paid ? { country, pieces: found.pieces, cards: paid } : { text: `you cannot pay for ${count(found.pieces.length, "piece")} in ${titled(country)}${plan.pay ? ` with ${listed(plan.pay.map(titled))}` : ""}` };
  }

  const countriesOf = (plan) => plan.countries.flatMap((one) => (one === "any" ? lands : [one]));

  function chosen(order) {
    for (const plan of plansOf(order).map(readPlan)) {
      for (const country of countriesOf(plan)) {
        const found = tried(plan, country);
        if (!found.text) return found;
      }
    }
    const held = (one) => (one === "any" ? [...view.hand].sort((a, b) => view.held[a] - view.held[b])[0] : view.hand.includes(one) ? one : undefined);
    const card = cardNames(order?.discard).map(held).find(Boolean);
    return card && { card };
  }

  function misnamed(order) {
    const out = [];
    const check = (words, allowed, kind, path, read = named) => entries(words).forEach((word) => {
      if (!allowed.includes(read(word))) out.push({ path, text: `there is no ${kind} '${word}'` });
    });
    for (const [number, plan] of plansOf(order).entries()) {
      const path = Array.isArray(order.place) ? ["place", number] : ["place"];
      check(plan.country, [...lands, "any"], "country", [...path, "country"]);
      entries(plan.pieces).forEach((words, at) => check(words, [CLOISTER, ADVISOR, ...Object.keys(home)], "site or piece", [...path, "pieces", at]));
      if (!out.length && !readPlan(plan).countries.length) out.push({ path, text: "it does not say in which country", hint: "Add country: NAME, or name a site." });
      check(plan.pay, cards, "type of card", [...path, "pay"], cardNamed);
    }
    check(order.discard, [...cards, "any"], "type of card", ["discard"], cardNamed);
    check(entriesOf(order).flat(), [...cards, "match", "pile"], "type of card", ["draw"], cardNamed);
    return out;
  }

  function problems(order) {
    if (!hints) return [];
    const wrong = misnamed(order);
    if (wrong.length || chosen(order)) return wrong;
    const out = plansOf(order).map((plan, number) => {
      const path = Array.isArray(order.place) ? ["place", number] : ["place"];
      return blocked(readPlan(plan), path);
    });
    if (order.discard !== undefined) out.push({ path: ["discard"], text: `${listed(cardNames(order.discard).map(titled), "nor")} is not in your hand (${view.hand.map(titled).join(", ")})` });
    return out;
  }

  function blocked(plan, path) {
    const found = countriesOf(plan).map((country) => tried(plan, country));
    if (found.length !== 1) return { path, text: `none of ${found.length} countries is possible: ${found[0]?.text ?? ""}` };
    const [{ text, piece }] = found;
    return { path: piece === undefined ? (plan.pay ? [...path, "pay"] : path) : [...path, "pieces", piece], text };
  }

  // What will happen, in the words of `pbem check`.
  function forecast(order) {
    const act = hints && chosen(order);
    if (!act) return null;
    const spent = act.card ? [act.card] : act.cards;
    const kept = [...view.hand];
    for (const card of spent) kept.splice(kept.indexOf(card), 1);
    const pieces = act.pieces?.map((one) => (one === ADVISOR ? "an advisor" : `a cloister on ${titled(one)}`));
    const lines = act.card ? [`You place no piece and throw ${titled(act.card)} away.`]
      : [`You pay ${listed(act.cards.map(titled))} for ${listed(pieces)} in ${titled(act.country)}.`, ...said(actOf(act.country, act.pieces).lines)];
    const keep = kept.length ? `You keep ${listed(kept.map(titled))}` : "You keep no card";
    return [...passedOver(order, act), ...lines, `${keep}${drawn(order, kept)}.`];
  }

  function passedOver(order, act) {
    const plans = plansOf(order).map(readPlan);
    if (act.card && plans.length) return ["None of the placements is possible as things stand."];
    const isOpen = plans.length > 1 || plans.some(({ countries }) => countries.length > 1 || countries.includes("any"));
    return isOpen ? ["As things stand, the first placement that is possible is this:"] : [];
  }

  // What a `draw` names for each missing card in turn, by preference.
  const entriesOf = (order) => (Array.isArray(order?.draw) ? order.draw : entries(order?.draw)).map(cardNames);
  const entryAt = (wanted, place) => wanted[Math.min(place, wanted.length - 1)] ?? [];
  const missingAfter = (order) => {
    const act = hints && chosen(order ?? {});
    const spent = act ? (act.card ? 1 : act.cards.length) : 1;
    return view.limits.hand - view.hand.length + spent;
  };

  function drawn(order, kept) {
    if (view.closing) return "; nobody draws any more";
    const wanted = entriesOf(order);
    const missing = view.limits.hand - kept.length;
    const prospect = { hand: [...kept], open: [...view.face_up], least: view.pile, most: view.pile, isOpen: false };
    const texts = Array.from({ length: missing }, (_, place) => nextCard(prospect, entryAt(wanted, place)));
    const each = new Set(texts).size === 1;
    const said_ = missing === 1 ? `1 card: ${texts[0]}` : each ? `${missing} cards, each: ${texts[0]}` : `${missing} cards: ${texts.join(", then ")}`;
    return `, and draw ${said_}${view.pile <= missing ? "; the pile runs out with it" : ""}`;
  }

  // What the next card is, by preference as far as it depends on what comes before.
  function nextCard(prospect, entry) {
    const found = [];
    const lacking = [];
    let isSure = false;
    for (const name of new Set([...entry, "match", "pile"])) {
      const [source, sure] = sourceOf(prospect, name);
      if (source === undefined) {
        if (cards.includes(name)) lacking.push(`no ${view.face_up.includes(name) ? "other " : ""}${titled(name)} lies open`);
        continue;
      }
      found.push(source);
      isSure = sure;
      if (isSure) break;
    }
    const words = { match: "an open card of a type that you then hold", pile: "the pile" };
    const said_ = found.map((one) => words[one] ?? titled(one));
    if (!isSure) said_.push("the oldest open card");
    takeCard(prospect, isSure ? found.at(-1) : "match", said_.length === 1);
    return `${said_.join(", else ")}${lacking.length ? ` (${lacking.join(", ")})` : ""}`;
  }

  // An open card, "match" or "pile" if it may be had by a name, and whether it surely can.
  function sourceOf(prospect, name) {
    if (name === "pile") return [prospect.most > 0 ? name : undefined, prospect.least > 0];
    if (name !== "match") return [prospect.open.includes(name) ? name : undefined, !prospect.isOpen];
    const fit_ = prospect.open.find((card) => prospect.hand.includes(card));
    const holdsUnknown = prospect.isOpen || prospect.most < view.pile;
    if (fit_ !== undefined && !prospect.isOpen) return [holdsUnknown && fit_ !== prospect.open[0] ? name : fit_, true];
    return [prospect.open.length && (fit_ !== undefined || holdsUnknown) ? name : undefined, false];
  }

  function takeCard(prospect, source, isOnly) {
    if (!isOnly || source === "match") {
      prospect.isOpen = true;
      prospect.least -= isOnly ? 0 : 1;
    } else if (source === "pile") {
      prospect.least -= 1;
      prospect.most -= 1;
    } else {
      prospect.open.splice(prospect.open.indexOf(source), 1);
      prospect.hand.push(source);
    }
  }

  function left(order, now) {
    if (!now) return heldThen();
    if (!hints) return "";
    const act = chosen(order ?? {});
    const mine = view.players[view.me];
    const houses = act?.pieces?.filter((one) => one !== ADVISOR).length ?? 0;
    const spent = act ? (act.card ? 1 : act.cards.length) : 0;
    const advisors = (act?.pieces?.length ?? 0) - houses;
    return `Left${act ? " then" : ""}: ${view.hand.length - spent} of your ${count(view.hand.length, "card")}, ${count(mine.cloisters - houses, "cloister")}, ${count(mine.advisors - advisors, "advisor")}`;
  }

  // What the line for now comes to, for those that follow it: a placement, or a card that is thrown away.
  function before() {
    const line = page.lines().find((one) => model.isNow(one) && !model.isEmpty(one));
    return line && hints ? chosen(line.do) : undefined;
  }

  // What stays in the hand for a later turn, as far as it is known.
  function heldThen() {
    const act = before();
    const hand = [...view.hand];
    for (const card of act ? act.cards ?? [act.card] : []) hand.splice(hand.indexOf(card), 1);
    const cards_ = counted(hand.map(titled)) || "no card";
    return act ? `After your order for now you keep ${cards_}; what you draw is not known yet` : `You hold ${cards_} now`;
  }

  // How many cards of a type are left then.
  function kept(card) {
    const act = before();
    const spent = (act?.cards ?? [act?.card]).filter((one) => one === card).length;
    return act ? `you keep ${view.held[card] - spent}` : `you hold ${view.held[card]} now`;
  }

  // What a list has room for.
  const brief = (note) => note.replace("points as of now: ", "");

  // What can stand first in a country, or after a piece, with a note: [{order, note}].
  function piecesIn(country, first, now) {
    const sites = view.places[country]?.sites ?? [];
    const taken = now ? [] : before()?.pieces ?? [];
    const stands = (site) => (taken.includes(site) ? "yours by then" : view.sites[site] === "free" ? "free now" : `${titled(view.sites[site])} stands there now`);
    if (!now) return [{ order: CLOISTER, note: "any free site" }, ...sites.map((site) => ({ order: site, note: stands(site) })), { order: ADVISOR, note: "" }];
    return [...sites, ADVISOR].map((piece) => [piece, actOf(country, first === undefined ? [piece] : [first, piece])]).filter(([, act]) => act)
      .map(([piece, act]) => ({ order: piece, note: brief(hints.lines[act.note]) }));
  }
  const firstsIn = (country, now) => piecesIn(country, undefined, now);
  const countriesNow = (now) => lands.filter((land) => !now || firstsIn(land, true).length).map((land) => {
    const card = titled(view.places[land].card) === titled(land) ? "" : `card ${titled(view.places[land].card)}`;
    return { order: land, note: [now && `${view.free[land]} free, +${count(view.room[land], "advisor")}`, card].filter(Boolean).join("; ") };
  });

  const withPlans = (order, plans) => {
    const { place: gone, ...rest } = isMap(order) ? order : {};
    return plans.length ? { ...rest, place: plans.length === 1 ? plans[0] : plans } : rest;
  };

  // A list of choices for a part of a placement; what is written otherwise stands as it is.
  function choice(id, title, items, value, none, set) {
    const at = items.findIndex((item) => same(item.order, value));
    const options = [...(none === null ? [] : [["", none]]), ...items.map((item, n) => [String(n), withNote(shown(item.order), item.note)])];
    if (value !== undefined && at < 0) options.push(["=", `${shown(value)} (as written)`]);
    return labelled(id, title, select(id, options, value === undefined ? "" : at < 0 ? "=" : String(at), (picked) => {
      if (picked !== "=") set(picked === "" ? undefined : items[Number(picked)].order);
    }));
  }

  // One placement: country, pieces, cards, and what is to be said of it now.
  function planFields(context, plans, number) {
    const { id, now } = context;
    const plan = plans[number];
    const read = readPlan(plan);
    const here = `${id}.place.${number}`;
    const country = read.countries.length === 1 ? read.countries[0] : undefined;
    const pieces = Array.isArray(plan.pieces) ? plan.pieces : entries(plan.pieces);
    const change = (value) => context.change(withPlans(context.order, plans.map((one, at) => (at === number ? value : one)).filter(Boolean)));
    const put = (found) => change({ ...(plan.country === undefined ? { country } : { country: plan.country }), pieces: found });
    const setCountry = (land) => change({ country: land, pieces: [firstsIn(land, now)[0].order] });
    const setFirst = (piece) => {
      const isKept = pieces.length > 1 && (!now || actOf(country, [piece, pieces[1]]));
      put(isKept ? [piece, ...pieces.slice(1)] : [piece]);
    };
    const ways = now && country ? hints.payments[country]?.[pieces.length - 1] ?? [] : [];
    const isSimple = country !== undefined && country in view.places;
    const rows = [choice(`${here}.country`, "Country", countriesNow(now), plan.country === undefined ? country : plan.country, null, setCountry)];
    if (isSimple) {
      rows.push(choice(`${here}.first`, "First piece", firstsIn(country, now), pieces[0], null, setFirst));
      const more = piecesIn(country, pieces[0], now);
      if (more.length || pieces.length > 1) rows.push(choice(`${here}.second`, "Second piece", more, pieces[1], "none", (piece) => put(piece === undefined ? [pieces[0]] : [pieces[0], piece])));
      const paid = ways.map((one) => ({ order: one, note: "" }));
      if (ways.length > 1 || plan.pay) rows.push(choice(`${here}.pay`, "Cards to pay with", paid, plan.pay, "as few as will do", (cards_) => change({ country: plan.country ?? country, pieces: plan.pieces, ...(cards_ && { pay: [...cards_] }) })));
    } else rows.push(el("p", { class: "hint" }, `${shown(plan)}: choose a country to change it here, or write it below.`));
    const swap = (to) => context.change(withPlans(context.order, plans.map((one, at) => (at === to ? plan : at === number ? plans[to] : one))));
    const name = `placement ${number + 1}`;
    const tools = el("span", { class: "tools" },
      button(`${here}.up`, "↑", () => swap(number - 1), { disabled: number === 0, "aria-label": `Move ${name} up` }),
      button(`${here}.down`, "↓", () => swap(number + 1), { disabled: number === plans.length - 1, "aria-label": `Move ${name} down` }),
      button(`${here}.remove`, "✕", () => {
        change(null);
        document.getElementById(`${id}.place.add`)?.focus();
      }, { "aria-label": `Remove ${name}` }));
    const title = `${number ? "Or else: " : ""}${listed(read.countries.map(titled), "or") || "?"}: ${read.pieces.map((words) => words.map(titled).join(" or ")).join(", ")}`;
    return el("li", {}, el("div", { class: "entry" }, el("p", {}, el("b", {}, title), " ", tools), el("div", { class: "row" }, rows), el("p", { class: "hint" }, now ? standing(read) : country in view.places ? price(country, pieces.length) : "")));
  }

  // What a placement in a later turn costs.
  function price(country, number) {
    const { card } = view.places[country];
    return `Costs ${number > 1 ? `for each of the ${number} pieces ` : ""}a card ${titled(card)} (${kept(card)}), or two of one type.`;
  }

  // In a few words what a placement comes to now.
  function standing(plan) {
    const found = countriesOf(plan).map((country) => tried(plan, country));
    const act = found.find((one) => !one.text);
    if (!act) return `Not possible now: ${found[0]?.text ?? "no country"}.`;
    return `Pays ${counted(act.cards.map(titled))}; ${hints.lines[actOf(act.country, act.pieces).note]}.`;
  }

  const begun = new Map(); // what is chosen in a list of placements, and not added yet

  // All placements that are possible now, the best first and then by country; later, any country.
  function adder(context, plans) {
    const id = `${context.id}.place.add`;
    const best = context.now ? menus.filter((menu) => menu.paths.includes("")).flatMap((menu) => menu.items).filter((item) => isMap(item.order.place)) : [];
    const all = context.now ? hints.acts.map((act) => ({ order: { place: { country: act.country, pieces: act.pieces[0] } }, note: hints.lines[act.note] }))
      : lands.map((land) => ({ order: { place: { country: land, pieces: [CLOISTER] } }, note: "any free site; choose the pieces then" }));
    const items = [...best, ...all];
    const option = (item, at) => el("option", { value: String(at) }, `${titled(item.order.place.country)}: ${item.order.place.pieces.map(titled).join(", ")}; ${brief(item.note)}`);
    const pick = el("select", { id }, el("option", { value: "" }, plans.length ? "another, if that is not possible …" : "choose …"));
    if (best.length) pick.append(el("optgroup", { label: "What brings most now" }, best.map(option)));
    for (const land of lands) {
      const here = items.map((item, at) => [item, at]).filter(([item, at]) => at >= best.length && item.order.place.country === land);
      if (here.length) pick.append(el("optgroup", { label: view.places[land].name }, here.map(([item, at]) => option(item, at))));
    }
    const at = items.findIndex((item) => same(item.order, begun.get(id)));

    if (at >= 0) pick.value = String(at);
    pick.addEventListener("change", () => begun.set(id, items[Number(pick.value || NaN)]?.order));
    let isAdded = false; // the fields are drawn anew then
    const add = () => {
      if (isAdded || pick.value === "") return;
      isAdded = true;
      begun.delete(id);
      context.change(withPlans(context.order, [...plans, structuredClone(items[Number(pick.value)].order.place)]));
    };
    counts(pick, add);
    return el("div", { class: "adder" }, el("label", { for: id, class: "unseen" }, "A placement"), pick, button(`${id}.addit`, "Add", add, { "aria-label": "Add this placement" }));
  }

  // The fields of an order, in place of those that any game has.
  function editor(context) {
    const now = context.now;
    const order_ = context.order ?? {};
    const plans = plansOf(order_);
    const known_ = context.whole.properties;
    const held = (now ? [...new Set(view.hand)] : cards).map((card) => ({ order: card, note: now ? `you hold ${view.held[card]}` : kept(card) }));
    const sources = now ? menus.find((menu) => menu.paths.includes("draw"))?.items ?? []
      : [...cards.map((card) => ({ order: card, note: "if it lies open then" })), { order: "match", note: "an open card of a type that you then hold" }, { order: "pile", note: "the top card" }];
    const place = el("fieldset", { class: "part" }, el("legend", {}, "Place pieces"),
      el("p", { class: "hint" }, "On the map: click a site for a cloister, a country for an advisor. Of several placements the first that is possible is carried out."),
      plans.length ? el("ol", { class: "entries" }, plans.map((_, number) => planFields(context, plans, number))) : null, adder(context, plans));
    return [place,
      fields.part(context, ["discard"], known_.discard, { title: "", items: [...held, { order: "any", note: "one without its like" }] }),
      ...(now && view.closing ? [] : [fields.part(context, ["draw"], known_.draw, { title: "", items: sources }),
        el("p", { class: "hint" }, order_.draw === undefined ? "With nothing here: an open card of a type that you then hold, else the pile." : "The first entry is for the first missing card, and so on; the last is for all further ones. In words, [match, pile] is one entry: the first of these that can be had.")].filter(Boolean))];
  }

  // What a click on the map can mean for an order: [{title, note, order}].
  function places(word, given) {
    const order = isMap(given) ? given : {};
    const now = isNow();
    if (now && !hints) return [];
    if (word.startsWith(CARD)) return ofCard(word.slice(CARD.length), order, now);
    const country = view.places[word] ? word : home[word];
    return country ? ofPiece(view.places[word] ? ADVISOR : word, country, order, now) : [];
  }

  function ofPiece(piece, country, order, now) {
    const plans = plansOf(order);
    const last = plans.at(-1);
    const pieces = Array.isArray(last?.pieces) ? last.pieces : entries(last?.pieces);
    const isHere = last && same(readPlan(last).countries, [country]);
    const found = [];
    const rest = plans.slice(0, -1);
    const noted = (all) => (now ? hints.lines[actOf(country, all)?.note] : "");
    const fits = (all) => (now ? actOf(country, all) : all.length <= view.limits.pieces && new Set(all.filter((one) => one !== ADVISOR)).size === all.filter((one) => one !== ADVISOR).length);
    if (isHere && fits([...pieces, piece])) found.push({ title: `${[...pieces, piece].map(titled).join(", ")}: this piece too`, note: noted([...pieces, piece]), order: withPlans(order, [...rest, { ...last, pieces: [...pieces, piece], pay: undefined }].map(clean)) });
    if (isHere && pieces.includes(piece)) {
      const fewer = pieces.filter((_, at) => at !== pieces.lastIndexOf(piece));
      found.push({ title: `${piece === ADVISOR ? "the advisor" : titled(piece)}: take it back`, order: withPlans(order, fewer.length ? [...rest, clean({ country, pieces: fewer })] : rest) });
      return found;
    }
    if (!fits([piece])) return found;
    const plan = { country, pieces: [piece] };
    found.push({ title: `${titled(country)}: ${titled(piece)}${last ? ", instead" : ""}`, note: noted([piece]), order: withPlans(order, [...rest, plan]) });
    if (last) found.push({ title: `${titled(country)}: ${titled(piece)}, if what stands before is not possible`, note: noted([piece]), order: withPlans(order, [...plans, plan]) });
    return found;
  }

  // Why what was clicked cannot be placed now, beside the pieces that stand in the same country or alone; "" if it can.
  function reason(word, given) {
    const [, card] = word.split(CARD);
    if (card && hints && !view.held[card] && (view.closing || !view.face_up.includes(card))) return `none is in your hand, and ${view.closing ? "nobody draws any more" : "none lies open"}`;
    const country = view.places[word] ? word : home[word];
    if (!country || !hints) return "";
    const last = plansOf(given).map(readPlan).at(-1);
    const beside = last && same(last.countries, [country]) ? last.pieces : [];
    return tried({ pieces: [...beside, [view.places[word] ? ADVISOR : word]], pay: null }, country).text ?? "";
  }

  const clean = (plan) => Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));

  function ofCard(card, order, now) {
    const found = [];
    const put = (name, value, title) => {
      const { [name]: gone, ...rest } = order;
      found.push({ title, note: titled(card), order: value.length ? { ...rest, [name]: name === "draw" || value.length > 1 ? value : value[0] } : rest });
    };
    if (!(now && view.closing) && (!now || view.face_up.includes(card))) ofDrawn(card, order, now, put);
    if (now && !view.held[card]) return found;
    const there = cardNames(order.discard);
    const title = "throw it away if nothing is placed";
    if (there.includes(card)) put("discard", there.filter((one) => one !== card), `${title}: take it back`);
    else put("discard", [...there, card], `${title}${there.length ? ", after the others" : ""}`);
    return found;
  }

  // A click on a card adds an entry to what is drawn, while cards are missing and as many of it lie open.
  function ofDrawn(card, order, now, put) {
    const there = Array.isArray(order.draw) ? order.draw : entries(order.draw);
    const taken = there.filter((one) => same(cardNames(one), [card])).length;
    const most = now ? missingAfter(order) : view.limits.hand;
    const lying = now ? view.face_up.filter((one) => one === card).length : most;
    if (there.length < most && taken < lying) put("draw", [...there, card], there.length ? "draw it next" : "draw it");
    if (there.length >= most && taken < lying) put("draw", [...there.slice(0, most - 1), card], "draw it, instead of the last");
    if (taken) {
      const at = there.findLastIndex((one) => same(cardNames(one), [card]));
      put("draw", there.filter((_, other) => other !== at), "draw it: take it back");
    }
  }

  // Makes room for a finger around the house of a site.
  function widen(site) {
    const house = site.querySelector("path");
    if (!house) return;
    const around = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of Object.entries({ r: 18, fill: "transparent", transform: house.getAttribute("transform") ?? "" })) around.setAttribute(name, String(value));
    site.insertBefore(around, house);
  }

  // Every site, country and card of the picture can be clicked, also for orders that are given ahead. A card has a
  // word of its own, for it can be named like a country; the land of a country stands for its counters.
  const CARD = "card ";
  const spoken = new Map(/** @type {[string, string][]} */ ([...lands.map((land) => [view.places[land].name, land]), ...Object.keys(home).map((site) => [titled(site), site]), ...cards.map((card) => [`${titled(card)} card`, CARD + card])]));
  const counters = {};
  for (const title of [...document.querySelectorAll("#board svg g > title")].reverse()) {
    const [drawn_, word] = [title.parentElement, spoken.get(title.textContent.split(":")[0])];
    if (!word || !drawn_) continue;
    drawn_.dataset.place = word;
    if (word in home) widen(drawn_);
    if (view.places[word] && counters[word]) {
      delete drawn_.dataset.place;
      drawn_.addEventListener("click", (event) => {
        event.stopPropagation();
        counters[word].dispatchEvent(new MouseEvent("click", event));
      });
    }
    counters[word] ??= drawn_;
  }

  function isChosen(word, order) {
    if (!isMap(order)) return false;
    if (word.startsWith(CARD)) return [...entriesOf(order).flat(), ...cardNames(order.discard)].includes(word.slice(CARD.length));
    const plans = plansOf(order).map(readPlan);
    return plans.some(({ countries, pieces }) => pieces.flat().includes(view.places[word] ? ADVISOR : word) && (!view.places[word] || countries.includes(word)));
  }

  // The own cloisters that an order places, for the board: of several placements those of the first that is possible.
  const mine = `house-${data.players.findIndex(({ seat }) => seat === view.me) + 1}`;
  function founded(order, now) {
    const act = now && hints ? chosen(order) : undefined;
    const pieces = act ? act.pieces ?? [] : plansOf(order).slice(0, 1).flatMap((plan) => readPlan(plan).pieces.map(([word]) => word));
    return pieces.filter((one) => one in home).map((site) => [site, mine]);
  }
  const isNow = () => {
    const line = page.openLine();
    return !line || model.isNow(line);
  };
  const supposed = (_, earlier) => (earlier ? founded(earlier, true) : []);

  const ELSE = ", else ";

  return { joins: { place: ELSE, country: ELSE, draw: ", then ", discard: ELSE }, places, whyNot: reason, isChosen, drawn: (order) => founded(order, isNow()), supposed, problems, lasting: misnamed, forecast, left, editor };
};
