import { alreadyExists, Failure, type PlanContext, type Report, type Session, string } from "#kit";
import { clusterScope, parseScope, type Scope, scopeId, vmid } from "./scope.ts";

/** Sets and aliases belong to the cluster or to a guest, and have a name there. */
export interface Named {
  readonly scope: Scope;
  readonly name: string;
}

/** `admins`, or `guest/401/admins`. */
export const namedId = ({ scope, name }: Named): string =>
  scope.kind === "cluster" ? name : `${scopeId(scope)}/${name}`;

export function parseNamedId(id: string): Named | null {
  if (/^[A-Za-z][\w-]*$/.test(id)) return { scope: clusterScope, name: id };
  const [, owner = "", name = ""] = /^(guest\/\d+)\/([A-Za-z][\w-]*)$/.exec(id) ?? [];
  const scope = parseScope(owner);
  return scope === null ? null : { scope, name };
}

export function requireNamed(id: string): Named {
  const named = parseNamedId(id);
  if (named !== null) return named;
  throw new Failure("Invalid import ID", `\`${id}\` is neither \`NAME\` nor \`guest/VMID/NAME\`.`);
}

/** The attributes that both have; another name renames it. */
export const namedAttributes = {
  id: {
    type: string(),
    mode: "computed",
    instead: "Set `name`, and `vmid` for one of a guest.",
    doc: "`NAME` for the cluster, `guest/VMID/NAME` for a guest, with the name that it was created or imported by: Terraform's identity of an object cannot change.",
  },
  vmid: {
    type: vmid,
    mode: "optional",
    replace: true,
    doc: "VM or container that it belongs to. Left out: the cluster.",
  },
} as const;

export function namedOf({ vmid: guest, name }: { readonly vmid: number | null; readonly name: string }): Named {
  return { scope: guest === null ? clusterScope : { kind: "guest", vmid: guest }, name };
}

/** The object as it is called now: the identity keeps its first name. */
export const currentName = (id: string, state: { readonly name: string } | null): Named => ({
  ...requireNamed(id),
  ...(state && { name: state.name }),
});

/** The identity that it would have by its present name; undefined while that is not known. */
export const nameNow = (guest: number | null | undefined, name: string | undefined): string | undefined =>
  guest === undefined || name === undefined ? undefined : namedId(namedOf({ vmid: guest, name }));

/** The identity of a new object and the reference, as far as they are known; null while they are not. */
export function planNames(
  context: Pick<
    PlanContext<typeof namedAttributes & { reference: typeof reference }, object, Session>,
    "set" | "setUnknown" | "prior"
  >,
  config: { readonly vmid: number | null | undefined; readonly name: string | undefined },
  prefix: string,
): Named | null {
  const { vmid: guest, name } = config;
  if (guest === undefined || name === undefined) {
    context.setUnknown("reference");
    return null;
  }
  const named = namedOf({ vmid: guest, name });
  if (context.prior === null) context.set("id", namedId(named));
  context.set("reference", referenceTo(named, prefix));
  return named;
}

export const referenceTo = ({ scope, name }: Named, prefix: string): string =>
  `${prefix}${scope.kind === "cluster" ? "dc" : "guest"}/${name}`;

export const reference = {
  type: string(),
  mode: "computed",
  keep: { unless: ["name"] },
  instead: "Set `name`.",
  doc: "What `source` and `dest` of a rule take.",
} as const;

export const existing = (type: string, noun: string, named: Named) =>
  alreadyExists({
    type,
    id: namedId(named),
    label: `${noun} "${namedId(named)}"`,
    otherwise: "Otherwise choose another `name`.",
  });

/** PVE renames sets and aliases, and leaves what names them as it is. */
export function warnOfRename(report: Pick<Report, "warning">, noun: "alias" | "set", from: string, to: string): void {
  report.warning(
    "name",
    "Rules keep the old name",
    `Proxmox VE renames the ${noun} \`${from}\` to \`${to}\` and leaves rules that name it as they are: they take no effect until they are changed. To rename without that, create a second ${noun}, change the rules, then remove the first.`,
  );
}
