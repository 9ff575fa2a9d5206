import { type Attributes, checkPrivileges, checkReference, enumerate, type Report, type Session } from "#kit";
import { checkDisks } from "./devices.ts";
import { existing } from "./existing.ts";
import type { DiskKind, Values } from "./kind.ts";

interface Plan {
  readonly config: Values;
  readonly prior: Values | null;
  readonly planned: Values;
  readonly changes: ReadonlySet<string>;
  readonly report: Report;
  replace(path: string, reason: string): void;
}

const need = (privilege: string) => ({ privileges: [privilege], paths: ["/"], attribute: null });

/** Refuses what cannot be made, and any change of what was made. */
export async function planDiskUse<A extends Attributes>(kind: DiskKind<A>, plan: Plan, api: Session): Promise<void> {
  const { config, prior, planned, changes, report } = plan;
  if (prior !== null) planChange(kind, plan);
  if (changes.size === 0) return;
  await checkPrivileges({ report, api, needs: [need("Sys.Modify"), need("Sys.Audit")] });
  const { node, name } = config;
  if (report.failed || typeof node !== "string") return;
  const isNode = await checkReference(api, report, { kind: "node", name: node, path: "node" });
  if (!isNode) return;
  const isSame = prior !== null && !madeWith(kind).some((attribute) => isOther(prior[attribute], planned[attribute]));
  if (isSame && prior["node"] === node && prior["name"] === name) return;
  if (typeof name === "string" && (await isTaken(kind, { node, name }, report, api))) return;
  const devices = kind.disksOf(config);
  const isFreed = prior !== null && prior["node"] === node && prior["destroy_data"] === true;
  const freed = isFreed ? (kind.disksOf(prior) ?? []) : [];
  const label = `${kind.noun} ${String(name ?? "")}`.trim();
  if (devices) await checkDisks(api, { node, devices, attribute: kind.disksAttribute, freed, label }, report);
}

/** Before its disks, which are in use if it exists: the message says how to import it. */
async function isTaken<A extends Attributes>(
  kind: DiskKind<A>,
  { node, name }: { readonly node: string; readonly name: string },
  report: Report,
  api: Session,
): Promise<boolean> {
  if (api.managed.has(kind.type, `${node}/${name}`) || (await kind.find(api, node, name)) === null) return false;
  const { summary, detail } = existing(kind, { node, name });
  report.error("name", summary, detail);
  return true;
}

/** The attributes it was made with: only Terraform knows them. */
export const madeWith = <A extends Attributes>({ attributes }: DiskKind<A>): string[] =>
  Object.entries(attributes).flatMap(([name, { local }]) => (local ? [name] : []));

/** What an import left open can be written down later. */
const isOther = (before: unknown, after: unknown): boolean =>
  before !== null && before !== undefined && JSON.stringify(before) !== JSON.stringify(after);

function planChange<A extends Attributes>(kind: DiskKind<A>, { prior, planned, report, replace }: Plan): void {
  for (const attribute of madeWith(kind)) {
    if (!isOther(prior?.[attribute], planned[attribute])) continue;
    if (prior?.["destroy_data"] === true) {
      const reason = `A ${kind.noun} cannot be changed: it is destroyed WITH ALL DATA in it, its disks are wiped, and another one is made.`;
      replace(attribute, reason);
    } else {
      const detail = `A ${kind.noun} cannot be changed after it was made. To make another one in its place, which destroys all data in it, apply \`destroy_data = true\` first and change \`${attribute}\` then. Otherwise put the old value back.`;
      report.error(attribute, "Cannot be changed", detail);
    }
  }
}

/** Says what a destroy does to the data. */
export async function warnOfDestroy<A extends Attributes>(
  kind: DiskKind<A>,
  state: Values,
  report: Pick<Report, "warning">,
  api: Session,
): Promise<void> {
  const [node, name] = [String(state["node"]), String(state["name"])];
  if (state["destroy_data"] !== true) {
    const detail = `The ${kind.noun} ${name} stays on node ${node} with its data, and Terraform forgets it. To destroy it, apply \`destroy_data = true\` first.`;
    report.warning(null, "Data stays", detail);
    return;
  }
  const definitions = await api.store.remember("/storage", () => api.storage.list());
  const storages = definitions
    .filter((one) => kind.isUsedBy(one, name) && (one.nodes?.includes(node) ?? true))
    .map(({ storage }) => storage);
  const users = storages.length === 0 ? "" : ` It is the place of storage ${enumerate(storages)}.`;
  const disks = kind.disksOf(state) ?? [];
  const wiped = disks.length === 0 ? "its disks are" : `${enumerate(disks)} ${disks.length === 1 ? "is" : "are"}`;
  const detail = `The ${kind.noun} ${name} on node ${node} is destroyed with everything in it, and ${wiped} wiped.${users}`;
  report.warning(null, "All data is destroyed", detail);
}
