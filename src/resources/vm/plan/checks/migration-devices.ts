import { type ConfigDraft, enumerate, type Session } from "#kit";
import { tiesOf } from "../../ties.ts";
import { mappingsOf } from "./facts.ts";

/**
 * Why a VM cannot move with its devices; null if it can. Mapped devices that the other node lacks are found with the
 * mappings.
 */
export async function tiedBy(
  api: Session,
  draft: ConfigDraft,
  from: string,
  isRunning: boolean,
): Promise<string | null> {
  const { local, mapped } = tiesOf(draft, isRunning);
  if (local.length > 0)
    return `with ${enumerate(local)}, which ${local.length === 1 ? "belongs" : "belong"} to ${from}. Remove what ties the VM to its node, or use devices of a mapping that both nodes have.`;
  const fixed = isRunning ? await withoutCapable(api, draft, mapped) : [];
  return fixed.length > 0
    ? `while it runs with ${enumerate(fixed)}. Stop it for the move (\`power = "stopped"\`), or remove the device first.`
    : null;
}

/** Without PCI devices whose mapping says that they can be moved live. */
async function withoutCapable(api: Session, draft: ConfigDraft, slots: readonly string[]): Promise<string[]> {
  const hasPci = slots.some((slot) => slot.startsWith("hostpci"));
  const mappings = hasPci ? await mappingsOf(api, "pci") : [];
  const capable = (mappings ?? []).filter((one) => Number(Object(one)["live-migration-capable"] ?? 0) === 1);
  const names = capable.map(({ id }) => id);
  return slots.filter((slot) => !names.includes(String(draft.read({ option: slot, key: "mapping" }))));
}
