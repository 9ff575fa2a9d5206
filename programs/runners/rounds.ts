import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "#simulator";
import { AttachableProvider, Core, type Input, type Instance, type Plan } from "../../test/harness/index.ts";
import { Dice } from "../chaos/dice.ts";

const main = join(import.meta.dirname, "../../src/main.ts");

/** How often a runner applies the same configuration before it counts as blocked. */
const attempts = 3;

export interface Rounds {
  readonly rounds: number;
  /** Applies, retries included. */
  readonly applies: number;
  /** Errors of an apply that a retry has solved. */
  readonly failures: readonly string[];
  /** Applies that failed each time. */
  readonly deadlocks: readonly string[];
  /** What a runner wanted and the cluster does not run. */
  readonly wrong: readonly string[];
}

/** What one runner manages, one place for each object. */
interface Stack {
  readonly type: string;
  /** Makes a configuration of the object in this place; null: none. */
  configure(dice: Dice, place: number): Input | null;
  /** What the cluster runs of the runner's objects: identities with a value that changes. */
  running(simulator: Simulator): Readonly<Record<string, unknown>>;
  /** The same for what it wants. */
  wanted(config: Input): readonly [id: string, value: unknown];
}

type Wanted = readonly (Input | null)[];

/**
 * Two pipelines with one cluster in common and nothing else: each has its own provider processes, temporary folder and state. In
 * each round both apply at the same moment, with creations, changes, replacements and removals mixed.
 */
export async function runRounds(
  rounds: number,
  seed: number,
  stacks: (simulator: Simulator) => readonly Stack[],
): Promise<Rounds> {
  const simulator = await startSimulator({ speed: 500 });
  const dice = new Dice(seed);
  const runners = await Promise.all(stacks(simulator).map((stack) => Runner.start(simulator, stack)));
  const result = { rounds, applies: 0, failures: [] as string[], deadlocks: [] as string[], wrong: [] as string[] };
  try {
    for (let round = 1; round <= rounds; round++) {
      const wanted = runners.map(({ stack }) => [...Array(3).keys()].map((place) => stack.configure(dice, place)));
      await Promise.all(
        runners.map(async (runner, index) => {
          const errors = await runner.converge(wanted[index] as Wanted);
          result.applies += Math.min(errors.length + 1, attempts);
          const into = errors.length === attempts ? result.deadlocks : result.failures;
          into.push(...errors.map((error) => `round ${round}, runner ${index + 1}: ${error}`));
        }),
      );
      for (const [index, { stack }] of runners.entries()) {
        const configs = (wanted[index] as Wanted).filter((config) => config !== null);
        const expected = JSON.stringify(Object.fromEntries(configs.map(stack.wanted).sort()));
        const found = JSON.stringify(Object.fromEntries(Object.entries(stack.running(simulator)).sort()));
        if (found !== expected) result.wrong.push(`round ${round}, runner ${index + 1}: ${expected}, but ${found}`);
      }
    }
    return result;
  } finally {
    for (const runner of runners) runner.stop();
    await simulator.close();
  }
}

class Runner {
  readonly stack: Stack;
  readonly #simulator: Simulator;
  readonly #process: AttachableProvider;
  readonly #core: Core;
  readonly #folder: string;
  readonly #state: (Instance | null)[] = [null, null, null];

  private constructor(
    simulator: Simulator,
    stack: Stack,
    { process, core, folder }: { process: AttachableProvider; core: Core; folder: string },
  ) {
    this.#simulator = simulator;
    this.stack = stack;
    this.#process = process;
    this.#core = core;
    this.#folder = folder;
  }

  static async start(simulator: Simulator, stack: Stack): Promise<Runner> {
    const folder = mkdtempSync(join(tmpdir(), "runner-"));
    const env = {
      TMPDIR: folder,
      PROXMOX_LOG_LEVEL: "error",
      PROXMOX_VE_TASK_POLL_INTERVAL: "10ms",
      PROXMOX_VE_LOCK_WAITS: "50ms,100ms,100ms,100ms",
    };
    const process = await AttachableProvider.start([globalThis.process.execPath, main], { env });
    return new Runner(simulator, stack, { process, core: await Core.connect(process.connect().wire), folder });
  }

  stop(): void {
    this.#process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The errors of each apply that failed, until one succeeds. */
  async converge(wanted: Wanted): Promise<string[]> {
    const errors: string[] = [];
    while (errors.length < attempts) {
      const failed = await this.#apply(wanted).catch((reason: Error) => [reason.message]);
      if (failed.length === 0) return errors;
      errors.push(failed.join("; "));
    }
    return errors;
  }

  /** One `terraform apply`: plans in one session, changes in another. */
  async #apply(wanted: Wanted): Promise<string[]> {
    const resource = this.#core.resource(this.stack.type);
    await this.#configure();
    for (const [place, one] of this.#state.entries()) {
      this.#state[place] = one === null ? null : await resource.find(one);
    }
    const plans: (Plan | null)[] = [];
    for (const [place, config] of wanted.entries()) {
      const prior = this.#state[place] ?? null;
      if (config === null && prior !== null) await resource.planDestroy(prior);
      plans.push(config === null ? null : await resource.plan(prior, config));
    }
    await this.#configure();
    const results = await Promise.allSettled(plans.map((plan, place) => this.#change(place, plan)));
    return results.flatMap((one) => (one.status === "rejected" ? [String((one.reason as Error).message)] : []));
  }

  async #change(place: number, plan: Plan | null): Promise<void> {
    const resource = this.#core.resource(this.stack.type);
    const prior = this.#state[place] ?? null;
    if (prior !== null && (plan === null || plan.action === "replace")) {
      await resource.destroy(prior, plan === null ? undefined : { ...plan, planned: null });
      this.#state[place] = null;
    }
    if (plan === null) return;
    const isReplaced = plan.action === "replace";
    this.#state[place] = await resource.apply(isReplaced ? { ...plan, action: "create", prior: null } : plan);
  }

  #configure(): Promise<unknown> {
    const { url, tokens, caCertificate } = this.#simulator;
    const api_token = tokens["root@pam!admin"] ?? "";
    return this.#core.configure({ endpoint: url, ca_certificate: caCertificate, api_token });
  }
}

/** Vnets of a zone that each runner has for itself. */
export function vnetStacks(simulator: Simulator): readonly Stack[] {
  return ["one", "two"].map((zone) => {
    for (const { zones } of [simulator.sim.world.sdn, simulator.sim.world.sdn.running]) {
      zones[zone] = { type: "simple", options: {} };
    }
    return {
      type: "proxmox_sdn_vnet",
      configure: (dice, place) =>
        dice.chance(0.15)
          ? null
          : { id: `${zone}${place}${dice.pick(["a", "b", "c"])}`, zone, alias: `v${dice.int(1, 4)}` },
      running: ({ sim }) =>
        Object.fromEntries(
          Object.entries(sim.world.sdn.running.vnets)
            .filter(([, { options }]) => options["zone"] === zone)
            .map(([id, { options }]) => [id, options["alias"]]),
        ),
      wanted: (config) => [String((config as { id: string }).id), (config as { alias: string }).alias],
    };
  });
}
