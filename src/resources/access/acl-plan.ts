import { checkPrivileges, checkReference, type Need, type PlanContext, type Report, rolesOf, type Session } from "#kit";
import type { AclEntry, AclKey } from "#pve";
import type { AclAttributes } from "./acl-attributes.ts";
import { aclOf, entryExists, entryId, findEntry, isSameEntry } from "./acl-entries.ts";
import { objectOfPath, privilegesToModify } from "./acl-path.ts";
import { warnOfLockOut } from "./own-rights.ts";

type AclPlan = PlanContext<AclAttributes, object, Session>;

/** Looks at an entry before it is made or changed: whether all it names is there, and what it does to the caller. */
export async function planAcl(context: AclPlan, api: Session, key: AclKey): Promise<void> {
  const { prior, planned, changes, report } = context;
  const id = entryId(key);
  if (prior === null) {
    await checkReference(api, report, { kind: "role", name: key.role, path: "role" });
    await checkReference(api, report, { kind: key.type, name: key.subject, path: key.type });
    await warnOfMissingObject(report, api, key.path);
    const entries = await aclOf(api);
    if (findEntry(entries, key) !== null && !api.managed.has("proxmox_acl", id)) {
      const { summary, detail } = entryExists(key);
      report.error(null, summary, detail);
    }
  }
  if (changes.size === 0) return;
  await checkPrivileges({ report, api, needs: [needOf(key)] });
  await warnOf(report, api, key, { ...key, propagate: planned.propagate ?? true });
}

export const warnOfRemoval = (report: Report, api: Session, key: AclKey): Promise<void> =>
  warnOf(report, api, key, null);

export const needOf = ({ path }: AclKey): Need => ({
  privileges: privilegesToModify(path),
  paths: [path],
  attribute: "path",
});

async function warnOf(
  report: Pick<Report, "warning">,
  api: Session,
  key: AclKey,
  after: AclEntry | null,
): Promise<void> {
  const [entries, roles] = [await aclOf(api), await rolesOf(api)];
  const privilegesOf = (role: string) => roles.find(({ id }) => id === role)?.privileges ?? [];
  const others = entries.filter((entry) => !isSameEntry(entry, key));
  await warnOfLockOut(report, api, key.path, {
    before: { entries, privilegesOf },
    after: { entries: after === null ? others : [...others, after], privilegesOf },
  });
}

/** PVE takes entries for what is not there, so this may be meant; more often it is a slip. */
async function warnOfMissingObject(report: Report<"path">, api: Session, path: string): Promise<void> {
  const object = objectOfPath(path);
  if (object === null) return;
  const { kind, id } = object;
  const planned = kind === "vm" ? "guest" : kind;
  if (api.planned.has(planned, id)) return;
  const { guests, storages, pools, nodes } = await api.inventory.snapshot();
  const isThere = {
    vm: () => guests.has(Number(id)),
    storage: () => storages.some(({ storage }) => storage === id),
    pool: () => pools.includes(id),
    node: () => nodes.has(id),
  };
  if (isThere[kind]() || (kind !== "node" && (await api.planned.includes(planned, id)))) return;
  const name = kind === "vm" ? `VM or container ${id}` : `${kind} \`${id}\``;
  report.warning(
    "path",
    "Nothing is there yet",
    `There is no ${name}, or you may not see it. The entry is made all the same${
      kind === "vm" ? ", and goes away when a VM of that id is destroyed" : ""
    }.`,
  );
}
