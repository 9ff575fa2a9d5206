import { alternatives, canAudit, type Session } from "#kit";
import { type Change, isPlaced, willRun } from "../../../guest/plan/checks/change.ts";
import type { VmPlan } from "../../contexts.ts";
import { mappingsOf } from "./facts.ts";

const kinds = { pci: "pci", usb: "usb", virtiofs: "dir" } as const;

/** Devices and directories by their mapping, looked up only where another one is used, or on another node. */
export async function checkMappings(context: VmPlan, api: Session, change: Change): Promise<void> {
  const { config } = context;
  for (const [attribute, kind] of Object.entries(kinds) as [keyof typeof kinds, "pci" | "usb" | "dir"][]) {
    const key = kind === "dir" ? "dirid" : "mapping";
    for (const [slot, device] of Object.entries(config[attribute] ?? {})) {
      const name = device?.mapping;
      const isUsed = name && change.before.read({ option: slot, key }) === name && !isPlaced(context, change);
      if (!name || isUsed || api.planned.has("mapping", name)) continue;
      if (await canAudit(api, `/mapping/${kind}/${name}`, "Mapping.Use"))
        await checkMapping(context, api, change, { path: [attribute, slot, "mapping"], kind, name });
    }
  }
}

interface Wanted {
  readonly path: readonly string[];
  readonly kind: "pci" | "usb" | "dir";
  readonly name: string;
}

async function checkMapping(
  context: VmPlan,
  api: Session,
  { node }: Change,
  { path, kind, name }: Wanted,
): Promise<void> {
  const { report } = context;
  const mappings = await mappingsOf.showing(api, [kind], (all) => all?.some(({ id }) => id === name) ?? false);
  const found = mappings?.find(({ id }) => id === name);
  if (mappings && !found && !(await api.planned.includes("mapping", name))) {
    const names = mappings.flatMap(({ id }) => id ?? []);
    report.error(
      path,
      "No such mapping",
      `Mapping \`${name}\` of kind ${kind} does not exist. ${alternatives(name, names)}`,
    );
  }
  // Only a VM that starts, or moves there, needs the device.
  if (!found?.map || node === undefined || !(willRun(context) || context.prior !== null)) return;
  const nodes = found.map.flatMap((entry) => /(?:^|,)node=([^,]+)/.exec(entry)?.[1] ?? []);
  if (nodes.includes(node)) return;
  report.error(
    path,
    "Mapping not on this node",
    `Mapping \`${name}\` of kind ${kind} has no device on ${node}. Add one for ${node} to the mapping, or place the VM elsewhere. ${alternatives("", nodes)}`,
  );
}
