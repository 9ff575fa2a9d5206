/**
 * `npm run bench:crowd`: 200 clones at `-parallelism=50` through real Terraform. No failure, no duplicate, and at most
 * one poll of a node's tasks per second besides the first looks at each type of task; the second plan is empty.
 */
import { startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import { buildProvider, clusterWorkspace } from "../../test/acceptance/cluster-workspace.ts";

/** Until it is known how long a type of task takes. */
const firstLooks = 20;
const count = Number(process.env["CLONES"] ?? 200);
const [binary] = findBinaries();
if (!binary) throw new Error(howToGetOne);
const simulator = await startSimulator({ tidy: true });
using terraform = clusterWorkspace(binary, await buildProvider(), simulator);
terraform.configure(`resource "proxmox_vm" "crowd" {
  count    = ${count}
  name     = "crowd-\${count.index}"
  clone    = { template = "debian-13-cloud" }
  cpu      = { cores = 2 }
  networks = { net0 = { vlan = 20 } }
}
`);

const begun = performance.now();
const { outcome } = terraform.start(["apply", "-json", "-auto-approve", "-input=false", "-parallelism=50"]);
// Without a time limit: on a busy machine Terraform itself may be slow.
const { code, diagnostics } = await outcome;
const seconds = (performance.now() - begun) / 1_000;

const { calls } = simulator.sim.log.summary() as { calls: readonly { endpoint: string; count: number }[] };
const polls = calls.find(({ endpoint }) => endpoint === "GET /nodes/{node}/tasks")?.count ?? 0;
const total = calls.reduce((sum, call) => sum + call.count, 0);
const guests = Object.values(simulator.sim.world.guests);
const names = guests.flatMap(({ config }) => (config["name"]?.startsWith("crowd-") ? [config["name"]] : []));
const duplicates = names.length - new Set(names).size;
// Every clone is created on the node of its template: one node is polled.
const rate = polls / seconds;
const { code: second } = await terraform.plan();
await simulator.close();

process.stdout.write(
  `${names.length} of ${count} clones in ${seconds.toFixed(1)} s; ${duplicates} duplicates, exit code ${code}; ` +
    `${polls} task polls = ${rate.toFixed(2)} per node and second, limit ${(seconds + firstLooks).toFixed(0)} polls; ` +
    `${((total - polls) / count).toFixed(1)} other calls per VM; second plan ${second === 0 ? "empty" : "NOT EMPTY"}\n`,
);
for (const { severity, summary, detail } of diagnostics) {
  if (severity === "error") process.stdout.write(`${summary}: ${detail}\n`);
}
process.exit(
  code === 0 && second === 0 && duplicates === 0 && names.length === count && polls <= seconds + firstLooks ? 0 : 1,
);
