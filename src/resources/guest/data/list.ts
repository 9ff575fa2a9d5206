import { type Desired, getNode, type Report, type Session } from "#kit";
import type { GuestBase } from "../base.ts";
import { guestFilters, guestMatcher } from "./filters.ts";
import { warnOfBlindness } from "./visible.ts";

interface Query {
  readonly api: Session;
  readonly config: Desired<ReturnType<typeof guestFilters>>;
  readonly report: Pick<Report, "warning">;
}

/** The list resource of a kind, for `terraform query`: one view of the cluster. */
export const guestList = (kind: GuestBase) => ({
  attributes: guestFilters(kind.noun),

  async *list({ api, config, report }: Query) {
    if (config.node !== null) await getNode(api, config.node);
    const guests = await api.inventory.list(kind.type);
    await warnOfBlindness(kind, report, api, guests);
    for (const { vmid, name, node } of guests.filter(guestMatcher(config)).sort((a, b) => a.vmid - b.vmid)) {
      yield { id: { vmid }, displayName: `${name ?? `${kind.title} ${vmid}`} (${vmid} on ${node})` };
    }
  },
});
