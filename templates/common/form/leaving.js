// A field that is being left, for text or a list that was gone through by key: what is gone to must not be drawn anew
// under the finger.
let isOn = false;
let isPressed = false;

const isLeft = () => isOn;

// Does something when the finger is off the page and what it touched has heard of it.
/** @type {(work: () => void) => void} */
function settled(work) {
  setTimeout(() => (isPressed ? settled(work) : work()), isPressed ? 30 : 0);
}

function listen() {
  /** @type {(event: Event) => boolean} */
  const isField = ({ target }) => /** @type {Element} */ (target).matches("input[type=text], input[type=number], input:not([type])");
  /** @type {(event: Event) => boolean} */
  const isList = ({ target }) => /** @type {Element} */ (target).matches("select[data-is]");
  for (const [name, is] of /** @type {[string, (event: Event) => boolean][]} */ ([["change", isField], ["focusout", isList]])) {
    addEventListener(name, (event) => { isOn = is(event); }, true);
    addEventListener(name, () => { isOn = false; });
  }
  for (const [name, is] of /** @type {[string, boolean][]} */ ([["pointerdown", true], ["pointerup", false], ["pointercancel", false]])) addEventListener(name, () => { isPressed = is; }, true);
}

export { isLeft, listen, settled };
