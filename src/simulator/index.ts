export { Faults } from "./faults/faults.ts";
export { FaultError, type FaultOrder, parseFault } from "./faults/order.ts";
export { defaultNodes, defaultSeed } from "./seed/default-seed.ts";
export { SeedError } from "./seed/read-seed.ts";
export { type Simulator, type SimulatorOptions, startSimulator } from "./simulator.ts";
export type { World } from "./world/world.ts";
