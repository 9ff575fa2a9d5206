import { buildProvider } from "./cluster-workspace.ts";
import { isHostGiven, needsSimulator } from "./needs-simulator.ts";

/** Before the tests: makes the provider, which else every worker would do, and says what a given host cannot take. */
export async function setup(): Promise<void> {
  await buildProvider();
  if (!isHostGiven) return;
  const lines = Object.entries(needsSimulator).map(([file, reason]) => `  ${file}: ${reason}`);
  process.stderr.write(`testing on ${process.env["PROXMOX_VE_ENDPOINT"]}; skipped there:\n${lines.join("\n")}\n`);
}
