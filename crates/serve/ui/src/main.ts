// The script of all pages: which element gets which module. The pages are whole without it.

import { chart } from "./chart/figure";
import { compare } from "./compare";
import { feed } from "./feed";
import { filter } from "./filter";
import { live } from "./live/view";
import { start } from "./start";
import { SWAPPED } from "./swap";
import { startTheme, themeButton } from "./theme";
import { readWords } from "./words";

// biome-ignore lint/suspicious/noExplicitAny: each module names the kind of element that its selector finds.
const MODULES: [string, (element: any) => void][] = [
  ["[data-live]", live],
  ["figure[data-chart]", chart],
  ["form[data-start]", start],
  ["input[data-filter]", filter],
  ["form[data-compare]", compare],
  ["main[data-feed]", feed],
  ["[data-theme-toggle]", themeButton],
];

const known = new WeakSet<Element>();

function enhance(): void {
  for (const [selector, module] of MODULES) {
    for (const found of document.querySelectorAll(selector)) {
      if (known.has(found)) continue;
      known.add(found);
      module(found);
    }
  }
}

startTheme();
// A page from the browser's history has closed streams.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});
document.addEventListener("DOMContentLoaded", () => {
  readWords();
  enhance();
  document.addEventListener(SWAPPED, enhance);
});
