import { type IsOwn, type Need, type Session, type StagedChange, type StagedScope, stagedAttributes } from "#kit";
import type { ConfigObject } from "#pve";
import { commitSdn, foreignIn, refuseForeign } from "./commit.ts";
import { foreignNetworks, refuseNetworks } from "./foreign-networks.ts";
import { listPending } from "./list-pending.ts";
import { holdLock, inTurn, releaseLock } from "./lock.ts";
import { describeChanges, editedObject, fabricsOf, noneIfMissing, pendingChanges, withinOf } from "./pending.ts";

async function check(api: Session, { commitsForeign }: StagedChange, isOwn: IsOwn): Promise<void> {
  if (commitsForeign) return;
  const foreign = foreignIn(await pendingChanges(api), isOwn);
  if (foreign.length > 0) throw refuseForeign(foreign, "Nothing was changed.");
  const nodes = await foreignNetworks(api);
  if (nodes.length > 0) throw refuseNetworks(nodes, "Nothing was changed.");
}

/** All objects of the SDN wait for one commit. From the first change to the commit, the run holds PVE's lock. */
const sdn: StagedScope = {
  name: "sdn",

  check,

  async prepare(api, change, isOwn) {
    await holdLock(api);
    try {
      await check(api, change, isOwn);
    } catch (reason) {
      await releaseLock(api);
      throw reason;
    }
  },

  release: releaseLock,

  inTurn,

  within: withinOf,

  commit: commitSdn,

  async warn(api, report, isOwn) {
    const foreign = foreignIn(await pendingChanges(api, { isPlan: true }), isOwn);
    const warned = api.store.keep("warned of the SDN", () => ({
      isDone: false,
      networks: foreignNetworks(api, { isPlan: true }),
    }));
    const nodes = await warned.networks;
    if ((foreign.length === 0 && nodes.length === 0) || warned.isDone) return;
    warned.isDone = true;
    if (nodes.length > 0) {
      const where = `Changes of interfaces are staged and not in effect on ${nodes.join(", ")}. A commit of the SDN reloads the network of every node, and would put them into effect, too: the apply stops before it writes, unless \`commit_foreign = true\`.`;
      report.warning(null, "Staged changes of a network", where);
    }
    if (foreign.length === 0) return;
    const detail = `Changes of the SDN are staged and not in effect: ${describeChanges(foreign)}. Those of this configuration are committed with it, such as what an interrupted run has left. If other clients have made any of them, the apply stops before it writes; \`commit_foreign = true\` lets it commit them, too.`;
    report.warning(null, "Staged changes of the SDN", detail);
  },

  async isUncommitted(api, key) {
    return (await pendingChanges(api)).some((one) => one.key === key && one.state === "new");
  },

  async isRemovalStaged(api, key) {
    return (await pendingChanges(api, { isPlan: true })).some((one) => one.key === key && one.state === "deleted");
  },
};

/** What every staged object of the SDN has. */
export const staged = {
  staged: () => sdn,
  written: fabricsOf.forget,
  grants: { "/sdn": ["SDN.Allocate", "SDN.Audit"] },
  needs: ({ planned }: { readonly planned: { readonly [name: string]: unknown } }): readonly Need[] =>
    planned["apply"] === false ? [] : [{ privileges: ["SDN.Allocate"], paths: ["/sdn"], attribute: null }],
} as const;

export const sdnAttributes = stagedAttributes("the SDN", "proxmox_sdn_apply");

type Key = Readonly<Record<string, string>>;

interface Purpose {
  readonly purpose: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds an object: for a refresh in the list of what is pending, which shows values and state in one call for all; for a
 * change alone, with its digest.
 */
export const findIn =
  (path: string, name: string) =>
  async (api: Session, key: Key, { purpose, signal }: Purpose): Promise<ConfigObject | null> => {
    const alone = () => api.objects("SDN", { path }).find(key, { signal });
    if (purpose === "proof" || purpose === "create" || purpose === "update") return alone();
    const listed = await listPending(api, path.slice(0, path.lastIndexOf("/")), key).catch(noneIfMissing);
    const one = listed.find((candidate) => ({ ...candidate, ...candidate.pending })[name] === key[name]);
    // A list leaves out what the caller may not see by it, and may read alone; but who may create one sees them all.
    if (one !== undefined) return editedObject(one);
    return purpose === "plan" ? null : alone();
  };
