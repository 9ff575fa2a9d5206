import { type Simulator, type SimulatorOptions, startSimulator } from "#simulator";
import { type ClientOptions, createClient, type PveClient } from "../../../src/pve/client.ts";
import type { Logger } from "../../../src/pve/logger.ts";
import { type ClientSettings, resolveSettings } from "../../../src/pve/settings.ts";

/** Simulated time runs this much faster; the client's own waits are shortened by the same factor. */
export const speed = 20;
const fast = (ms: number) => ms / speed;

export const tokens = {
  root: "root@pam!admin=00000000-0000-4000-8000-000000000001",
  provisioner: "terraform@pve!tf=00000000-0000-4000-8000-000000000002",
  noAcl: "noacl@pve!tf=00000000-0000-4000-8000-000000000003",
};

export interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface SimulatedCluster extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly client: PveClient;
  readonly lines: readonly LogLine[];
  /** Another client of the same cluster. */
  connect(more?: ClientSettings, options?: ClientOptions): PveClient;
  /** How often an endpoint was called, as `GET /nodes/{node}/tasks`. */
  calls(endpoint: string): number;
}

/** The default cluster and a client of it with the default waits, all accelerated. */
export async function startCluster(
  settings: ClientSettings = {},
  options: SimulatorOptions = {},
): Promise<SimulatedCluster> {
  const simulator = await startSimulator({ speed, ...options });
  const clients: PveClient[] = [];
  const lines: LogLine[] = [];
  const note =
    (level: keyof Logger) =>
    (message: string, fields = {}) =>
      void lines.push({ level, message, fields });
  const logger: Logger = { error: note("error"), warn: note("warn"), info: note("info"), debug: note("debug") };
  const connect = (more: ClientSettings = {}, own: ClientOptions = {}) => {
    const isUser = more.username !== undefined;
    const client = createClient(
      resolveSettings({
        endpoints: [simulator.url],
        caCertificate: simulator.caCertificate,
        ...(!isUser && { apiToken: tokens.provisioner }),
        taskFirstPollMs: fast(100),
        taskPollMs: fast(1000),
        taskTimeoutMs: fast(300_000),
        lockWaitsMs: [2000, 3000, 4000, 5000].map(fast),
        stabiliseMs: fast(2000),
        ...more,
      }),
      { logger, ...own },
    );
    clients.push(client);
    return client;
  };
  return {
    simulator,
    client: connect(settings),
    lines,
    connect,
    calls: (endpoint) => {
      const { calls } = simulator.sim.log.summary() as { calls: { endpoint: string; count: number }[] };
      return calls.find((entry) => entry.endpoint === endpoint)?.count ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      await simulator.close();
    },
  };
}

export const template = { node: "pve1", vmid: 9000 };
