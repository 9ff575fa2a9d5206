import type { GuestQuery } from "../context.ts";
import { whyOtherKind } from "../other-kind.ts";
import { whyMissing } from "./source.ts";

/** Why there is nothing to clone: the VMID may be that of a guest of the other kind. */
export async function whyNoSource(query: GuestQuery, reference: string): Promise<{ summary: string; detail: string }> {
  const { kind, api } = query;
  const other = /^\d+$/.test(reference) ? await whyOtherKind(kind, api, Number(reference)) : undefined;
  if (other === undefined) return whyMissing(query, reference);
  const detail = `${other} A ${kind.noun} is cloned from a ${kind.noun}: give the VMID or the name of one.`;
  return { summary: "Template not found", detail };
}
