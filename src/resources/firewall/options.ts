import { checkPrivileges, defineResource, nested, type PlanContext, type Session } from "#kit";
import type { FirewallPlace } from "#pve";
import { announce, changingFirewall } from "./activity.ts";
import { awaitPlace, checkOwnerExists } from "./belonging.ts";
import { checkLockOut, lockOutAttributes } from "./lock-out.ts";
import { optionsMoves } from "./moved-from.ts";
import { clusterOptions, guestOptions, nodeOptions, vnetOptions } from "./option-attributes.ts";
import { readOptions, writeOptions } from "./options-model.ts";
import { checkOwner, releaseOwner } from "./owners.ts";
import { isKnown, planFirewall } from "./planned-firewalls.ts";
import {
  clusterScope,
  describeScope,
  ifThere,
  labelOf,
  locate,
  needsOf,
  requirePlace,
  requireScope,
  type Scope,
  type ScopeKind,
  scopeAttributes,
  scopeId,
  scopeValues,
} from "./scope.ts";

const type = "proxmox_firewall_options";
const own = { type, parts: ["options"] } as const;
const kinds = ["cluster", "node", "guest", "vnet"] as const satisfies readonly ScopeKind[];

const replace = {
  when: "if it takes the place of another one; changes inside are made in place unless named here",
} as const;

const attributes = {
  id: scopeAttributes.id,
  ...lockOutAttributes,
  cluster: {
    type: nested(clusterOptions, { mayBeEmpty: true }),
    mode: "optional",
    replace,
    doc: "Options of the cluster's firewall. Exactly one of `cluster`, `node`, `guest` and `vnet` is given.",
  },
  node: { type: nested(nodeOptions), mode: "optional", replace, doc: "Options of a node's firewall." },
  guest: {
    type: nested(guestOptions),
    mode: "optional",
    replace,
    doc: "Options of the firewall of a VM or container, on whichever node it runs.",
  },
  vnet: { type: nested(vnetOptions), mode: "optional", replace, doc: "Options of a vnet's firewall." },
} as const;

type Options = Readonly<Record<string, unknown>>;
type Given = { readonly [K in ScopeKind]?: object | null | undefined };

/** `proxmox_firewall_options`. Server side: pve-firewall `src/PVE/API2/Firewall/{Cluster,Host,VM,Vnet}.pm`. */
export const firewallOptions = defineResource({
  type,
  subcategory: "Firewall",
  doc: "Switches and policies of one firewall: of the cluster, of a node, of a guest or of a vnet. They always exist: an option that is not written has Proxmox VE's default, and destroying the resource unsets them all. The firewall of the cluster is enabled after all other changes of firewalls in the same apply, unless they wait for these options.",
  attributes,
  identity: ["id"],
  privateState: {},
  moves: optionsMoves(attributes),
  label: ({ id }) => labelOf("firewall options", id),

  validate({ config, report }) {
    if (kinds.some((kind) => config[kind] === undefined)) return;
    const given = kinds.filter((kind) => config[kind] !== null);
    if (given.length === 1) return;
    const found = given.length === 0 ? "none is" : `${given.map((kind) => `\`${kind}\``).join(" and ")} are`;
    report.error(
      given[1] ?? null,
      "Exactly one firewall",
      `Exactly one of \`cluster\`, \`node\`, \`guest\` and \`vnet\` must be given, and ${found}.`,
    );
  },

  async plan(context) {
    const { api, config, prior, changes, report } = context;
    const scope = scopeOf(config);
    if (scope === null) return;
    const id = scopeId(scope);
    if (prior !== null && prior.id !== id) context.replace(scope.kind, "The options of another firewall are others.");
    context.set("id", id);
    if (!api) return;
    checkOwner(api, report, { ...own, scope, privateState: context.privateState, isChange: changes.size > 0 });
    announce(api, context.privateState, changes.size > 0 ? keyOf(scope) : null);
    if (changes.size === 0) return;
    const isAllowed = await checkPrivileges({ report, api, needs: await needsOf(api, scope) });
    const options = isKnown(config[scope.kind]) ? (config[scope.kind] as Options) : {};
    if (isAllowed && prior?.id !== id) await checkOwnerExists(api, report, scope, [scope.kind]);
    if (isAllowed) await checkLockOut(api, report, scope.kind, { scope, options }, config);
    if (isAllowed && prior === null) await warnOfExisting(report, api, scope, config[scope.kind] as Options);
  },

  async planDelete({ api, id, privateState, report }) {
    if (!api) return;
    const scope = requireScope(id.id);
    announce(api, privateState, keyOf(scope));
    checkOwner(api, report, { ...own, scope, privateState, isRemoval: true });
    planFirewall(api, scope, { options: {} });
    await checkPrivileges({ report, api, needs: await needsOf(api, scope) });
  },

  create: async ({ api, desired, signal }) => {
    const scope = scopeOf(desired) ?? clusterScope;
    await write(api, scope, desired, signal, awaitPlace);
    return { id: scopeId(scope) };
  },

  async read({ api, id, signal }) {
    const scope = requireScope(id.id);
    const { kind } = scope;
    const options = await ifThere(api, scope, (place) => readOptions(api, kind, place, signal));
    if (options === null) return null;
    const owner =
      kind === "cluster" ? {} : kind === "guest" ? { vmid: scope.vmid } : { [kind]: scopeValues(scope)[kind] };
    return { id: id.id, cluster: null, node: null, guest: null, vnet: null, [kind]: { ...owner, ...options } };
  },

  update: ({ api, id, desired, signal }) => write(api, requireScope(id.id), desired, signal),

  async delete({ api, id, state, signal }) {
    const scope = requireScope(id.id);
    const { node, vmid, vnet, ...options } = (state[scope.kind] ?? {}) as Options;
    const nothing = Object.fromEntries(Object.keys(options).map((name) => [name, null]));
    const unset = (place: FirewallPlace) => writeOptions(api, scope, place, nothing, { key: keyOf(scope), signal });
    await changingFirewall(api, keyOf(scope), () => ifThere(api, scope, unset));
    releaseOwner(api, { ...own, scope });
  },

  import: ({ id }) => ({ id: scopeId(requireScope(id.trim())) }),
});

const keyOf = (scope: Scope) => `${type} ${scopeId(scope)}` as const;

/** Null: not known yet, or not one. */
function scopeOf(config: Given): Scope | null {
  const kind = kinds.find((one) => config[one]);
  const { node, vmid, vnet } = ((kind && config[kind]) ?? {}) as { node?: string; vmid?: number; vnet?: string };
  switch (kind) {
    case undefined:
      return null;
    case "cluster":
      return clusterScope;
    case "node":
      return node === undefined ? null : { kind, name: node };
    case "guest":
      return vmid === undefined ? null : { kind, vmid };
    case "vnet":
      return vnet === undefined ? null : { kind, name: vnet };
  }
}

async function write(
  api: Session,
  scope: Scope,
  desired: Given,
  signal: AbortSignal,
  find: typeof awaitPlace = requirePlace,
): Promise<void> {
  releaseOwner(api, { ...own, scope });
  const place = await find(api, scope, signal);
  const { node, vmid, vnet, ...options } = (desired[scope.kind] ?? {}) as Options;
  const key = keyOf(scope);
  const work = () => writeOptions(api, scope, place, options, { key, signal });
  // The change that enables the cluster's firewall waits for the others, and must not wait for itself.
  await (options["enabled"] === true && scope.kind === "cluster" ? work() : changingFirewall(api, key, work));
}

/** Options are always there: those that are set and not written are unset, which the plan of a creation does not show. */
async function warnOfExisting(
  report: PlanContext<typeof attributes, object, Session>["report"],
  api: Session,
  scope: Scope,
  desired: Options,
): Promise<void> {
  const now = await ifThere(api, scope, (place) => readOptions(api, scope.kind, place), locate);
  const unset = Object.entries(now ?? {}).filter(([name, value]) => value !== null && desired[name] === null);
  if (unset.length === 0) return;
  const shown = unset.map(([name, value]) => `  ${name} = ${JSON.stringify(value)}`).join("\n");
  report.warning(
    scope.kind,
    "Existing options are unset",
    `The firewall of ${describeScope(scope)} has options that are not written, and they will go back to Proxmox VE's defaults:\n\n${shown}\n\nWrite them to keep them.`,
  );
}
