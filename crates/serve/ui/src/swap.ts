// Brings a part of the page to what the server has now, and leaves alone what did not change: focus, scroll, typed
// text and open details stay.

/** Marks what scripts have added: it is not in the server's page, and stays. */
export const OWN = "data-own";
/** Sent to the document after a swap. */
export const SWAPPED = "swapped";

function key(node: Node): string | null {
  return node instanceof Element ? node.id || node.getAttribute("data-key") || null : null;
}

function isOwn(node: Node): boolean {
  return node instanceof Element && node.hasAttribute(OWN);
}

function isAlike(old: Node, fresh: Node): boolean {
  return old.nodeName === fresh.nodeName && key(old) === key(fresh);
}

function attributes(old: Element, fresh: Element): void {
  for (const { name } of [...old.attributes]) {
    // Whether details are open is the reader's choice.
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

function morph(old: Node, fresh: Node): void {
  if (old instanceof Element && fresh instanceof Element) {
    // A chart that is drawn is loaded again only when it is another.
    if (old.hasAttribute("data-chart") && old.getAttribute("data-chart") === fresh.getAttribute("data-chart")) return;
    attributes(old, fresh);
    children(old, fresh);
  } else if (old.nodeValue !== fresh.nodeValue) {
    old.nodeValue = fresh.nodeValue;
  }
}

function children(old: Element, fresh: Element): void {
  const keyed = new Map([...old.childNodes].flatMap((node) => (key(node) ? [[key(node), node]] : [])));
  let at: ChildNode | null = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    while (at && isOwn(at)) at = at.nextSibling;
    const known = key(wanted) ? keyed.get(key(wanted)) : undefined;
    if (known && known !== at && isAlike(known, wanted)) {
      old.insertBefore(known, at);
      morph(known, wanted);
    } else if (at && isAlike(at, wanted)) {
      const same: ChildNode = at;
      at = at.nextSibling;
      morph(same, wanted);
    } else {
      old.insertBefore(document.importNode(wanted, true), at);
    }
  }
  while (at) {
    const rest: ChildNode = at;
    at = at.nextSibling;
    if (!isOwn(rest)) rest.remove();
  }
}

/** Replaces what is at a selector by the same of a page; answers whether both have it. */
export function swap(page: string, selector: string): boolean {
  const old = document.querySelector(selector);
  const fresh = new DOMParser().parseFromString(page, "text/html").querySelector(selector);
  if (!old || !fresh) return false;
  morph(old, fresh);
  document.dispatchEvent(new Event(SWAPPED));
  return true;
}
