import { enumerate } from "#kit";
import type { StorageStatus } from "#pve";
import { type Check, type Finding, notice, ok } from "../check.ts";
import type { CheckContext } from "../check-context.ts";
import { lacking } from "../vm-role.ts";

/** What a VM needs a storage for, and the privilege to put it there. */
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
  async look(context) {
    const seen = await storagesOf(context);
    if (seen.length === 0) {
      return lacking(await context.permissions())(
        "no storage is visible",
        "A storage is visible with Datastore.AllocateSpace or Datastore.Audit on it: grant one of them on /storage.",
      );
    }
    return [...(await Promise.all(purposes.map((purpose) => judge(purpose, seen, context)))), ...inactive(seen)];
  },
};

async function storagesOf(context: CheckContext): Promise<readonly Seen[]> {
  const { storage } = context.client();
  const byNode = await Promise.all(
    (await context.nodes()).map(async (node) => (await storage.listOnNode(node)).map((one) => ({ ...one, node }))),
  );
  return byNode.flat().filter(({ enabled }) => enabled !== false);
}

async function judge(purpose: Purpose, seen: readonly Seen[], context: CheckContext): Promise<Finding> {
  const { content, what, privilege, isNeeded } = purpose;
  const fit = seen.filter((one) => one.content.includes(content) && one.active !== false);
  const holds = await context.holds();
  const usable = fit.filter(({ storage }) => holds(`/storage/${storage}`, privilege));
  if (usable.length > 0) return ok(`${what}: ${enumerate(usable.map(({ storage }) => storage))}`);
  const fault = isNeeded ? lacking(await context.permissions()) : notice;
  return fit.length === 0
    ? fault(`no storage accepts ${what}`, `Add \`${content}\` to the content of one: Datacenter, Storage, Edit.`)
    : fault(
        `no privilege to put ${what} on ${enumerate(fit.map(({ storage }) => storage))}`,
        `Grant ${privilege} on /storage, or on the storages to use.`,
      );
}

/** Enabled, but not usable on the node: an unreachable share, a pool that was not imported. */
export function inactive(seen: readonly Pick<Seen, "storage" | "node" | "active">[]): readonly Finding[] {
  return seen
    .filter(({ active }) => active === false)
    .map(({ storage, node }) =>
      notice(
        `\`${storage}\` is not active on ${node}`,
        `On ${node}: \`pvesm status --storage ${storage}\` shows the reason.`,
      ),
    );
}
