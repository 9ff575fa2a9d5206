import { endpoint } from "../../core/kernel/endpoint.ts";
import { paramError } from "../../core/kernel/failure.ts";
import { string } from "../../core/schema/schema.ts";
import { node, vmid } from "../../core/schema/standard-options.ts";
import { findVm } from "../vm.ts";

// The D-Bus helper of live migration: qemu-server `src/PVE/API2/Qemu.pm`.

export const dbusEndpoints = [
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
