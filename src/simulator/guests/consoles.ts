import { type Call, type Endpoint, endpoint } from "../core/kernel/endpoint.ts";
import { die, raise } from "../core/kernel/failure.ts";
import { addressFormat } from "../core/schema/network-formats.ts";
import { boolean, integer, type Properties, string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";

/*
 * Consoles of guests: tickets and ports are issued as in PVE, but no server listens there (`vncproxy`, `termproxy`,
 * `spiceproxy` in qemu-server `src/PVE/API2/Qemu.pm` and pve-container `src/PVE/API2/LXC.pm`).
 */

const firstPort = 5900;
const ports = 100;
/** Seconds that a proxy waits for a connection. */
const patience = 10;

export interface ConsoleKind {
  readonly type: "qemu" | "lxc";
  /** Dies if the guest does not exist on that node. */
  requireGuest(call: Call, id: number): { readonly isRunning: boolean; readonly title: string };
  /** The parameters of `vncproxy` and `termproxy` besides the guest. */
  readonly vncParameters: Properties;
  readonly termParameters: Properties;
  /** PVE's name for such a guest in messages. */
  readonly word: "VM" | "CT";
  /** The answer always contains a password, as for VMs. */
  readonly hasPassword: boolean;
}

/** A proxy process without any connection. */
export function forkProxy(call: Call, type: string, id: string): string {
  return call.worker(type, id, async (task) => {
    await task.sleep(patience);
    die("connection timed out");
  });
}

export function ticketOf({ sim, caller }: Call): { user: string; ticket: string; port: string } {
  const port = String(firstPort + sim.random.below(ports));
  return { user: caller.id, ticket: sim.tickets.issue(caller.id).replace(/^PVE:[^:]*/, "PVEVNC"), port };
}

export function consoleEndpoints(kind: ConsoleKind): Endpoint[] {
  const path = `/nodes/{node}/${kind.type}/{vmid}`;
  const mayUse = { check: ["perm", "/vms/{vmid}", ["VM.Console"]] } as const;
  const idOf = (call: Call) => Number(call.params["vmid"]);
  return [
    endpoint({
      method: "POST",
      path: `${path}/vncproxy`,
      protected: true,
      permissions: mayUse,
      parameters: { node, vmid, ...kind.vncParameters },
      handler: (call) => {
        const id = idOf(call);
        kind.requireGuest(call, id);
        const answer = {
          ...ticketOf(call),
          upid: forkProxy(call, "vncproxy", String(id)),
          cert: "-----BEGIN CERTIFICATE-----\n",
        };
        const hasPassword = kind.hasPassword || (call.params as { websocket?: number }).websocket === 1;
        return hasPassword ? { ...answer, password: call.sim.random.uuid().slice(0, 8) } : answer;
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/termproxy`,
      protected: true,
      permissions: mayUse,
      parameters: { node, vmid, ...kind.termParameters },
      handler: (call) => {
        const id = idOf(call);
        kind.requireGuest(call, id);
        return { ...ticketOf(call), upid: forkProxy(call, "vncproxy", String(id)) };
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/spiceproxy`,
      protected: true,
      proxyTo: "node",
      permissions: mayUse,
      parameters: { node, vmid, proxy: string({ optional: true, format: addressFormat }) },
      handler: (given) => spiceTicket(given, kind),
    }),
    endpoint({
      method: "GET",
      path: `${path}/vncwebsocket`,
      permissions: mayUse,
      parameters: {
        node,
        vmid,
        vncticket: string({ maxLength: 512 }),
        port: integer({ minimum: 5900, maximum: 5999 }),
      },
      handler: () => raise(401, "permission denied - invalid PVEVNC ticket"),
    }),
  ];
}

function spiceTicket(call: Call, { requireGuest, word }: ConsoleKind): Record<string, unknown> {
  const id = Number(call.params["vmid"]);
  const { isRunning, title } = requireGuest(call, id);
  if (!isRunning) {
    die(`${word} ${id} not running`);
  }
  return viewerConfig(call, title, id);
}

/** `remote_viewer_config` of pve-access-control; a shell of a node has no guest and the id 0. */
export function viewerConfig(call: Call, title: string, id: number): Record<string, unknown> {
  const stamp = Math.floor(call.sim.clock.now()).toString(16);
  const port = 61_000 + call.sim.random.below(ports);
  const proxy = (call.params["proxy"] as string | undefined) ?? call.node;
  return {
    type: "spice",
    title,
    host: `pvespiceproxy:${stamp}:${id}:${call.node}:${port}::${call.sim.random.uuid().replaceAll("-", "")}00000000`,
    "host-subject": `OU=PVE Cluster Node,O=Proxmox Virtual Environment,CN=${call.node}`,
    proxy: `http://${proxy}:3128`,
    "tls-port": port,
    password: call.sim.random.uuid().slice(0, 8),
    ca: "-----BEGIN CERTIFICATE-----\\n",
    "delete-this-file": 1,
    "secure-attention": "Ctrl+Alt+Ins",
    "toggle-fullscreen": "Shift+F11",
    "release-cursor": "Ctrl+Alt+R",
  };
}

export const pixels = (maximum: number) => integer({ optional: true, minimum: 16, maximum });

export const vncParametersOf = {
  qemu: {
    websocket: boolean({ optional: true }),
    "generate-password": boolean({ optional: true, default: 0 }),
  },
  lxc: { websocket: boolean({ optional: true }), width: pixels(4096), height: pixels(2160) },
} as const;
