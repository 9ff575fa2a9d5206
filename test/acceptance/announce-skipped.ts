import { isHostGiven, needsSimulator } from "./needs-simulator.ts";

/** Says before the tests which of them a given host cannot take. */
export function setup(): void {
  if (!isHostGiven) return;
  const lines = Object.entries(needsSimulator).map(([file, reason]) => `  ${file}: ${reason}`);
  process.stderr.write(`testing on ${process.env["PROXMOX_VE_ENDPOINT"]}; skipped there:\n${lines.join("\n")}\n`);
}
