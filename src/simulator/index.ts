/**
 * A Proxmox VE 9 API for tests, published as `terraform-provider-proxmox/simulator`; start with `startSimulator`. The
 * exports of this file are stable; everything else may change.
 */

export type { World } from "./core/world/world.ts";
export { Faults } from "./faults/faults.ts";
export { FaultError, type FaultOrder, parseFault } from "./faults/order.ts";
export { defaultNodes, defaultSeed } from "./seed/default-seed.ts";
export { withLeftovers } from "./seed/leftovers.ts";
export { SeedError } from "./seed/read-seed.ts";
export {
  createSimulator,
  requireSeed,
  type SimulatedCluster,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "./simulator.ts";
export { type Release, releases } from "./versions.ts";
