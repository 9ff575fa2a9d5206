import { type Call, type Endpoint, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { onGuest } from "../core/kernel/on-node.ts";
import { bridgePairListFormat, remoteFormat, storagePairListFormat } from "../core/schema/formats.ts";
import { parsePropertyString } from "../core/schema/property-string.ts";
import { boolean, type Properties, string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";

/**
 * `remote_migrate_vm` of qemu-server `src/PVE/API2/Qemu.pm` and pve-container `src/PVE/API2/LXC.pm`. The first step is
 * a connection to the other cluster, and the simulator can reach no other cluster.
 */
export function remoteMigrateEndpoint(
  type: "qemu" | "lxc",
  more: Properties,
  /** Dies unless the guest exists and can be moved. */
  requireGuest: (call: Call, id: number) => void,
): Endpoint {
  return endpoint({
    method: "POST",
    path: `/nodes/{node}/${type}/{vmid}/remote_migrate`,
    ...onGuest("VM.Migrate"),
    parameters: {
      node,
      vmid,
      "target-vmid": { ...vmid, optional: true },
      "target-endpoint": string({ format: remoteFormat }),
      "target-storage": string({ format: storagePairListFormat }),
      "target-bridge": string({ format: bridgePairListFormat }),
      online: boolean({ optional: true }),
      delete: boolean({ optional: true, default: 0 }),
      ...more,
    },
    handler: (call) => {
      const id = Number(call.params["vmid"]);
      requireGuest(call, id);
      if (call.world.ha.resources[`${type === "qemu" ? "vm" : "ct"}:${id}`] !== undefined) {
        paramError({ vmid: `cannot remote-migrate ${type === "qemu" ? "VM" : "CT"} that is configured for HA` });
      }
      const { host, port = "8006" } = parsePropertyString(remoteFormat, String(call.params["target-endpoint"]));
      return die(`500 Can't connect to ${host}:${port} (No route to host)`);
    },
  });
}
