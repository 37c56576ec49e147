// The field that filters a list while somebody types. The server filters; the address keeps the text.

import { element, setText, settled } from "./dom";
import { ask } from "./offline";
import { OWN, swap } from "./swap";
import { word } from "./words";

const WAIT_MS = 200;

/** The address of a page with another text to filter by; the first page of what matches. */
export function address(href: string, text: string): string {
  const url = new URL(href);
  url.searchParams.delete("after");
  if (text.trim() === "") url.searchParams.delete("text");
  else url.searchParams.set("text", text.trim());
  return url.href;
}

export function filter(input: HTMLInputElement): void {
  const selector = input.dataset.filter ?? "";
  const status = element("span", { class: "quiet", role: "status", [OWN]: true });
  input.after(status);
  let underway: AbortController | undefined;
  const load = settled(WAIT_MS, async () => {
    underway?.abort();
    underway = new AbortController();
    const wanted = address(location.href, input.value);
    const page = await ask(wanted, { signal: underway.signal }).catch(() => undefined);
    if (!page?.ok || !swap(await page.text(), selector)) return;
    history.replaceState(null, "", wanted);
    const list = document.querySelector<HTMLElement>(selector);
    setText(status, word("ui-filter.found", { count: list?.dataset.count ?? String(list?.childElementCount ?? 0) }));
  });
  input.addEventListener("input", load);
  // The button that filters without scripts is not needed.
  const button = input.form?.querySelector<HTMLElement>("button[data-plain]");
  if (button) button.hidden = true;
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    // It would send the form, which may be one that compares.
    event.preventDefault();
    load();
  });
}
