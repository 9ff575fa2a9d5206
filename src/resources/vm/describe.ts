import type { ConfigDraft, Members, Observed } from "#kit";
import { type Addresses, addressOutputs } from "../guest/outputs.ts";
import type { settings } from "./attributes.ts";
import { observeVmSettings } from "./observe.ts";
import { configuredAddresses, macAddresses, unusedDisks } from "./outputs.ts";

/** The place of a VM, and whether it runs. */
interface Located {
  readonly vmid: number;
  readonly node: string;
  readonly status: string;
}

/** The attributes of a VM. The resource and the data source share it, so that they cannot differ. */
export function describeVm(
  { vmid, node, status }: Located,
  draft: ConfigDraft,
  addresses: Addresses,
  expected: Members | null = null,
) {
  return {
    id: String(vmid),
    vmid,
    node,
    status,
    ...(observeVmSettings(draft, expected) as unknown as Observed<typeof settings>),
    mac_addresses: macAddresses(draft),
    ...addressOutputs(addresses, configuredAddresses(draft)),
    unused_disks: unusedDisks(draft),
  };
}
