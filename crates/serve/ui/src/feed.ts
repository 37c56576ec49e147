// Pages that list drives or checkups: what another program saves appears by itself.

import { settled } from "./dom";
import { ask } from "./offline";
import { open } from "./stream";
import { swap } from "./swap";

/** Many may be saved at once: the page is loaded when none came for this long. */
const WAIT_MS = 300;

export function feed(main: HTMLElement): void {
  const refresh = settled(WAIT_MS, async () => {
    const page = await ask(location.href).catch(() => undefined);
    if (page?.ok) swap(await page.text(), "main");
  });
  let wasLost = false;
  open({
    address: main.dataset.feed ?? "",
    types: ["saved"],
    take: refresh,
    connected: (isConnected) => {
      // What was saved meanwhile sent its events to nobody.
      if (isConnected && wasLost) refresh();
      wasLost = !isConnected;
    },
  });
}
