import type { ConfigDraft, Members, Observed } from "#kit";
import { observeSettings } from "../guest/observe.ts";
import { type Addresses, addressOutputs, unusedVolumes } from "../guest/outputs.ts";
import { settings } from "./attributes.ts";
import { configuredAddresses, macAddresses } from "./outputs.ts";
import { families } from "./slots.ts";

/** The place of a container, and whether it runs. */
interface Located {
  readonly vmid: number;
  readonly node: string;
  readonly status: string;
}

/** The attributes of a container. The resource and the data source share it, so that they cannot differ. */
export function describeContainer(
  { vmid, node, status }: Located,
  draft: ConfigDraft,
  addresses: Addresses,
  expected: Members | null = null,
) {
  const shown = observeSettings(settings, draft, expected);
  return {
    id: String(vmid),
    vmid,
    node,
    status,
    ...({ ...shown, env: ownVariables(shown["env"], expected?.["env"]) } as unknown as Observed<typeof settings>),
    mac_addresses: macAddresses(draft),
    ...addressOutputs(addresses, configuredAddresses(draft)),
    unused_disks: unusedVolumes(draft, families.unused),
  };
}

/** The image's search path stays beside the configured variables, and is not among them. */
function ownVariables(found: unknown, expected: unknown): unknown {
  const isOwn = typeof expected === "object" && expected !== null && !("PATH" in expected);
  if (!isOwn || typeof found !== "object" || found === null) return found;
  const { PATH: _, ...rest } = found as Record<string, string>;
  return rest;
}
