import { TicketOffice } from "./access/tickets.ts";
import { endpoints } from "./endpoints.ts";
import { serveApi } from "./http/api-site.ts";
import { makeServerIdentity } from "./http/certificate.ts";
import { type Incoming, plainError } from "./http/connection.ts";
import { listen } from "./http/listener.ts";
import { type Clock, realClock } from "./kernel/clock.ts";
import { LockTable } from "./kernel/lock-table.ts";
import { type Random, systemRandom } from "./kernel/random.ts";
import { Router } from "./kernel/router.ts";
import type { Simulation } from "./kernel/simulation.ts";
import { Statistics } from "./kernel/statistics.ts";
import { buildWorld } from "./seed/build-world.ts";
import { readSeed } from "./seed/read-seed.ts";
import { statisticsSources } from "./statistics-sources.ts";
import { Workers } from "./tasks/workers.ts";
import type { World } from "./world/world.ts";

export interface SimulatorOptions {
  /** A parsed seed file. */
  readonly seed: unknown;
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Divides every duration. */
  readonly speed?: number;
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface Simulator {
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caCertificate: string;
  /** Secrets by full token id, as `<user>@<realm>!<name>=<secret>`. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly sim: Simulation;
  /** Back to the seed. */
  reset(): void;
  close(): Promise<void>;
}

export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const seed = readSeed(options.seed);
  const sim = assemble(buildWorld(seed), options);
  const router = new Router(endpoints);
  const site = { sim, router };
  const host = options.host ?? "127.0.0.1";
  const identity = makeServerIdentity(["localhost", "127.0.0.1", "::1", ...Object.keys(sim.world.nodes)]);
  const reset = () => {
    sim.workers.abandonAll();
    sim.world = buildWorld(seed);
    sim.statistics.start();
  };
  const handle = async (incoming: Incoming) => {
    const { path } = incoming.head;
    if (path.startsWith("/api2")) {
      return await serveApi(site, incoming);
    }
    if (path === "/simulator/reset") {
      reset();
      return { status: 200, body: "{}" };
    }
    return plainError(500, `no such file '${path}'\n`);
  };
  sim.statistics.start();
  const listener = await listen({ host, port: options.port ?? 0, key: identity.key, cert: identity.cert, handle });
  return {
    url: `https://${host}:${listener.port}`,
    caCertificate: identity.caCertificate,
    tokens: tokensOf(sim.world),
    sim,
    reset,
    close: async () => {
      sim.workers.abandonAll();
      sim.statistics.stop();
      await listener.close();
    },
  };
}

interface Assembly extends Simulation {
  readonly workers: Workers;
}

/** The parts know each other through the simulation they belong to. */
function assemble(world: World, options: SimulatorOptions): Assembly {
  const clock = options.clock ?? realClock(options.speed);
  const parts = {
    world,
    clock,
    random: options.random ?? systemRandom(),
    locks: new LockTable(clock),
    tickets: new TicketOffice(),
  };
  const sim = parts as typeof parts & { workers: Workers; statistics: Statistics };
  sim.workers = new Workers(sim);
  sim.statistics = new Statistics(sim, statisticsSources);
  return sim;
}

function tokensOf(world: World): Record<string, string> {
  return Object.fromEntries(
    Object.entries(world.access.users).flatMap(([userid, user]) =>
      Object.entries(user.tokens).map(([name, token]) => [`${userid}!${name}`, token.secret]),
    ),
  );
}
