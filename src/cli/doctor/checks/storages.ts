import { enumerate, isGranted } from "#kit";
import type { StorageStatus } from "#pve";
import { type Check, type Finding, failed, notice, ok } from "../check.ts";
import type { Visit } from "../visit.ts";

/** What a VM needs a storage for, and what it takes to put something there. */
const purposes = [
  { content: "images", what: "disks", privilege: "Datastore.AllocateSpace", isNeeded: true },
  { content: "iso", what: "ISO images", privilege: "Datastore.AllocateTemplate", isNeeded: false },
  { content: "import", what: "images to import", privilege: "Datastore.AllocateTemplate", isNeeded: false },
  { content: "snippets", what: "snippets", privilege: "Datastore.Audit", isNeeded: false },
] as const;

type Purpose = (typeof purposes)[number];

interface Seen extends StorageStatus {
  readonly node: string;
}

/** Which storages can be used, and for what. */
export const storages: Check = {
  id: "storages",
  needs: ["login"],
  async look(visit) {
    const seen = await storagesOf(visit);
    if (seen.length === 0) {
      return failed(
        "no storage is to be seen",
        "Proxmox VE shows a storage to who has Datastore.AllocateSpace or Datastore.Audit on it: grant one on /storage.",
      );
    }
    return [...(await Promise.all(purposes.map((purpose) => judge(purpose, seen, visit)))), ...inactive(seen)];
  },
};

async function storagesOf(visit: Visit): Promise<readonly Seen[]> {
  const { storage } = visit.client();
  const byNode = await Promise.all(
    (await visit.nodes()).map(async (node) => (await storage.listOnNode(node)).map((one) => ({ ...one, node }))),
  );
  return byNode.flat().filter(({ enabled }) => enabled !== false);
}

async function judge(purpose: Purpose, seen: readonly Seen[], visit: Visit): Promise<Finding> {
  const { content, what, privilege, isNeeded } = purpose;
  const fit = seen.filter((one) => one.content.includes(content) && one.active !== false);
  const permissions = await visit.permissions();
  const usable = fit.filter(({ storage }) => isGranted(permissions, `/storage/${storage}`, privilege));
  if (usable.length > 0) return ok(`${what}: ${enumerate(usable.map(({ storage }) => storage))}`);
  const fault = isNeeded ? failed : notice;
  return fit.length === 0
    ? fault(`no storage takes ${what}`, `Add \`${content}\` to the content of one: Datacenter, Storage, Edit.`)
    : fault(
        `${what} may not be put on ${enumerate(fit.map(({ storage }) => storage))}`,
        `Grant ${privilege} on /storage, or on those that may be used.`,
      );
}

/** Enabled, and yet the node cannot use it: a share that is away, a pool that was not imported. */
export function inactive(seen: readonly Pick<Seen, "storage" | "node" | "active">[]): readonly Finding[] {
  return seen
    .filter(({ active }) => active === false)
    .map(({ storage, node }) =>
      notice(`\`${storage}\` is not active on ${node}`, `On ${node}: \`pvesm status --storage ${storage}\` says why.`),
    );
}
