import { checkPrivileges, checkReference, type Need, type Report, type Session } from "#kit";
import { findMember, memberExists } from "./change-member.ts";
import { type MemberKey, memberId } from "./member-id.ts";
import { claimOne } from "./pool-owners.ts";

export interface MemberPrivateState {
  /** From the plan of a member to that of its replacement: what leaves its pool before that joins another. */
  replacing: string | null;
}

interface Planning {
  readonly config: { readonly allow_move?: boolean | null | undefined };
  readonly prior: { readonly id?: string | undefined } | null;
  readonly changes: ReadonlySet<string>;
  readonly privateState: MemberPrivateState;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Looks at a member before it joins: whether pool and member exist, and whether another owner has it. */
export async function planMember(context: Planning, api: Session, key: MemberKey): Promise<void> {
  const { prior, changes, report, signal } = context;
  const { pool, vmid, storage } = key;
  if (storage !== null) claimOne(api, report, pool, storage);
  if (changes.size === 0 || prior !== null) return;
  const isPool = await checkReference(api, report, { kind: "pool", name: pool, path: "pool" });
  const isMember =
    vmid === null
      ? await checkReference(api, report, { kind: "storage", name: storage ?? "", path: "storage" })
      : await checkReference(api, report, { kind: "guest", name: String(vmid), path: "vmid" });
  const isAllowed = await checkPrivileges({ report, api, needs: needsOf(key) });
  if (!isPool || !isMember || !isAllowed || api.managed.has("proxmox_pool_member", memberId(key))) return;
  if (await findMember(api, key, signal)) {
    const { summary, detail } = memberExists(key);
    report.error(null, summary, detail);
  } else if (vmid !== null) await refuseMove(context, api, pool, vmid);
}

/** A guest is in one pool at most. */
async function refuseMove(
  { config, privateState, report }: Planning,
  api: Session,
  pool: string,
  vmid: number,
): Promise<void> {
  const now = (await api.inventory.snapshot()).guests.get(vmid)?.pool;
  const mayMove = config.allow_move === true || config.allow_move === undefined;
  if (!now || now === pool || privateState.replacing === memberId({ pool: now, vmid, storage: null })) return;
  if (mayMove) {
    const need = { privileges: ["Pool.Allocate"], paths: [`/pool/${now}`], attribute: "allow_move" };
    await checkPrivileges({ report, api, needs: [need] });
    return;
  }
  const detail = `Guest ${vmid} is in pool \`${now}\`, and a guest can be in one only. If \`pool\` of a proxmox_vm says so, change it there. Otherwise \`allow_move = true\` takes it from that pool.`;
  report.error("vmid", "In another pool", detail);
}

/** Who may change a pool, and the privileges on what joins or leaves it (pve-access-control: `check_perm_modify`). */
export function needsOf({ pool, vmid, storage }: MemberKey): Need[] {
  const need = (privileges: readonly string[], path: string, attribute: string): Need => ({
    privileges,
    paths: [path],
    attribute,
  });
  return [
    need(["Pool.Allocate"], `/pool/${pool}`, "pool"),
    need(["Pool.Audit"], `/pool/${pool}`, "pool"),
    vmid === null
      ? need(["Datastore.Allocate", "Permissions.Modify"], `/storage/${storage}`, "storage")
      : need(["VM.Allocate", "Permissions.Modify"], `/vms/${vmid}`, "vmid"),
  ];
}
