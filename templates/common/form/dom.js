// Elements of the page. Text of players is only ever put in as text; nothing here reads markup.
"use strict";
pbem.dom = (() => {
  // An element with attributes, listeners (functions) and children (elements or text).
  function el(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") made.addEventListener(name, value);
      else if (name === "checked" || name === "value" || name === "selected" || name === "disabled") made[name] = value;
      else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== ""));
    return made;
  }

  const button = (id, text, work, more = {}) => el("button", { type: "button", id, click: work, ...more }, text);

  // A field with its label above it, and what it is for below.
  function labelled(id, text, field, hint) {
    const said = hint ? el("p", { class: "hint", id: `${id}-hint` }, hint) : null;
    if (said) field.setAttribute("aria-describedby", said.id);
    return el("div", { class: "field" }, el("label", { for: id }, text), field, said);
  }

  function select(id, options, value, work) {
    const made = el("select", { id, change: () => work(made.value) });
    for (const [key, text] of options) made.append(el("option", { value: key, selected: key === value }, text));
    return made;
  }

  function checkbox(id, text, checked, work) {
    const box = el("input", { type: "checkbox", id, checked, change: () => work(box.checked) });
    return el("div", { class: "check" }, box, el("label", { for: id }, text));
  }

  return { el, button, labelled, select, checkbox };
})();
