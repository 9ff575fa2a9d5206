import type { Answer, Incoming } from "../core/http/connection.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import type { Faults, OrderedFault } from "../faults/faults.ts";
import { FaultError, readFault } from "../faults/order.ts";
import { eventsOf } from "../window/events.ts";
import { page } from "../window/page.ts";
import { whyRefused } from "./admission.ts";
import { ControlError, control } from "./control.ts";

const mostBodyBytes = 1024 * 1024;

export interface ControlSite {
  readonly sim: Simulation;
  readonly faults: Faults;
  reset(): void;
}

type Route = (site: ControlSite, body: unknown, query: URLSearchParams) => unknown;

const routes: Readonly<Record<string, Route>> = {
  "POST /simulator/reset": (site) => site.reset(),
  "POST /simulator/control": (site, body) => control(site.sim, body),
  "GET /simulator/faults": (site) => site.faults.list().map(shown),
  "POST /simulator/faults": (site, body) => {
    const orders = Array.isArray(body)
      ? body.map((order, index) => readFault(order, `faults[${index}]`))
      : [readFault(body, "fault")];
    return orders.map((order) => shown(site.faults.order(order)));
  },
  "DELETE /simulator/faults": (site, _, query) => {
    const id = query.get("id");
    site.faults.clear(id === null ? undefined : Number(id));
  },
  "GET /simulator/log": (site) => site.sim.log.summary(),
  "DELETE /simulator/log": (site) => site.sim.log.clear(),
};

function shown({ id, order, matched, struck }: OrderedFault): object {
  return { id, ...order, matched, struck };
}

/** The simulator's own endpoints, outside the API: JSON requests and answers, only for callers on this machine. */
export async function serveControl(site: ControlSite, incoming: Incoming): Promise<Answer> {
  const { head, reader } = incoming;
  const refusal = whyRefused(incoming);
  if (refusal !== undefined) {
    return json(403, { error: refusal });
  }
  if (head.method === "GET" && head.path === "/simulator/") {
    const headers = { "Content-Type": "text/html;charset=UTF-8", "Content-Security-Policy": "frame-ancestors 'none'" };
    return { status: 200, headers, body: page };
  }
  if (head.method === "GET" && head.path === "/simulator/events") {
    return eventsOf(site.sim);
  }
  const route = routes[`${head.method} ${head.path}`];
  if (route === undefined) {
    return json(404, { error: `there is no '${head.method} ${head.path}'`, known: Object.keys(routes) });
  }
  const length = Math.min(Number(head.headers.get("content-length") ?? 0), mostBodyBytes);
  const text = length > 0 ? ((await reader.bytes(length))?.toString("utf8") ?? "") : "";
  try {
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    return json(200, { data: route(site, body, new URLSearchParams(head.query)) ?? null });
  } catch (thrown) {
    if (thrown instanceof FaultError || thrown instanceof ControlError || thrown instanceof SyntaxError) {
      return json(400, { error: thrown.message });
    }
    throw thrown;
  }
}

function json(status: number, body: object): Answer {
  return { status, headers: { "Content-Type": "application/json;charset=UTF-8" }, body: JSON.stringify(body) };
}
