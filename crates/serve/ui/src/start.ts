// The form that starts a checkup: shows what it would do while it is filled in. Without scripts, it is a plain form.

import { element, settled } from "./dom";
import { ask } from "./offline";
import { word } from "./words";

const WAIT_MS = 300;

/** What a form asks for, as the API reads it. */
export interface Wish {
  task: {
    path: string;
    simulate: string | null;
    suite: string;
    settings: [string, string][];
    label: string | null;
    consents: string[];
    keeps_report: true;
  };
  may_write_much: boolean;
}

/** Reads the fields of the form; a setting without "=" gets an empty value, which the server refuses by name. */
export function wish(fields: FormData): Wish {
  const of = (name: string) => String(fields.get(name) ?? "").trim();
  const lines = of("settings").split("\n");
  const settings = lines
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line): [string, string] => {
      const [name = "", ...value] = line.split("=");
      return [name.trim(), value.join("=").trim()];
    });
  // Settings that the suite offers are fields of their own: set:NAME.
  for (const [name, value] of fields) {
    if (name.startsWith("set:") && String(value).trim() !== "") settings.push([name.slice(4), String(value).trim()]);
  }
  return {
    task: {
      path: of("path") || of("place"),
      simulate: of("simulate") || null,
      suite: of("suite"),
      settings,
      label: of("label") || null,
      consents: of("consent") === "" ? [] : [of("consent")],
      keeps_report: true,
    },
    may_write_much: fields.has("may_write_much"),
  };
}

interface Answer {
  html?: string;
  id?: string;
  error?: string;
  needs?: { question: string; id: string } | null;
}

async function post(address: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const response = await ask(address, { method: "POST", headers, body: JSON.stringify(body), signal: signal ?? null });
  return response.json();
}

/** Shows what to type before a device is erased. */
function consent(form: HTMLFormElement): (needs: Answer["needs"]) => void {
  const input = form.querySelector<HTMLInputElement>("[name=consent]");
  const label = input?.closest("label");
  const question = element("p", { class: "bad", id: "consent-question" });
  if (input && label) {
    input.setAttribute("aria-describedby", question.id);
    label.before(question);
  }
  return (needs) => {
    question.replaceChildren(...(needs ? [`${needs.question} `, element("code", {}, needs.id)] : []));
    // Once it is filled in, it stays.
    if (label) label.hidden = !needs && input?.value === "";
  };
}

export function start(form: HTMLFormElement): void {
  const output = form.querySelector("output") ?? element("output");
  output.setAttribute("aria-live", "polite");
  if (!output.isConnected) form.append(output);
  const plan = form.querySelector<HTMLElement>("button[name=plan]");
  if (plan) plan.hidden = true;
  const showConsent = consent(form);
  showConsent(null);
  const show = ({ html, error, needs }: Answer) => {
    showConsent(needs);
    if (html !== undefined) output.innerHTML = html;
    else if (error !== undefined) output.replaceChildren(...paragraphs(error));
    output.classList.toggle("refused", html === undefined);
  };
  let underway: AbortController | undefined;
  const outline = settled(WAIT_MS, async () => {
    underway?.abort();
    underway = new AbortController();
    const { task } = wish(new FormData(form));
    if (task.path === "" && task.simulate === null) return;
    output.classList.add("stale");
    try {
      show(await post("/api/v1/outline", task, underway.signal));
      output.classList.remove("stale");
    } catch {
      // The banner says that the server does not answer; a newer request has replaced this one otherwise.
    }
  });
  form.addEventListener("input", outline);
  let isPosting = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isPosting) return;
    isPosting = true;
    underway?.abort();
    const lost = (): Answer => ({ error: word("ui-lost") });
    const answer = await post("/api/v1/start", wish(new FormData(form))).catch(lost);
    isPosting = false;
    if (answer.id !== undefined) return location.assign(`/live/${encodeURIComponent(answer.id)}`);
    show(answer);
    if (answer.needs) form.querySelector<HTMLElement>("[name=consent]")?.focus();
  });
  outline();
}

function paragraphs(text: string): HTMLElement[] {
  return text.split("\n").map((line) => element("p", {}, line));
}
