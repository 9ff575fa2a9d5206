export { SeedError } from "./seed/read-seed.ts";
export { type Simulator, type SimulatorOptions, startSimulator } from "./simulator.ts";
