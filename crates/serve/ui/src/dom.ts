// Makes and finds elements. Text is added as text, never as HTML.

export type Child = Node | string;

/** An element with attributes and children; an attribute with the value false is left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | boolean> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Sets the text of an element, unless it has it already: each change is read out where it is live. */
export function setText(of: Element, text: string): void {
  if (of.textContent !== text) of.textContent = text;
}

/** Calls a function when none of its calls came for a while. */
export function settled(wait_ms: number, act: () => void): () => void {
  let timer: number | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait_ms) as unknown as number;
  };
}
