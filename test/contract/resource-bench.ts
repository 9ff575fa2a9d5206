import { join } from "node:path";
import { type Simulator, startSimulator } from "#simulator";
import {
  AttachableProvider,
  type Connected,
  Core,
  type Input,
  type Instance,
  type ManagedResource,
} from "../harness/index.ts";

const main = join(import.meta.dirname, "../../src/main.ts");

export interface BenchOptions {
  readonly speed?: number;
  readonly seed?: unknown;
  readonly env?: Record<string, string>;
  /** A token's id, or the one user for whom nothing is reserved. */
  readonly as?: string | "root@pam";
}

/** The provider with Terraform's rules, and its cluster, which tests can inspect and change. */
export class ResourceBench {
  readonly simulator: Simulator;
  readonly #options: BenchOptions;
  #process: AttachableProvider | undefined;
  #provider: Connected | undefined;
  #core: Core | undefined;
  readonly #wires: Connected["wire"][] = [];

  constructor(simulator: Simulator, options: BenchOptions) {
    this.simulator = simulator;
    this.#options = options;
  }

  static async open<B extends ResourceBench>(
    this: new (
      simulator: Simulator,
      options: BenchOptions,
    ) => B,
    options: BenchOptions = {},
  ): Promise<B> {
    const { speed = 200, seed } = options;
    const bench = new this(await startSimulator({ speed, ...(seed === undefined ? {} : { seed }) }), options);
    await bench.restart();
    return bench;
  }

  resource(type: string): ManagedResource {
    if (!this.#core) throw new Error("no provider was started");
    return this.#core.resource(type);
  }

  /** Another provider, as each Terraform command starts one; in another process if the last one was killed. */
  async restart(caller: string = this.#options.as ?? "root@pam!admin"): Promise<void> {
    if (!this.#process?.isAlive) {
      // A log of every call is a sixth of the provider's work; a test that searches it asks for it.
      const env = { PROXMOX_VE_TASK_POLL_INTERVAL: "10ms", PROXMOX_LOG_LEVEL: "warn", ...this.#options.env };
      this.#process = await AttachableProvider.shared(main, env);
    }
    this.#provider = this.#process.connect();
    this.#wires.push(this.#provider.wire);
    this.#core = await Core.connect(this.#provider.wire, this.#provider.process);
    await this.configure(caller);
  }

  /** A provider without earlier data, as in another process, at a fraction of its cost. Returns its warnings. */
  async configure(
    caller: string = this.#options.as ?? "root@pam!admin",
    more: Readonly<Record<string, string | null | readonly string[]>> = {},
  ): Promise<readonly { readonly summary: string; readonly detail: string }[]> {
    const { url, tokens, caCertificate } = this.simulator;
    const credentials =
      caller === ""
        ? {}
        : caller === "root@pam"
          ? { username: caller, password: "proxmox" }
          : { api_token: tokens[caller] ?? "" };
    return (
      (await this.#core?.configure({ endpoint: url, ca_certificate: caCertificate, ...credentials, ...more })) ?? []
    );
  }

  get provider(): Connected {
    if (!this.#provider) throw new Error("no provider was started");
    return this.#provider;
  }

  async close(): Promise<void> {
    for (const wire of this.#wires) wire.close();
    await this.simulator.close();
  }
}

/** Lets `noacl@pve!tf` use storages and nothing more: the provider refuses a caller without any privilege at once. */
export function grantLittle({ sim }: Simulator): void {
  const entry = { path: "/storage", roleid: "PVEDatastoreUser", propagate: true } as const;
  const { acl } = sim.world.access;
  acl.push({ ...entry, type: "user", ugid: "noacl@pve" }, { ...entry, type: "token", ugid: "noacl@pve!tf" });
}

/** One attribute in the state, as plain data. */
export function attribute(instance: Instance, ...path: string[]): unknown {
  const found = path.reduce<unknown>((node, key) => (node as Record<string, unknown> | null)?.[key], instance.state);
  return JSON.parse(JSON.stringify(found ?? null, (_, value: unknown) => plain(value)));
}

/** The harness keeps numbers as text. */
function plain(value: unknown): unknown {
  const isNumber = typeof value === "object" && value !== null && Object.keys(value).join() === "text";
  return isNumber ? Number((value as { text: string }).text) : value;
}

/** The configuration that Terraform would generate from a state: all attributes that can be written. */
export function writable(resource: ManagedResource, { state }: Instance): Input {
  return withoutComputed(resource.schema.body.attributes, state) as Input;
}

type SchemaAttributes = ManagedResource["schema"]["body"]["attributes"];

function withoutComputed(attributes: SchemaAttributes, object: Instance["state"]): Instance["state"] {
  const entries = Object.entries(attributes).flatMap(([name, { optional, required, nested }]) => {
    const value = object[name];
    if ((!optional && !required) || value === null || value === undefined) return [];
    if (!nested) return [[name, value] as const];
    const inside = (member: unknown) => withoutComputed(nested.attributes, member as Instance["state"]);
    if (nested.nesting !== "map") return [[name, inside(value)] as const];
    return [[name, Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inside(member)]))] as const];
  });
  return Object.fromEntries(entries);
}
