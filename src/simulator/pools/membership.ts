import { changeUserConfig } from "../core/access/user-config.ts";
import { permissionError } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import type { World } from "../core/world/world.ts";

// The changes to user.cfg when a guest is created, cloned or destroyed: pve-access-control `src/PVE/AccessControl.pm`.

/** `check_pool_exist`: 403, as for a missing privilege. */
export function checkPoolExists(world: World, pool: string): void {
  if (world.access.pools[pool] === undefined) {
    permissionError(`pool '${pool}' does not exist`);
  }
}

function leavePools(world: World, vmid: number): void {
  for (const pool of Object.values(world.access.pools)) {
    pool.vms = pool.vms.filter((member) => member !== vmid);
  }
}

/** `add_vm_to_pool`; a pool that was deleted in the meantime is not an error. */
export async function addGuestToPool(process: Process, vmid: number, pool: string): Promise<void> {
  const { world } = process.sim;
  await changeUserConfig(process, `can't add VM ${vmid} to pool '${pool}'`, () => {
    if (world.access.pools[pool] !== undefined) {
      leavePools(world, vmid);
      world.access.pools[pool].vms.push(vmid);
    }
  });
}

/** `remove_vm_access`: removes a guest from its pool and deletes the ACL entries on exactly its path. */
export async function removeGuestAccess(process: Process, vmid: number): Promise<void> {
  const { world } = process.sim;
  await changeUserConfig(process, `access permissions cleanup for VM ${vmid} failed`, () => {
    leavePools(world, vmid);
    world.access.acl = world.access.acl.filter(({ path }) => path !== `/vms/${vmid}`);
  });
}
