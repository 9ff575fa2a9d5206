import { serveControl } from "./control/site.ts";
import { TicketStore } from "./core/access/tickets.ts";
import { serveApi } from "./core/http/api-site.ts";
import { makeServerIdentity } from "./core/http/certificate.ts";
import { plainError, type RequestHandler } from "./core/http/connection.ts";
import { answerFetch } from "./core/http/fetch.ts";
import { listen } from "./core/http/listener.ts";
import { apiDescription } from "./core/kernel/api-description.ts";
import { CallLog } from "./core/kernel/call-log.ts";
import { type Clock, realClock, repeatableClock } from "./core/kernel/clock.ts";
import { LockTable } from "./core/kernel/lock-table.ts";
import { type Random, seededRandom, systemRandom } from "./core/kernel/random.ts";
import { Router } from "./core/kernel/router.ts";
import type { Simulation } from "./core/kernel/simulation.ts";
import { Statistics } from "./core/kernel/statistics.ts";
import { Untidiness } from "./core/kernel/untidiness.ts";
import { Workers } from "./core/tasks/workers.ts";
import { bare } from "./core/world/bare.ts";
import { completeWorld } from "./core/world/empty.ts";
import type { World } from "./core/world/world.ts";
import { endpoints } from "./endpoints.ts";
import { applyFault } from "./faults/apply-fault.ts";
import { Faults } from "./faults/faults.ts";
import { type FaultOrder, readFault } from "./faults/order.ts";
import { HaManager } from "./ha/crm.ts";
import { ReplicationRunner } from "./replication/runner.ts";
import { buildWorld } from "./seed/build-world.ts";
import { checkSeed } from "./seed/check-seed.ts";
import { defaultSeed } from "./seed/default-seed.ts";
import { readSeed } from "./seed/read-seed.ts";
import { statisticsSources } from "./statistics-sources.ts";
import { unorderedPlaces } from "./unordered-places.ts";
import { endpointsIn, type Release, releases } from "./versions.ts";

/** Milliseconds for which pveproxy is unavailable when it is restarted. */
const proxyRestartMilliseconds = 1000;

/** All members have defaults: three nodes with templates and storages, on a free port, in real time. */
export interface SimulatorOptions {
  /** A parsed seed file; a cluster of three nodes with templates and storages if undefined. */
  readonly seed?: unknown;
  /** A world that was saved earlier; the seed is then the state after a reset. */
  readonly world?: World;
  readonly host?: string;
  /** 0, the default, is any free port. */
  readonly port?: number;
  /** Divides every duration. */
  readonly speed?: number;
  /** In addition to those of the seed. */
  readonly faults?: readonly FaultOrder[];
  readonly clock?: Clock;
  readonly random?: Random;
  /** The release to simulate; by default that of the seed, which is 9.2 by default. */
  readonly pve?: Release;
  /** Parts of which the nodes have older packages: the version of pve-manager that was released with those. */
  readonly parts?: NonNullable<World["parts"]>;
  /** All random values and time stamps depend only on this text: MACs, UUIDs, process ids, times. */
  readonly deterministic?: string;
  /**
   * Everything that Proxmox VE sends in random order has a fixed one, and a number is always a number. By default,
   * answers are as untidy as those of a host.
   */
  readonly tidy?: boolean;
  /** Another order of untidy answers, which only depends on this text; `UNTIDY_SEED` of the environment by default. */
  readonly untidySeed?: string;
}

/** A cluster in this process. */
export interface SimulatedCluster {
  /** `<user>@<realm>!<name>=<secret>` by full token id. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The running parts; `sim.world` is the state, which tests may read and change. */
  readonly sim: Simulation;
  readonly faults: Faults;
  /** Answers a request as the server would, without a connection; the host in its address is ignored. */
  fetch(request: Request): Promise<Response>;
  /** Restores the seed: state, tasks, locks and faults. */
  reset(): void;
  close(): Promise<void>;
}

/** A cluster with an HTTPS server. */
export interface Simulator extends SimulatedCluster {
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caCertificate: string;
}

interface Assembly extends Simulation {
  readonly workers: Workers;
  readonly faults: Faults;
  locks: LockTable;
}

/**
 * Starts a Proxmox VE 9 API on HTTPS, in this process; resolves when it is ready. Throws a `SeedError` or a
 * `FaultError` that names the mistake. The caller must `close` it.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { cluster, handle } = assembleCluster(options);
  const host = options.host ?? "127.0.0.1";
  const names = ["localhost", "127.0.0.1", "::1", ...Object.keys(cluster.sim.world.nodes)];
  const identity = makeServerIdentity(names);
  const listener = await listen({ host, port: options.port ?? 0, key: identity.key, cert: identity.cert, handle });
  cluster.sim.proxy = { restart: () => listener.restart(proxyRestartMilliseconds / cluster.sim.clock.speed) };
  return {
    ...cluster,
    url: `https://${host.includes(":") ? `[${host}]` : host}:${listener.port}`,
    caCertificate: identity.caCertificate,
    close: async () => {
      await cluster.close();
      await listener.close();
    },
  };
}

/** A Proxmox VE 9 API without a port: its `fetch` answers requests. Errors and `close` as above. */
export function createSimulator(options: SimulatorOptions = {}): SimulatedCluster {
  return assembleCluster(options).cluster;
}

/** Throws a `SeedError` that names the first thing which the simulator cannot hold. */
export function requireSeed(data: unknown): void {
  const seed = readSeed(data);
  checkSeed(seed, endpoints);
  buildWorld(seed);
}

function assembleCluster(options: SimulatorOptions): { cluster: SimulatedCluster; handle: RequestHandler } {
  const seed = readSeed(options.seed ?? defaultSeed());
  checkSeed(seed, endpoints);
  const seedFaults = (seed.faults ?? []).map((order, index) => readFault(order, `faults[${index}]`));
  const { pve, parts } = options;
  const build = () => bare({ ...ofRelease(buildWorld(seed), pve), ...(parts !== undefined && { parts }) });
  const sim = assemble(options.world === undefined ? build() : bare(completeWorld(options.world)), options);
  sim.workers.failInterruptedTasks();
  const manager = new HaManager(sim);
  const replication = new ReplicationRunner(sim);
  const begin = () => {
    sim.faults.clear();
    for (const order of [...seedFaults, ...(options.faults ?? [])]) {
      sim.faults.order(order);
    }
    sim.statistics.start();
    manager.start();
    replication.start();
  };
  const reset = () => {
    sim.workers.abandonAll();
    sim.locks = new LockTable(sim.clock);
    sim.world = build();
    sim.untidiness?.restart();
    begin();
  };
  begin();
  const handle = siteOf(sim, reset);
  const close = async () => {
    sim.workers.abandonAll();
    sim.statistics.stop();
    manager.stop();
    replication.stop();
  };
  const fetch = (request: Request) => answerFetch(handle, request);
  return { cluster: { tokens: tokensOf(sim.world), sim, faults: sim.faults, fetch, reset, close }, handle };
}

function ofRelease(world: World, release: Release | undefined): World {
  return release === undefined
    ? world
    : { ...world, version: { ...world.version, release, version: releases[release] } };
}

/** The API below /api2, its description, and the simulator's own endpoints below /simulator/. */
function siteOf(sim: Assembly, reset: () => void): RequestHandler {
  return async (incoming) => {
    const { path } = incoming.head;
    if (path.startsWith("/api2")) {
      return await serveApi({ sim, router: sim.router }, incoming);
    }
    if (path.startsWith("/simulator/")) {
      return await serveControl({ sim, faults: sim.faults, reset }, incoming);
    }
    if (path === "/pve-docs/api-viewer/apidoc.js") {
      const headers = { "Content-Type": "application/javascript" };
      return { status: 200, headers, body: apiDescription(sim.router.endpoints) };
    }
    return plainError(500, `no such file '${path}'\n`);
  };
}

/** The parts refer to each other through their common simulation. */
function assemble(world: World, options: SimulatorOptions): Assembly {
  const { deterministic, speed } = options;
  const clock = options.clock ?? (deterministic === undefined ? realClock(speed) : repeatableClock(speed));
  const random = options.random ?? (deterministic === undefined ? systemRandom() : seededRandom(deterministic));
  const parts = {
    world,
    router: new Router(endpointsIn(world, endpoints)),
    clock,
    random,
    locks: new LockTable(clock),
    tickets: new TicketStore(),
    log: new CallLog(),
    untidiness: untidinessOf(options),
    proxy: { restart: () => undefined },
    faults: new Faults((order, answer) => applyFault(sim, order, answer)),
  };
  const sim = parts as typeof parts & { workers: Workers; statistics: Statistics };
  sim.workers = new Workers(sim);
  sim.statistics = new Statistics(sim, statisticsSources);
  return sim;
}

function untidinessOf({ tidy, untidySeed }: SimulatorOptions): Untidiness | undefined {
  const seed = untidySeed ?? process.env["UNTIDY_SEED"] ?? "";
  return tidy ? undefined : new Untidiness(seed, unorderedPlaces);
}

function tokensOf(world: World): Record<string, string> {
  return Object.fromEntries(
    Object.entries(world.access.users).flatMap(([userid, user]) =>
      Object.entries(user.tokens).map(([name, { secret }]) => [`${userid}!${name}`, `${userid}!${name}=${secret}`]),
    ),
  );
}
