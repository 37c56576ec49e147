// Server-sent events that survive lost connections.

import { ask, report } from "./offline";

/** Which events are new. A browser resumes by Last-Event-ID, but a stream that was opened again starts from the first. */
export class Resume {
  private last = 0;

  /** Whether an event was not seen yet; those without a number always are new. */
  isNew(id: string): boolean {
    const number = Number.parseInt(id, 10);
    if (Number.isNaN(number)) return true;
    if (number <= this.last) return false;
    this.last = number;
    return true;
  }
}

/** Time to wait before the next attempt, in milliseconds: doubled each time, at most 15 s. */
export function wait_ms(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 15_000);
}

export interface Stream {
  address: string;
  types: string[];
  take: (type: string, data: unknown) => void;
  /** The state of the connection changed. */
  connected?: (isConnected: boolean) => void;
}

/** Whether the page now leads to another, and goes there: to sign in, as the server was started again, or to a report. */
async function isElsewhere(): Promise<boolean> {
  const page = await ask(location.href).catch(() => undefined);
  if (!page?.ok || !page.redirected) return false;
  location.assign(page.url);
  return true;
}

/** Opens a stream; the answer closes it. */
export function open(stream: Stream): () => void {
  const resume = new Resume();
  let source: EventSource | undefined;
  let [attempt, timer] = [0, 0];
  let isClosed = false;
  const state = (isConnected: boolean) => {
    if (isClosed) return;
    report(stream.address, isConnected);
    stream.connected?.(isConnected);
  };
  const connect = () => {
    source = new EventSource(stream.address);
    source.onopen = () => {
      attempt = 0;
      state(true);
    };
    source.onerror = () => {
      state(false);
      // Otherwise the browser tries again.
      if (source?.readyState === EventSource.CLOSED) timer = window.setTimeout(again, wait_ms(attempt++));
    };
    for (const type of stream.types) {
      source.addEventListener(type, (event) => {
        if (!isClosed && resume.isNew(event.lastEventId)) stream.take(type, JSON.parse(event.data));
      });
    }
  };
  const again = async () => {
    if (!(await isElsewhere()) && !isClosed) connect();
  };
  const close = () => {
    report(stream.address, true);
    isClosed = true;
    clearTimeout(timer);
    source?.close();
  };
  // Browsers report streams as failed while the page is left.
  addEventListener("pagehide", close);
  connect();
  return close;
}
