// Texts of the catalogue, in the language of the page. The server writes those of `words.json` into it.

let texts: Record<string, string> = {};

/** Reads the texts of the page. */
export function readWords(): void {
  texts = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
}

/** Puts parameters into a text: `{name}` stands for each. */
export function fill(text: string, parameters: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => parameters[name] ?? whole);
}

/** The text of an id. One that the page does not have shows as its id, so that it is found. */
export function word(id: string, parameters: Record<string, string | number> = {}): string {
  const values = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  return fill(texts[id] ?? id, values);
}
