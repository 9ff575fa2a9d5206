import {
  alternatives,
  isPveError,
  oncePerRun,
  oncePerRunFor,
  type PlannedObjects,
  type Report,
  type Session,
} from "#kit";
import { namedAddress } from "./formats.ts";
import { clusterScope, locate, parseScope, requirePlace, type Scope, scopeId } from "./scope.ts";

/** A rule or an entry in which names may not be known yet. */
interface Named {
  readonly macro?: string | null | undefined;
  readonly security_group?: string | null | undefined;
  readonly source?: string | null | undefined;
  readonly dest?: string | null | undefined;
}

type Path = readonly (string | number)[];

/** As plans of aliases, sets and groups announce them: `dc/office`, `guest/401/db`. Names of aliases have no case. */
export const plannedName = (scope: Scope, name: string): string =>
  `${scope.kind === "guest" ? scopeId(scope) : "dc"}/${name.toLowerCase()}`;

/**
 * Macros, groups, aliases and sets that new rules name have to exist, or to be created by the same plan. While it is not known
 * whose rules they are, names that may be a guest's own are not judged.
 */
export async function checkReferences(
  api: Session,
  report: Pick<Report, "error">,
  scope: Scope | undefined,
  named: readonly { readonly rule: Named; readonly path: Path }[],
): Promise<void> {
  for (const { rule, path } of named) {
    if (rule.macro) await checkMacro(api, report, rule.macro, [...path, "macro"]);
    if (rule.security_group) await checkGroup(api, report, rule.security_group, [...path, "security_group"]);
    for (const attribute of ["source", "dest"] as const) {
      const text = rule[attribute];
      if (text) await checkAddress(api, report, scope, text, [...path, attribute]);
    }
  }
}

async function checkMacro(api: Session, report: Pick<Report, "error">, macro: string, path: Path): Promise<void> {
  const macros = await macrosOf(api);
  if (macros.some((name) => name.toLowerCase() === macro.toLowerCase())) return;
  report.error(path, "No such macro", `Macro \`${macro}\` does not exist. ${alternatives(macro, macros)}`);
}

const macrosOf = oncePerRun(async (api) => (await api.firewall.listMacros()).map(({ macro }) => macro));

async function checkGroup(api: Session, report: Pick<Report, "error">, group: string, path: Path): Promise<void> {
  if (api.planned.has("firewall_group", group)) return;
  const groups = (await groupsOf(api)).map(({ group: name }) => name);
  if (groups.includes(group) || (await api.planned.includes("firewall_group", group))) return;
  report.error(
    path,
    "No such security group",
    `Security group \`${group}\` does not exist, and Proxmox VE would ignore the rule. ${alternatives(group, groups)} If this configuration creates it, refer to it: \`proxmox_firewall_security_group.NAME.name\`.`,
  );
}

/** Every login may list the security groups. */
export const groupsOf = oncePerRun((api) => api.firewall.groups.list());

/** A name of an alias or a set in an address; everything else is not judged here. */
export async function checkAddress(
  api: Session,
  report: Pick<Report, "error">,
  owner: Scope | undefined,
  text: string,
  path: Path,
): Promise<void> {
  const named = namedAddress(text);
  if (named === null || (owner === undefined && named.scope !== "dc")) return;
  const { kind, name } = named;
  const scope = owner ?? clusterScope;
  const isGuest = scope.kind === "guest";
  const planned = `firewall_${kind}` as const satisfies Parameters<PlannedObjects["has"]>[0];
  const scopes: Scope[] = [
    ...(isGuest && named.scope !== "dc" ? [scope] : []),
    ...(named.scope === "guest" ? [] : [clusterScope]),
  ];
  const names = scopes.map((one) => plannedName(one, name));
  if (names.some((one) => api.planned.has(planned, one)) || isPlannedVnet(api, named)) return;
  const known = await referencesOf(api, isGuest ? scopeId(scope) : "cluster");
  if (known === null) return;
  const isThere = known.some(
    (one) =>
      one.type === kind &&
      one.name.toLowerCase() === name.toLowerCase() &&
      (named.scope === null || one.scope === named.scope),
  );
  if (isThere) return;
  for (const one of names) if (await api.planned.includes(planned, one)) return;
  const spelled = known.filter(({ type }) => type === kind).map((one) => spellingOf(one));
  const noun = kind === "alias" ? "alias" : "IP set";
  report.error(
    path,
    `No such ${noun}`,
    `${kind === "alias" ? "Alias" : "IP set"} \`${text}\` does not exist. ${alternatives(text, spelled)} If this configuration creates it, refer to it: \`proxmox_firewall_${kind}.NAME.reference\`.`,
  );
}

/** Sets of a vnet exist once the SDN is applied. */
const isPlannedVnet = (api: Session, { kind, name }: { readonly kind: string; readonly name: string }): boolean =>
  kind === "ipset" && api.planned.has("vnet", name.replace(/-(?:all|gateway|no-gateway|dhcp)$/, ""));

const spellingOf = ({ type, name, scope }: { type: string; name: string; scope?: string | undefined }): string =>
  `${type === "ipset" ? "+" : ""}${scope ? `${scope}/` : ""}${name}`;

/** What rules of a firewall may name. Null: the caller may not see it, so nothing is judged. */
const referencesOf = oncePerRunFor(async (api: Session, id: string) => {
  try {
    // A guest that does not exist yet has no names of its own.
    const place = (await locate(api, parseScope(id) ?? clusterScope)) ?? (await requirePlace(api, clusterScope));
    return await api.firewall.listReferences(place);
  } catch (reason) {
    if (isPveError(reason, "permission")) return null;
    throw reason;
  }
});
