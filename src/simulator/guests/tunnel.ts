import { type Call, type Endpoint, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError, raise } from "../core/kernel/failure.ts";
import { bridgeIdListFormat, storageIdListFormat } from "../core/schema/formats.ts";
import { string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";

/** Seconds that the other end may take to connect. */
const patience = 300;

/**
 * `mtunnel` of qemu-server `src/PVE/API2/Qemu.pm` and pve-container `src/PVE/API2/LXC.pm`: the receiving end of a
 * migration from another cluster. The VMID is reserved and a socket returned, but no client can connect to it.
 */
export function tunnelEndpoints(type: "qemu" | "lxc", reserve: (call: Call, id: number) => void): Endpoint[] {
  const path = `/nodes/{node}/${type}/{vmid}`;
  const [word, worker] = type === "qemu" ? ["VM", "qmtunnel"] : ["CT", "vzmtunnel"];
  return [
    endpoint({
      method: "POST",
      path: `${path}/mtunnel`,
      protected: true,
      permissions: { check: ["and", ["perm", "/vms/{vmid}", ["VM.Allocate"]], ["perm", "/", ["Sys.Incoming"]]] },
      parameters: {
        node,
        vmid,
        storages: string({ optional: true, format: storageIdListFormat }),
        bridges: string({ optional: true, format: bridgeIdListFormat }),
      },
      handler: (call) => {
        const id = Number(call.params["vmid"]);
        const taken = call.world.guests[id];
        if (taken !== undefined) {
          const noun = taken.type === "qemu" ? "VM" : "CT";
          const reason = `${noun} ${id} already exists on node '${taken.node}'`;
          paramError({ vmid: `unable to create empty ${word} config - ${reason}\n` });
        }
        reserve(call, id);
        const upid = call.worker(worker, String(id), async (task) => {
          await task.sleep(patience);
          delete task.sim.world.guests[id];
          die("mtunnel: timeout waiting for connection");
        });
        const ticket = call.sim.tickets.issue(call.caller.id).replace(/^PVE:[^:]*/, "PVETUNNEL");
        return { ticket, socket: `/run/${type === "qemu" ? "qemu-server" : "pve"}/${id}.mtunnel`, upid };
      },
    }),
    endpoint({
      method: "GET",
      path: `${path}/mtunnelwebsocket`,
      permissions: { user: "all" },
      parameters: { node, vmid, socket: string(), ticket: string() },
      handler: () => raise(401, "permission denied - invalid PVETUNNEL ticket"),
    }),
  ];
}
