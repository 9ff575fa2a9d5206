import type { SimulatedCluster } from "./simulator.ts";

/** The part of msw's `http` that is used here: its own types require those of a browser, and any version works. */
interface Http<Handler> {
  all(url: string, answer: (info: { request: Request }) => Promise<Response>): Handler;
}

/**
 * Handlers for msw's `setupServer`, published as `terraform-provider-proxmox/msw`: calls below `url` are answered by a
 * simulator in the same process, and no port is opened.
 *
 *     const cluster = createSimulator();
 *     const server = setupServer(...proxmoxHandlers(http, cluster, "https://pve.example.com:8006"));
 */
export function proxmoxHandlers<Handler>(
  http: Http<Handler>,
  cluster: Pick<SimulatedCluster, "fetch">,
  url: string,
): Handler[] {
  return [http.all(`${url.replace(/\/+$/, "")}/*`, ({ request }) => cluster.fetch(request))];
}
