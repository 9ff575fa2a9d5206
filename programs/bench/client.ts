import { startSimulator } from "#simulator";
import { createClient } from "../../src/pve/client.ts";
import { resolveSettings } from "../../src/pve/settings.ts";

/**
 * The cost of waiting for many clones on a node: 200 at a time, each about 20 s, in real time and with the default
 * settings. The simulator counts the calls. Fails when the task list is read more than once per node and
 * second, besides the first looks, until it is known how long a clone takes.
 */
const clones = 200;
const cloneSeconds = 20;
const firstLooks = 20;

interface CallSummary {
  readonly calls: readonly { readonly endpoint: string; readonly count: number }[];
}

const simulator = await startSimulator({
  tidy: true,
  faults: [{ do: "slow", task: "qmclone", seconds: cloneSeconds, times: 0 }],
});
const client = createClient(
  resolveSettings({
    endpoints: [simulator.url],
    caCertificate: simulator.caCertificate,
    apiToken: simulator.tokens["terraform@pve!tf"] ?? "",
    clonesPerTemplate: clones,
    clonesPerStorage: clones,
    concurrency: 50,
  }),
);

const source = { node: "pve1", vmid: 9000 };
const started = performance.now();
const outcomes = await Promise.allSettled(
  Array.from({ length: clones }, (_, index) => client.operations.clone({ source, request: { newid: 1000 + index } })),
);
const seconds = (performance.now() - started) / 1000;

const { calls } = simulator.sim.log.summary() as CallSummary;
const count = (endpoint: string) => calls.find((call) => call.endpoint === endpoint)?.count ?? 0;
const lists = count("GET /nodes/{node}/tasks");
/** A poll at 0.1 s and one at 1.1 s fall into two seconds, not into one. */
const perSecond = lists / Math.ceil(seconds);
const failures = outcomes.filter(({ status }) => status === "rejected");

process.stdout.write(
  [
    `${clones} simultaneous clones, ${seconds.toFixed(1)} s, ${failures.length} failed`,
    `task list:        ${lists} calls, ${perSecond.toFixed(2)} per node and second`,
    `task status:      ${count("GET /nodes/{node}/tasks/{upid}/status")} calls`,
    `task log:         ${count("GET /nodes/{node}/tasks/{upid}/log")} calls`,
    `clone:            ${count("POST /nodes/{node}/qemu/{vmid}/clone")} calls`,
    "",
  ].join("\n"),
);
await client.close();
await simulator.close();
process.exitCode = failures.length === 0 && lists <= Math.ceil(seconds) + firstLooks ? 0 : 1;
