import { die, raise } from "../core/kernel/failure.ts";
import type { Ceph } from "../core/world/ceph.ts";
import type { World } from "../core/world/world.ts";

/** pve-manager `PVE/Ceph/Tools.pm`, `check_ceph_inited`: Ceph is installed only if the seed has it. */
export function requireCeph(world: World, daemon = "mon"): Ceph {
  return world.ceph ?? die(`binary not installed: /usr/bin/ceph-${daemon}`);
}

/** For what an installed Ceph can do and the simulator cannot. */
export function notSimulated(): never {
  return raise(501, "Ceph daemons and OSDs are not simulated");
}
