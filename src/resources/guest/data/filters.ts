import { bool, type Desired, glob, oneOf, set, string } from "#kit";
import type { InventoryGuest } from "#pve";

/** Filters for guests: each one that is given must match. */
export const guestFilters = (noun: string) =>
  ({
    name: { type: string(), mode: "optional", doc: "Name; `*` and `?` stand for any characters, any one character." },
    node: { type: string(), mode: "optional", doc: `Only ${noun}s on this node.` },
    pool: { type: string(), mode: "optional", doc: `Only ${noun}s in this pool; \`""\` for those in none.` },
    tags: { type: set(string()), mode: "optional", doc: `Only ${noun}s that have all these tags.` },
    template: { type: bool(), mode: "optional", doc: `Only templates, or only ${noun}s that are none.` },
    status: { type: oneOf(["running", "stopped"]), mode: "optional", doc: `Only ${noun}s in this state.` },
  }) as const;

export function guestMatcher(filters: Desired<ReturnType<typeof guestFilters>>): (guest: InventoryGuest) => boolean {
  const { node, pool, tags, template, status } = filters;
  const isNamed = filters.name === null ? () => true : glob(filters.name);
  const wantedTags = (tags ?? []).map((tag) => tag.toLowerCase());
  return (guest) =>
    isNamed(guest.name ?? "") &&
    (node === null || guest.node === node) &&
    (pool === null || (guest.pool ?? "") === pool) &&
    wantedTags.every((tag) => guest.tags.some((one) => one.toLowerCase() === tag)) &&
    (template === null || guest.isTemplate === template) &&
    (status === null || guest.status === status);
}
