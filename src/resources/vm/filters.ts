import { bool, type Desired, glob, oneOf, set, string } from "#kit";
import type { InventoryGuest } from "#pve";

/** What VMs are chosen by, wherever some of many are: each filter that is given must match. */
export const vmFilters = {
  name: { type: string(), mode: "optional", doc: "Name; `*` and `?` stand for any characters, any one character." },
  node: { type: string(), mode: "optional", doc: "Only VMs on this node." },
  pool: { type: string(), mode: "optional", doc: 'Only VMs in this pool; `""` for those in none.' },
  tags: { type: set(string()), mode: "optional", doc: "Only VMs that have all these tags." },
  template: { type: bool(), mode: "optional", doc: "Only templates, or only VMs that are none." },
  status: { type: oneOf(["running", "stopped"]), mode: "optional", doc: "Only VMs in this state." },
} as const;

export function vmMatcher(filters: Desired<typeof vmFilters>): (vm: InventoryGuest) => boolean {
  const { node, pool, tags, template, status } = filters;
  const isNamed = filters.name === null ? () => true : glob(filters.name);
  const wantedTags = (tags ?? []).map((tag) => tag.toLowerCase());
  return (vm) =>
    isNamed(vm.name ?? "") &&
    (node === null || vm.node === node) &&
    (pool === null || (vm.pool ?? "") === pool) &&
    wantedTags.every((tag) => vm.tags.some((one) => one.toLowerCase() === tag)) &&
    (template === null || vm.isTemplate === template) &&
    (status === null || vm.status === status);
}
