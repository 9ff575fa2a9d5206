import { buildProvider } from "./cluster-workspace.ts";
import { cleanHost } from "./host/clean.ts";
import { isHostGiven, needsSimulator } from "./needs-simulator.ts";

/**
 * Builds the provider before the tests, since every worker would. On a given host, prints the tests that are skipped, and removes what
 * an earlier run has left, and after the tests what failed ones have left.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  await buildProvider();
  if (!isHostGiven) return undefined;
  const lines = Object.entries(needsSimulator).map(([file, reason]) => `  ${file}: ${reason}`);
  process.stderr.write(`testing on ${process.env["PROXMOX_VE_ENDPOINT"]}; skipped there:\n${lines.join("\n")}\n`);
  await cleanHost("before");
  return () => cleanHost("after");
}
