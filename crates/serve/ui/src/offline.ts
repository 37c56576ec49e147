// Whether the server answers. Every request and stream of the page reports here; a banner shows while any fails.

import { element } from "./dom";
import { word } from "./words";

const lost = new Set<string>();
let banner: HTMLElement | undefined;

/** Notes whether a source answers. */
export function report(source: string, answers: boolean): void {
  if (answers) lost.delete(source);
  else lost.add(source);
  if (lost.size > 0 && !banner) {
    banner = element("p", { class: "lost", role: "status" }, word("ui-lost"));
    document.body.prepend(banner);
  } else if (lost.size === 0) {
    banner?.remove();
    banner = undefined;
  }
}

/** `fetch`; the banner says when the server does not answer at all. */
export async function ask(address: string, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, init);
    report("ask", true);
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) report("ask", false);
    throw error;
  }
}
