import { endpoint } from "../kernel/endpoint.ts";
import { paramError } from "../kernel/failure.ts";
import { string } from "../schema/schema.ts";
import { node, vmid } from "../schema/standard-options.ts";
import { findVm } from "./vm.ts";

// What migration needs beside the call itself: qemu-server `src/PVE/API2/Qemu.pm`. No other cluster comes in through a
// tunnel here, so only the D-Bus helper is served.

export const tunnelEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/dbus-vmstate",
    proxyTo: "node",
    permissions: { check: ["perm", "/vms/{vmid}", ["VM.Migrate"]] },
    parameters: { node, vmid, action: string({ enum: ["start", "stop"] }) },
    handler: ({ world, node: here, params }) => {
      if (findVm(world, params.vmid, here)?.run === undefined) {
        paramError({ node: `VM ${params.vmid} not running locally on node '${here}'` });
      }
      return null;
    },
  }),
];
