import { endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { vmidFormat } from "../core/schema/formats.ts";
import { integer } from "../core/schema/schema.ts";
import type { World } from "../core/world/world.ts";
import { datacenterOption } from "./options.ts";

/** The lowest free VMID; it is not reserved, so two callers may get the same. */
function nextId(world: World): string {
  const { lower = "100", upper = "1000000" } = datacenterOption(world, "next-id");
  for (let vmid = Number(lower); vmid < Number(upper); vmid++) {
    if (world.guests[vmid] === undefined) {
      return String(vmid);
    }
  }
  return die(`unable to get any free VMID in range [${lower}, ${upper}]`);
}

export const nextIdEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/nextid",
    permissions: { user: "all" },
    parameters: { vmid: integer({ optional: true, format: vmidFormat, minimum: 100, maximum: 999_999_999 }) },
    handler: ({ params, world }) => {
      if (params.vmid === undefined) {
        return nextId(world);
      }
      return world.guests[params.vmid] === undefined
        ? String(params.vmid)
        : paramError({ vmid: `VM ${params.vmid} already exists` });
    },
  }),
];
