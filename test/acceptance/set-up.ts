import { buildProvider } from "./cluster-workspace.ts";
import { isHostGiven, needsSimulator } from "./needs-simulator.ts";

/** Builds the provider before the tests, since every worker would; on a given host, prints the tests that are skipped. */
export async function setup(): Promise<void> {
  await buildProvider();
  if (!isHostGiven) return;
  const lines = Object.entries(needsSimulator).map(([file, reason]) => `  ${file}: ${reason}`);
  process.stderr.write(`testing on ${process.env["PROXMOX_VE_ENDPOINT"]}; skipped there:\n${lines.join("\n")}\n`);
}
