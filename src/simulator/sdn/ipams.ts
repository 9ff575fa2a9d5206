import type { Sdn } from "../core/world/sdn.ts";
import type { ConfigSection } from "../core/world/section.ts";

/** PVE's own address management always exists. */
export const ownIpam = "pve";

export function allIpams({ ipams }: Pick<Sdn, "ipams">): Record<string, ConfigSection> {
  return { ...ipams, [ownIpam]: { type: ownIpam, options: {} } };
}
