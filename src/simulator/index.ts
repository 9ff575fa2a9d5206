/**
 * A Proxmox VE 9 API to test against, published as `terraform-provider-proxmox/simulator`: `startSimulator` is where to
 * begin. What is exported here is what others build on; everything else may change.
 */

export type { World } from "./core/world/world.ts";
export { Faults } from "./faults/faults.ts";
export { FaultError, type FaultOrder, parseFault } from "./faults/order.ts";
export { defaultNodes, defaultSeed } from "./seed/default-seed.ts";
export { SeedError } from "./seed/read-seed.ts";
export {
  createSimulator,
  type SimulatedCluster,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "./simulator.ts";
export { type Release, releases } from "./versions.ts";
