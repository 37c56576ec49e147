// Choosing two to eight drives or checkups. The form's address holds the choice, with or without scripts.

import { element, setText } from "./dom";
import { OWN, SWAPPED } from "./swap";
import { word } from "./words";

const LEAST = 2;
const MOST = 8;

/** What can be done with a number of chosen ones: an id of words. */
export function state(chosen: number): "few" | "some" | "many" {
  if (chosen < LEAST) return "few";
  return chosen > MOST ? "many" : "some";
}

export function compare(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>("button:not([type=button],[formaction])");
  const status = element("span", { class: "quiet", role: "status", [OWN]: true });
  // Chosen ones that a filter hides stay chosen.
  const hidden = element("span", { hidden: true, [OWN]: true });
  form.append(hidden);
  button?.after(status);
  const chosen = new Set<string>();
  const boxes = () =>
    [...form.elements].filter((field): field is HTMLInputElement => field instanceof HTMLInputElement && field.type === "checkbox");
  const show = () => {
    const kind = state(chosen.size);
    const seen = new Set<string>();
    for (const box of boxes()) {
      seen.add(box.value);
      box.checked = chosen.has(box.value);
      box.disabled = chosen.size >= MOST && !box.checked;
    }
    const unseen = [...chosen].filter((value) => !seen.has(value));
    hidden.replaceChildren(...unseen.map((value) => element("input", { type: "hidden", name: "of", value })));
    if (button) button.disabled = kind !== "some";
    setText(status, word(`ui-compare.${kind}`, { count: chosen.size, most: MOST }));
  };
  for (const box of boxes()) if (box.checked) chosen.add(box.value);
  form.addEventListener("change", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || box.type !== "checkbox") return;
    if (box.checked) chosen.add(box.value);
    else chosen.delete(box.value);
    show();
  });
  document.addEventListener(SWAPPED, show);
  show();
}
