import type { EventStream } from "../core/http/message.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { viewOf } from "./view.ts";

/** Milliseconds between two comparisons of the cluster with the state of the page. */
const lookEvery = 250;
/** A comment from time to time keeps proxies and browsers from closing the connection. */
const looksPerComment = 60;

/** The cluster as server-sent events: `view` whenever it has changed, `call` for every call of the API. */
export function eventsOf(sim: Simulation): EventStream {
  return {
    status: 200,
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
    stream: (send, closed) => {
      const event = (name: string, data: string) => send(`event: ${name}\ndata: ${data}\n\n`);
      let last = "";
      let looks = 0;
      const look = () => {
        const view = JSON.stringify(viewOf(sim));
        if (view !== last) {
          event("view", view);
          last = view;
        } else if (++looks % looksPerComment === 0) {
          send(": still here\n\n");
        }
      };
      look();
      const timer = setInterval(look, lookEvery);
      timer.unref();
      const unsubscribe = sim.log.subscribe((call) => event("call", JSON.stringify(call)));
      closed.addEventListener("abort", () => {
        clearInterval(timer);
        unsubscribe();
      });
    },
  };
}
