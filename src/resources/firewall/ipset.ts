import {
  checkPrivileges,
  createOnce,
  defineResource,
  isPveError,
  map,
  type PlanContext,
  provenWrite,
  type Report,
  type Session,
} from "#kit";
import { announce, changingFirewall } from "./activity.ts";
import { awaitPlace, checkOwnerExists } from "./belonging.ts";
import { checkEntries, type EntryValues, editEntries, entry, observeEntries } from "./ipset-entries.ts";
import { isJustWritten } from "./just-written.ts";
import { checkLockOut, lockOutAttributes } from "./lock-out.ts";
import { ipsetMoves } from "./moved-from.ts";
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
import { checkAddress, plannedName } from "./references.ts";
import { comment, setName } from "./rule-attributes.ts";
import { clusterScope, locate, locateOwn, needsOf, requirePlace, type Scope, scopeId } from "./scope.ts";

const type = "proxmox_firewall_ipset";

const attributes = {
  ...namedAttributes,
  name: {
    type: setName,
    mode: "required",
    doc: "Name of the set. Another name renames it; rules keep the old name.",
  },
  comment: { type: comment, mode: "optional", doc: "A comment." },
  entries: {
    type: map(entry),
    mode: "optional",
    doc: 'Entries by address, network (`"10.0.0.0/24"`) or alias (`"dc/office"`). The most specific entry that matches an address decides.',
  },
  reference,
  ...lockOutAttributes,
} as const;

/** `proxmox_firewall_ipset`. Server side: pve-firewall `src/PVE/API2/Firewall/IPSet.pm`. */
export const firewallIpset = defineResource({
  type,
  subcategory: "Firewall",
  doc: "A set of addresses, networks and aliases in the firewall of the cluster or of a guest, with all of its entries. Rules name it by `reference`. A change takes one call for each entry that differs, and the set stays in use. Sets named `management` and `blacklist` of the cluster, and `ipfilter-net0` of a guest, have a meaning of their own in Proxmox VE.",
  attributes,
  identity: ["id"],
  privateState: {},
  moves: ipsetMoves(attributes),
  nameOf: ({ vmid, name }) => nameNow(vmid, name),
  label: ({ id, name }) => (name || id ? `IP set "${name ?? id}"` : "IP set"),

  validate: ({ config, report }) => checkEntries(Object.keys(config.entries ?? {}), report),

  async plan(context) {
    const { api, config, prior, changes, report, privateState } = context;
    if (api) announce(api, privateState, null);
    if (prior !== null && changes.size === 0) return;
    const named = planNames(context, config, "+");
    if (!api) return;
    if (named === null) return checkNames(context, api, undefined);
    announce(api, privateState, keyOf(prior?.id ?? namedId(named)));
    checkOwner(api, report, { type, scope: named.scope, parts: ["IP sets"], privateState });
    const isOther = prior?.name !== named.name || prior.vmid !== config.vmid;
    if (isOther) api.planned.add("firewall_ipset", plannedName(named.scope, named.name));
    if (!(await checkPrivileges({ report, api, needs: await needsOf(api, named.scope) }))) return;
    if (prior === null) await checkOwnerExists(api, report, named.scope);
    if (isOther) await refuseExisting(api, report, named);
    if (prior !== null && isOther) warnOfRename(report, "set", prior.name, named.name);
    await checkNames(context, api, named.scope);
    if (named.scope.kind !== "cluster") return;
    if (prior !== null && isOther) planName.set(api, prior.name, null);
    planName.set(api, named.name, config.entries === null ? {} : config.entries);
    if (prior !== null) await checkLockOut(api, report, "entries", { scope: clusterScope }, config);
  },

  async planDelete({ api, id, state, privateState, report }) {
    if (!api) return;
    const { scope } = requireNamed(id.id);
    announce(api, privateState, keyOf(id.id));
    if (!(await checkPrivileges({ report, api, needs: await needsOf(api, scope) }))) return;
    if (scope.kind !== "cluster") return;
    planName.set(api, state.name, null);
    await checkLockOut(api, report, "entries", { scope }, state);
  },

  create: ({ api, desired, signal }) =>
    changingFirewall(api, keyOf(namedId(namedOf(desired))), async () => {
      const named = namedOf(desired);
      const { name } = named;
      const calls = api.firewall.sets(await awaitPlace(api, named.scope, signal));
      const find = async () => (await calls.list({ signal })).find((set) => set.name === name) ?? null;
      const make = () => changingSets(api, named, () => calls.create(name, desired.comment, { signal }));
      await createOnce({ api, signal, find, make, exists: existing(type, "IP set", named), path: "name" });
      api.planned.fulfil("firewall_ipset", plannedName(named.scope, name));
      return { id: namedId(named) };
    }),

  settle: ({ api, id, desired, signal }) =>
    changingFirewall(api, keyOf(id.id), async () => {
      const { scope, name } = currentName(id.id, desired);
      await editEntries(api.firewall.sets(await requirePlace(api, scope)), name, entriesOf(desired), signal);
    }),

  async read({ api, id, state, purpose, signal }) {
    const { scope, name } = currentName(id.id, state);
    const place = await locateOwn(api, scope);
    if (place === null) return null;
    const calls = api.firewall.sets(place);
    const list = () => calls.list({ signal });
    const sets = await (purpose === "refresh" ? api.store.remember(setsOf({ scope }), list) : list());
    const set = sets.find((one) => one.name === name);
    if (set === undefined) return null;
    const entries =
      state !== null && isJustWritten(purpose)
        ? (state.entries as never)
        : observeEntries(await calls.listEntries(name, { signal }), state?.entries ?? null);
    return {
      id: id.id,
      vmid: scope.kind === "guest" ? scope.vmid : null,
      name,
      comment: set.comment || null,
      entries,
      reference: referenceTo({ scope, name }, "+"),
    };
  },

  update: ({ api, id, prior, desired, changes, signal }) =>
    changingFirewall(api, keyOf(id.id), async () => {
      const { scope } = requireNamed(id.id);
      const calls = api.firewall.sets(await requirePlace(api, scope));
      const { name, comment: text } = desired;
      if (changes.has("name") || changes.has("comment")) {
        const isDone = async () => {
          const sets = await calls.list({ signal });
          return sets.some((set) => set.name === name && (set.comment || null) === text);
        };
        const rename = () => calls.rename(prior.name, name, text ?? "", { signal });
        await provenWrite(api, { write: () => changingSets(api, { scope }, rename), isDone, signal });
        api.planned.fulfil("firewall_ipset", plannedName(scope, name));
      }
      await editEntries(calls, name, entriesOf(desired), signal);
    }),

  delete: ({ api, id, state, signal }) =>
    changingFirewall(api, keyOf(id.id), async () => {
      const { scope, name } = currentName(id.id, state);
      const place = await locateOwn(api, scope);
      if (place === null) return;
      await changingSets(api, { scope }, () => api.firewall.sets(place).remove(name, { signal }));
    }),

  import: ({ id }) => ({ id: namedId(requireNamed(id.trim())) }),
});

const keyOf = (id: string) => `${type} ${id}` as const;

/** The list of sets is read once for all sets of a firewall; a set that is changed has it read again. */
const setsOf = ({ scope }: Pick<Named, "scope">): string => `IP sets of ${scopeId(scope)}`;

const changingSets = <T>(api: Session, of: Pick<Named, "scope">, work: () => Promise<T>): Promise<T> =>
  api.store.changing(setsOf(of), work);

const entriesOf = ({ entries }: { readonly entries: unknown }) => (entries ?? {}) as Record<string, EntryValues>;

/** Aliases and sets that new entries name have to exist. */
async function checkNames(
  { config, prior, report }: PlanContext<typeof attributes, object, Session>,
  api: Session,
  scope: Scope | undefined,
): Promise<void> {
  for (const text of Object.keys(config.entries ?? {})) {
    if (prior?.entries?.[text] === undefined) await checkAddress(api, report, scope, text, ["entries", text]);
  }
}

async function refuseExisting(api: Session, report: Pick<Report, "error">, named: Named): Promise<void> {
  const place = await locate(api, named.scope);
  if (place === null || api.managed.has(type, namedId(named))) return;
  const sets = await api.firewall.sets(place).list().catch(ifHidden);
  if (!sets.some(({ name }) => name === named.name)) return;
  const { summary, detail } = existing(type, "IP set", named);
  report.error("name", summary, detail);
}

function ifHidden(reason: unknown): [] {
  if (isPveError(reason, "permission")) return [];
  throw reason;
}
