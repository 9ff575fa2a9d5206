import type { ConfigDraft, Members, Observed } from "#kit";
import type { settings } from "./attributes.ts";
import { observeSettings } from "./observe.ts";
import { type Addresses, addressOutputs, configuredAddresses, macAddresses, unusedDisks } from "./outputs.ts";

/** A VM, where it is and whether it runs. */
interface Located {
  readonly vmid: number;
  readonly node: string;
  readonly status: string;
}

/** What a VM is, in the words of its attributes. The resource and the data source both say it, so they cannot disagree. */
export function describeVm(
  { vmid, node, status }: Located,
  draft: ConfigDraft,
  addresses: Addresses,
  expected: Members | null = null,
) {
  return {
    vmid,
    node,
    status,
    ...(observeSettings(draft, expected) as unknown as Observed<typeof settings>),
    mac_addresses: macAddresses(draft),
    ...addressOutputs(addresses, configuredAddresses(draft)),
    unused_disks: unusedDisks(draft),
  };
}
