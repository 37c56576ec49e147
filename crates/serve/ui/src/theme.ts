// The button for a light or dark page. The style sheets know only what the system prefers: their conditions are
// changed in place, so that no rule is written twice.

import { recolor } from "./colors";
import { word } from "./words";

export type Theme = "auto" | "light" | "dark";
const THEMES: Theme[] = ["auto", "light", "dark"];
const KEY = "theme";
const PREFERS = /\(prefers-color-scheme:\s*dark\)/;

/** A media condition under a theme. */
export function condition(media: string, theme: Theme): string {
  if (theme === "auto") return media;
  return media.replace(PREFERS, theme === "dark" ? "(min-width:0px)" : "(max-width:0px)");
}

/** The theme after one. */
export function next(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme;
}

/** The rules that depend on the system, with their conditions as written. */
let rules: { rule: CSSMediaRule; written: string }[] | undefined;

function findRules() {
  const all = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const media = all.filter((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule);
  return media.filter((rule) => PREFERS.test(rule.conditionText)).map((rule) => ({ rule, written: rule.conditionText }));
}

function apply(theme: Theme): void {
  rules ??= findRules();
  for (const { rule, written } of rules) rule.media.mediaText = condition(written, theme);
  recolor();
}

function kept(): Theme {
  const text = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === text) ?? "auto";
}

function choose(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  apply(theme);
}

/** Applies what was chosen before, as early as possible. */
export function startTheme(): void {
  choose(kept());
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", recolor);
  // Canvases are pictures: on paper they are light.
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(kept()));
}

export function themeButton(button: HTMLElement): void {
  const label = () => {
    button.textContent = word(`ui-theme.${kept()}`);
  };
  button.hidden = false;
  label();
  button.addEventListener("click", () => {
    localStorage.setItem(KEY, next(kept()));
    choose(kept());
    label();
  });
}
