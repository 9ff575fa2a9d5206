import { Failure, type Session } from "#kit";
import type { GuestKind } from "../kind.ts";
import { whyOtherKind } from "../other-kind.ts";

/** `101`, `pve1/101` or a name. */
export async function importGuest({
  kind,
  api,
  id,
}: {
  readonly kind: GuestKind;
  readonly api: Session;
  readonly id: string;
}): Promise<{ vmid: number }> {
  const text = id.trim();
  const [, node, type = kind.type, digits] = /^(?:([^/]+)\/)?(?:(qemu|lxc)\/)?(\d+)$/.exec(text) ?? [];
  if (digits !== undefined && type === kind.type) {
    const guest = await api.inventory.find(kind.type, Number(digits));
    if (guest === null) {
      const other = await whyOtherKind(kind, api, Number(digits));
      throw new Failure(
        `${kind.title} not found`,
        other ?? `There is no ${kind.noun} ${digits}, or it may not be seen.`,
      );
    }
    if (node !== undefined && node !== guest.node) {
      throw new Failure(`${kind.title} not found`, `${kind.title} ${digits} is on ${guest.node}, not on ${node}.`);
    }
    return { vmid: guest.vmid };
  }
  const found = await api.inventory.findByName(kind.type, text);
  const [only] = found;
  if (only === undefined) throw new Failure(`${kind.title} not found`, `There is no ${kind.noun} named "${text}".`);
  if (found.length > 1) {
    const ids = found.map(({ vmid, node: on }) => `${vmid} on ${on}`).join(", ");
    throw new Failure(
      "Ambiguous name",
      `${found.length} ${kind.noun}s are named "${text}": ${ids}. Import one by its VMID.`,
    );
  }
  return { vmid: only.vmid };
}
