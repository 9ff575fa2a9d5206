import { join } from "node:path";
import { type Simulator, startSimulator } from "#simulator";
import { clientCertificate } from "../../harness/client-certificate.ts";
import { Core, type Input, type Instance, type Launched, launch, type ManagedResource } from "../../harness/index.ts";

const main = join(import.meta.dirname, "../../../src/main.ts");

/** A public key that is well-formed and opens nothing. */
export const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f ops@example";

export interface BenchOptions {
  readonly speed?: number;
  readonly seed?: unknown;
  readonly env?: Record<string, string>;
  /** A token's id, or the one user for whom nothing is reserved. */
  readonly as?: string | "root@pam";
}

/** The provider under Terraform's rules, and the cluster it works on, which tests can look into and meddle with. */
export class Bench {
  readonly simulator: Simulator;
  readonly #options: BenchOptions;
  readonly #providers: Launched[] = [];
  #vm: ManagedResource | undefined;

  private constructor(simulator: Simulator, options: BenchOptions) {
    this.simulator = simulator;
    this.#options = options;
  }

  static async open(options: BenchOptions = {}): Promise<Bench> {
    const { speed = 200, seed } = options;
    const bench = new Bench(await startSimulator({ speed, ...(seed === undefined ? {} : { seed }) }), options);
    await bench.restart();
    return bench;
  }

  get vm(): ManagedResource {
    if (!this.#vm) throw new Error("no provider was started");
    return this.#vm;
  }

  /** Another process of the provider, as each command of Terraform's starts one. */
  async restart(): Promise<Launched> {
    const env = { PROXMOX_VE_TASK_POLL_INTERVAL: "10ms", PROXMOX_LOG_LEVEL: "debug", ...this.#options.env };
    const provider = await launch([process.execPath, main], { client: clientCertificate(), env });
    this.#providers.push(provider);
    const core = await Core.connect(provider.wire);
    const { url, tokens, caCertificate } = this.simulator;
    const { as: caller = "root@pam!admin" } = this.#options;
    const credentials =
      caller === "root@pam" ? { username: caller, password: "proxmox" } : { api_token: tokens[caller] ?? "" };
    await core.configure({ endpoint: url, ca_certificate: caCertificate, ...credentials });
    this.#vm = core.resource("proxmox_vm");
    return provider;
  }

  get provider(): Launched {
    const provider = this.#providers.at(-1);
    if (!provider) throw new Error("no provider was started");
    return provider;
  }

  /** A VM as it lies on the server, not as the state tells it. */
  guest(vmid: number) {
    const guest = this.simulator.sim.world.guests[vmid];
    if (!guest) throw new Error(`there is no guest ${vmid}`);
    return guest;
  }

  /** Its configuration, changes that wait for a restart included. */
  config(vmid: number): Readonly<Record<string, string>> {
    const { config, pending } = this.guest(vmid);
    return { ...config, ...pending.set };
  }

  has(vmid: number): boolean {
    return this.simulator.sim.world.guests[vmid] !== undefined;
  }

  vmids(): number[] {
    return Object.keys(this.simulator.sim.world.guests).map(Number);
  }

  volumes(vmid: number): string[] {
    const own = this.simulator.sim.world.volumes.filter((volume) => volume.vmid === vmid);
    return own.map(({ volid }) => volid).sort();
  }

  async close(): Promise<void> {
    for (const provider of this.#providers) {
      if (provider.process.signalCode === null) await provider.stop();
    }
    await this.simulator.close();
  }
}

/** What the state says of one attribute, as plain data. */
export function attribute(instance: Instance, ...path: string[]): unknown {
  const found = path.reduce<unknown>((node, key) => (node as Record<string, unknown> | null)?.[key], instance.state);
  return JSON.parse(JSON.stringify(found ?? null, (_, value: unknown) => plain(value)));
}

/** Numbers are kept as text by the harness. */
function plain(value: unknown): unknown {
  const isNumber = typeof value === "object" && value !== null && Object.keys(value).join() === "text";
  return isNumber ? Number((value as { text: string }).text) : value;
}

export type { Input };

/** The configuration Terraform would generate from a state: what can be written, as it is. */
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
