import { Failure, failureText } from "../kernel/failure.ts";
import { clusterFileLock } from "../kernel/locks.ts";
import type { Process } from "../kernel/process.ts";
import type { Access } from "../world/access.ts";
import { rootUser, splitTokenId } from "./identity.ts";
import { builtInRoles } from "./roles.ts";

/**
 * PVE::AccessControl::lock_user_config: changes user.cfg. Whatever goes wrong becomes a plain 500 with `complaint` in front,
 * even what would be a 400 by itself.
 */
export async function changeUserConfig<T>(
  process: Process,
  complaint: string,
  change: (access: Access) => T,
): Promise<T> {
  try {
    return await process.lock(clusterFileLock("user.cfg"), {}, () => {
      const { access } = process.sim.world;
      const result = change(access);
      forgetDanglingEntries(access);
      return result;
    });
  } catch (thrown) {
    throw new Failure(`${complaint}: ${failureText(thrown)}`);
  }
}

/** What the parser of user.cfg skips when the file is read again: entries of roles and tokens that are gone. */
function forgetDanglingEntries(access: Access): void {
  access.acl = access.acl.filter(({ type, ugid, roleid }) => {
    if (builtInRoles[roleid] === undefined && access.roles[roleid] === undefined) {
      return false;
    }
    if (type === "token") {
      const split = splitTokenId(ugid);
      return split !== undefined && access.users[split.user]?.tokens[split.token] !== undefined;
    }
    // root@pam is always Administrator and never written.
    return !(type === "user" && ugid === rootUser);
  });
}

/** A guest that is destroyed takes its ACL entries and its pool membership along. */
export async function removeVmAccess(process: Process, vmid: number): Promise<void> {
  await changeUserConfig(process, `access permissions cleanup for VM ${vmid} failed`, (access) => {
    access.acl = access.acl.filter((entry) => entry.path !== `/vms/${vmid}`);
    for (const pool of Object.values(access.pools)) {
      pool.vms = pool.vms.filter((member) => member !== vmid);
    }
  });
}

/** A storage that is removed likewise. */
export async function removeStorageAccess(process: Process, storage: string): Promise<void> {
  await changeUserConfig(process, `access permissions cleanup for storage ${storage} failed`, (access) => {
    access.acl = access.acl.filter((entry) => entry.path !== `/storage/${storage}`);
    for (const pool of Object.values(access.pools)) {
      pool.storage = pool.storage.filter((member) => member !== storage);
    }
  });
}

/** The last step of creating or cloning into a pool. */
export async function addVmToPool(process: Process, vmid: number, pool: string): Promise<void> {
  await changeUserConfig(process, `can't add VM ${vmid} to pool '${pool}'`, (access) => {
    access.pools[pool]?.vms.push(vmid);
  });
}
