import {
  checkPrivileges,
  createOnce,
  defineResource,
  isPveError,
  provenWrite,
  type Report,
  type Session,
  string,
} from "#kit";
import { announce, changingFirewall } from "./activity.ts";
import { awaitPlace, checkOwnerExists } from "./belonging.ts";
import { faultOfNetwork } from "./formats.ts";
import { entryKey } from "./ipset-entries.ts";
import { checkLockOut, lockOutAttributes } from "./lock-out.ts";
import { aliasMoves } from "./moved-from.ts";
import {
  currentName,
  existing,
  type Named,
  namedAttributes,
  namedId,
  namedOf,
  nameNow,
  planNames,
  reference,
  referenceTo,
  requireNamed,
  warnOfRename,
} from "./named-object.ts";
import { checkOwner } from "./owners.ts";
import { planName } from "./planned-names.ts";
import { plannedName } from "./references.ts";
import { comment, isAliasName } from "./rule-attributes.ts";
import { clusterScope, ifThere, locate, needsOf, requirePlace, scopeId } from "./scope.ts";

const type = "proxmox_firewall_alias";

export const aliasAttributes = {
  ...namedAttributes,
  name: {
    type: string({ check: isAliasName }),
    mode: "required",
    doc: "Name of the alias; upper and lower case are the same to Proxmox VE. Another name renames it; rules keep the old name.",
  },
  cidr: {
    type: string({ check: faultOfNetwork, same: (a, b) => entryKey(a) === entryKey(b) && hostOf(a) === hostOf(b) }),
    mode: "required",
    doc: "IP address or network, such as `10.0.0.0/24`.",
  },
  comment: { type: comment, mode: "optional", doc: "A comment." },
  reference,
  ...lockOutAttributes,
} as const;

/** `proxmox_firewall_alias`. Server side: pve-firewall `src/PVE/API2/Firewall/Aliases.pm`. */
export const firewallAlias = defineResource({
  type,
  subcategory: "Firewall",
  doc: "A name for an address or a network in the firewall of the cluster or of a guest. Rules and IP sets name it by `reference`.",
  attributes: aliasAttributes,
  identity: ["id"],
  privateState: {},
  moves: aliasMoves(aliasAttributes),
  nameOf: ({ vmid, name }) => nameNow(vmid, name?.toLowerCase()),
  label: ({ id, name }) => (name || id ? `firewall alias "${name ?? id}"` : "firewall alias"),

  async plan(context) {
    const { api, config, prior, changes, report, privateState } = context;
    if (api) announce(api, privateState, null);
    if (prior !== null && changes.size === 0) return;
    const named = planNames(context, config, "");
    if (!api || named === null) return;
    announce(api, privateState, keyOf(prior?.id ?? namedId(named)));
    checkOwner(api, report, { type, scope: named.scope, parts: ["aliases"], privateState });
    const isOther = prior === null || prior.vmid !== config.vmid || !isSameName(prior.name, named.name);
    if (isOther) api.planned.add("firewall_alias", plannedName(named.scope, named.name));
    if (!(await checkPrivileges({ report, api, needs: await needsOf(api, named.scope) }))) return;
    if (prior === null) await checkOwnerExists(api, report, named.scope);
    if (isOther) await refuseExisting(api, report, named);
    if (prior !== null && isOther) warnOfRename(report, "alias", prior.name, named.name);
    if (named.scope.kind !== "cluster") return;
    if (prior !== null && isOther) planName.alias(api, prior.name, null);
    planName.alias(api, named.name, config.cidr);
    if (prior !== null) await checkLockOut(api, report, "cidr", { scope: clusterScope }, config);
  },

  async planDelete({ api, id, state, privateState, report }) {
    if (!api) return;
    const { scope } = requireNamed(id.id);
    announce(api, privateState, keyOf(id.id));
    if (!(await checkPrivileges({ report, api, needs: await needsOf(api, scope) }))) return;
    if (scope.kind !== "cluster") return;
    planName.alias(api, state.name, null);
    await checkLockOut(api, report, "cidr", { scope }, state);
  },

  create: ({ api, desired, signal }) =>
    changingFirewall(api, keyOf(namedId(namedOf(desired))), async () => {
      const named = namedOf(desired);
      const calls = api.firewall.aliases(await awaitPlace(api, named.scope, signal));
      const find = async () => (await calls.list({ signal })).find(({ name }) => isSameName(name, named.name)) ?? null;
      const make = () =>
        changingAliases(api, named, () => calls.create({ name: named.name, ...changeOf(desired) }, { signal }));
      await createOnce({ api, signal, find, make, exists: existing(type, "Firewall alias", named), path: "name" });
      api.planned.fulfil("firewall_alias", plannedName(named.scope, named.name));
      return { id: namedId(named) };
    }),

  async read({ api, id, state, purpose, signal }) {
    const { scope, name } = currentName(id.id, state);
    const aliases = await ifThere(api, scope, (place) => {
      const list = () => api.firewall.aliases(place).list({ signal });
      return purpose === "refresh" ? api.store.remember(aliasesOf({ scope }), list) : list();
    });
    const found = aliases?.find((alias) => isSameName(alias.name, name));
    if (found === undefined) return null;
    return {
      id: id.id,
      vmid: scope.kind === "guest" ? scope.vmid : null,
      name: state && isSameName(state.name, found.name) ? state.name : found.name,
      cidr: found.cidr,
      comment: found.comment || null,
      reference: referenceTo({ scope, name }, ""),
    };
  },

  update: ({ api, id, prior, desired, signal }) =>
    changingFirewall(api, keyOf(id.id), async () => {
      const { scope } = requireNamed(id.id);
      const calls = api.firewall.aliases(await requirePlace(api, scope));
      const { name, cidr, comment: text } = desired;
      const isDone = async () =>
        (await calls.list({ signal })).some(
          (one) =>
            isSameName(one.name, name) && entryKey(one.cidr) === entryKey(cidr) && (one.comment || null) === text,
        );
      const rename = isSameName(prior.name, name) ? {} : { rename: name };
      const write = () => calls.update(prior.name, { ...changeOf(desired), ...rename }, { signal });
      await provenWrite(api, { write: () => changingAliases(api, { scope }, write), isDone, signal });
      api.planned.fulfil("firewall_alias", plannedName(scope, name));
    }),

  delete: ({ api, id, state, signal }) =>
    changingFirewall(api, keyOf(id.id), async () => {
      const { scope, name } = currentName(id.id, state);
      await ifThere(api, scope, (place) =>
        changingAliases(api, { scope }, () => api.firewall.aliases(place).remove(name, { signal })),
      );
    }),

  import: ({ id }) => ({ id: namedId(requireNamed(id.trim())) }),
});

const keyOf = (id: string) => `${type} ${id}` as const;

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Unlike an entry of a set, an alias keeps its host bits. */
const hostOf = (text: string): string => text.toLowerCase().replace(/\/.*$/, "");

const changeOf = ({ cidr, comment: text }: { readonly cidr: string; readonly comment: string | null }) => ({
  cidr,
  ...(text !== null && { comment: text }),
});

/** The list is read once for all aliases of a firewall; one that is changed has it read again. */
const aliasesOf = ({ scope }: Pick<Named, "scope">): string => `aliases of ${scopeId(scope)}`;

const changingAliases = <T>(api: Session, of: Pick<Named, "scope">, work: () => Promise<T>): Promise<T> =>
  api.store.changing(aliasesOf(of), work);

async function refuseExisting(api: Session, report: Pick<Report, "error">, named: Named): Promise<void> {
  const place = await locate(api, named.scope);
  if (place === null || api.managed.has(type, namedId({ ...named, name: named.name.toLowerCase() }))) return;
  const listed = await api.firewall
    .aliases(place)
    .list()
    .catch((reason: unknown) => {
      if (isPveError(reason, "permission")) return [];
      throw reason;
    });
  if (!listed.some(({ name }) => isSameName(name, named.name))) return;
  const { summary, detail } = existing(type, "Firewall alias", named);
  report.error("name", summary, detail);
}
