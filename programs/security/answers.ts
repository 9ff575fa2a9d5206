import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type Simulator, startSimulator } from "#simulator";
import { makeServerIdentity } from "../../src/simulator/core/http/certificate.ts";
import { clientCertificate } from "../../test/harness/client-certificate.ts";
import {
  Core,
  type Input,
  type Instance,
  type Launched,
  launch,
  ProviderErrors,
  type Rule,
  RuleViolation,
} from "../../test/harness/index.ts";
import { Dice } from "../chaos/dice.ts";
import { mutations } from "./mutations.ts";
import { providerCommand } from "./provider-command.ts";
import { startProxy, type TamperingProxy } from "./tampering-proxy.ts";

/** Short timeouts, so that waiting for a missing response ends soon. */
const environment = {
  PROXMOX_VE_REQUEST_TIMEOUT: "2s",
  PROXMOX_VE_TASK_TIMEOUT: "1s",
  PROXMOX_VE_TASK_POLL_INTERVAL: "10ms",
  PROXMOX_VE_LOCK_ATTEMPTS: "2",
  PROXMOX_VE_LOCK_WAITS: "10ms",
  PROXMOX_VE_STABILISE: "100ms",
  PROXMOX_LOG_LEVEL: "debug",
};

/** Terraform plans again in the apply, and reads again after it; a server may answer differently then. */
const contradicted: readonly Rule[] = ["final plan agrees with the first plan", "read agrees with the result"];

export interface Finding {
  readonly seed: number;
  readonly what: string;
}

/** The life cycle of a VM on a cluster with hostile responses. Returns what the provider must not do. */
export async function runAgainstHostile(lab: HostileLab, seed: number): Promise<Finding[]> {
  const dice = new Dice(seed);
  lab.proxy.tamper = (reply) => (dice.chance(0.15) ? dice.pick(lab.lies)(reply, dice) : reply);
  const findings: string[] = [];
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await within(60_000, work());
    } catch (reason) {
      const text = reason instanceof Error ? reason.message : String(reason);
      // An inconsistent result is a correct report here, since the server's responses are false.
      const mistakes = text.replaceAll(/^.*After the \w+, .*\n+This is a bug in the provider.*$/gm, "");
      const isExcused = reason instanceof RuleViolation && contradicted.includes(reason.rule);
      if (!isExcused && (!(reason instanceof ProviderErrors) || /bug in the provider/i.test(mistakes)))
        findings.push(text);
      return reason instanceof ProviderErrors ? (reason.remains as T | null) : null;
    }
  };
  const vm = lab.core.resource("proxmox_vm");
  const input: Input = { name: `liar-${seed}`, clone: { template: "9000" }, cpu: { cores: 2 }, memory: { size: "2G" } };
  const made = await attempt(() => vm.create(input));
  const changed = made && (await attempt(() => vm.update(made, { ...input, cpu: { cores: 4 }, tags: ["x"] })));
  const last: Instance | null = changed ?? made;
  if (last) await attempt(() => vm.destroy(last));
  findings.push(...(await lab.inspect()));
  return findings.map((what) => ({ seed, what }));
}

export class HostileLab {
  readonly simulator: Simulator;
  readonly proxy: TamperingProxy;
  readonly lies: ReturnType<typeof mutations>;
  readonly #elsewhere: { readonly heard: string[]; close(): void };
  #provider: Launched | undefined;
  #core: Core | undefined;

  private constructor(
    simulator: Simulator,
    proxy: TamperingProxy,
    elsewhere: { url: string; heard: string[]; close(): void },
  ) {
    this.simulator = simulator;
    this.proxy = proxy;
    this.#elsewhere = elsewhere;
    this.lies = mutations(elsewhere.url);
  }

  static async open(): Promise<HostileLab> {
    const simulator = await startSimulator({ speed: 500 });
    const lab = new HostileLab(simulator, await startProxy(simulator), await listenElsewhere());
    await lab.#start();
    return lab;
  }

  get core(): Core {
    if (!this.#core) throw new Error("no provider was started");
    return this.#core;
  }

  async #start(): Promise<void> {
    this.proxy.tamper = (reply) => reply;
    this.#provider = await launch([...providerCommand], { client: clientCertificate(), env: environment });
    this.#core = await Core.connect(this.#provider.wire);
    await this.#core.configure({
      endpoint: this.proxy.url,
      api_token: this.simulator.tokens["root@pam!admin"] ?? "",
      ca_certificate: this.proxy.caCertificate,
    });
  }

  /** The provider is alive, has not leaked its secret, and writes a log that is still one event per line. */
  async inspect(): Promise<string[]> {
    const { exitCode, signalCode } = this.#provider?.process ?? { exitCode: null, signalCode: null };
    const stderr = this.#provider?.stderr() ?? "";
    const findings = [
      ...(exitCode === null && signalCode === null
        ? []
        : [`the provider ended: ${exitCode ?? signalCode}\n${stderr.slice(-2_000)}`]),
      ...(this.#elsewhere.heard.some((header) => header !== "") ? ["the token was sent to another host"] : []),
      ...(stderr.includes(this.#secret) ? ["the token is in the log"] : []),
      ...stderr
        .split("\n")
        .filter((line) => line !== "" && !isEvent(line))
        .map((line) => `not a log line: ${line}`),
    ];
    if (exitCode !== null || signalCode !== null) await this.#start();
    return findings;
  }

  get #secret(): string {
    return (this.simulator.tokens["root@pam!admin"] ?? "").split("=")[1] ?? "";
  }

  async close(): Promise<void> {
    if (this.#provider?.process.exitCode === null) await this.#provider.stop();
    this.proxy.close();
    this.#elsewhere.close();
    await this.simulator.close();
  }
}

function isEvent(line: string): boolean {
  try {
    return typeof (JSON.parse(line) as Record<string, unknown>)["@message"] === "string";
  } catch {
    return false;
  }
}

/** A host to which responses redirect, which records the credentials it receives. */
async function listenElsewhere(): Promise<{ url: string; heard: string[]; close(): void }> {
  const heard: string[] = [];
  const { key, cert } = makeServerIdentity(["localhost"]);
  const server = createServer({ key, cert }, (message, response) => {
    heard.push(message.headers.authorization ?? message.headers.cookie ?? "");
    response.end('{"data":null}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}/api2/json/version`, heard, close: () => server.close() };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
