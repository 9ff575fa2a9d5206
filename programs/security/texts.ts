import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "#simulator";
import { commands } from "../../src/cli/commands.ts";
import { plainContext } from "../../src/cli/plain-output.ts";
import { invoke } from "../../test/contract/vm/streams.ts";
import { clientCertificate } from "../../test/harness/client-certificate.ts";
import { encode } from "../../test/harness/cty-codec.ts";
import { Core, type Input, type Launched, launch, ProviderErrors } from "../../test/harness/index.ts";
import { Dice } from "../chaos/dice.ts";
import { hostileReply, hostileText } from "./hostile-texts.ts";
import { providerCommand } from "./provider-command.ts";
import { problemsIn, type Shown } from "./shown-texts.ts";
import { startProxy, type TamperingProxy } from "./tampering-proxy.ts";

const environment = {
  PROXMOX_VE_REQUEST_TIMEOUT: "2s",
  PROXMOX_VE_TASK_TIMEOUT: "1s",
  PROXMOX_VE_TASK_POLL_INTERVAL: "10ms",
  PROXMOX_VE_LOCK_ATTEMPTS: "1",
  PROXMOX_VE_STABILISE: "100ms",
  PROXMOX_LOG_LEVEL: "debug",
  PROXMOX_LOG: "1",
};

/** The VM that actions are run on. */
const subject = 700;

/** Commands that read a cluster, and what they are given. */
const reading: readonly (readonly [name: string, ...args: string[]])[] = [
  ["doctor"],
  ["doctor", "--json"],
  ["export"],
  ["import", "--templates"],
  ["sweep", "--pool", "none", "--prefix", "x"],
];

/** A provider and a cluster whose texts are hostile; everything that is shown of them. */
export class TextLab {
  readonly #simulator: Simulator;
  readonly #proxy: TamperingProxy;
  readonly #folder: string;
  readonly #provider: Launched;
  readonly #core: Core;
  #shown: Shown[] = [];
  #seen = { log: 0, trace: 0, stderr: 0 };
  /** How many texts were inspected. */
  count = 0;

  private constructor(simulator: Simulator, proxy: TamperingProxy, folder: string, provider: Launched, core: Core) {
    this.#simulator = simulator;
    this.#proxy = proxy;
    this.#folder = folder;
    this.#provider = provider;
    this.#core = core;
    const call = provider.wire.call.bind(provider.wire);
    provider.wire.call = (async (name: Parameters<typeof call>[0], request: never) => {
      const response = (await call(name, request)) as {
        diagnostics?: { summary: string; detail: string }[];
        error?: { text: string } | null;
      };
      this.#diagnosed(response.diagnostics ?? []);
      if (response.error) this.#shown.push({ kind: "message", text: response.error.text });
      return response;
    }) as typeof provider.wire.call;
  }

  static async open(): Promise<TextLab> {
    const simulator = await startSimulator({ speed: 500 });
    const proxy = await startProxy(simulator);
    const folder = mkdtempSync(join(tmpdir(), "hostile-texts-"));
    const env = { ...environment, PROXMOX_LOG_PATH: join(folder, "log"), PROXMOX_TRACE_PATH: join(folder, "trace") };
    const provider = await launch([...providerCommand], { client: clientCertificate(), env });
    const core = await Core.connect(provider.wire);
    const lab = new TextLab(simulator, proxy, folder, provider, core);
    await lab.#configure();
    await core.resource("proxmox_vm").create({ name: "subject", vmid: subject, clone: { template: "9000" } });
    return lab;
  }

  /** What was shown to a person and should not have been. */
  async run(seed: number): Promise<string[]> {
    const dice = new Dice(seed);
    // What one run has read must not be all that later ones see.
    await this.#configure();
    this.#proxy.tamper = (reply) => (dice.chance(0.2) ? hostileReply(reply, dice) : reply);
    await this.#resource(seed, dice);
    await this.#action(dice);
    await this.#provider.wire.call("CallFunction", {
      name: "size",
      arguments: [{ msgpack: encode({ kind: "string" }, hostileText(dice)) }],
    });
    await this.#command(dice);
    this.#logs();
    const shown = this.#shown;
    this.#shown = [];
    this.count += shown.length;
    return shown.flatMap(problemsIn);
  }

  async #configure(): Promise<void> {
    this.#proxy.tamper = (reply) => reply;
    await this.#core.configure({
      endpoint: this.#proxy.url,
      api_token: this.#simulator.tokens["root@pam!admin"] ?? "",
      ca_certificate: this.#proxy.caCertificate,
    });
  }

  async #resource(seed: number, dice: Dice): Promise<void> {
    const vm = this.#core.resource("proxmox_vm");
    const input: Input = { name: `texts-${seed}`, clone: { template: "9000" }, description: hostileText(dice) };
    const attempt = <T>(work: Promise<T>): Promise<T | null> =>
      work.catch((reason: unknown) => (reason instanceof ProviderErrors ? (reason.remains as T | null) : null));
    const made = await attempt(vm.create(input));
    if (made) await attempt(vm.destroy(made));
  }

  async #action(dice: Dice): Promise<void> {
    const type = dice.pick(["proxmox_vm_start", "proxmox_vm_stop", "proxmox_vm_exec"]);
    const more = type === "proxmox_vm_exec" ? { command: [hostileText(dice)] } : {};
    const said = await invoke(this.#provider, type, { vmid: subject, timeout: "2s", ...more }).catch(() => null);
    if (said === null) return;
    this.#diagnosed(said.diagnostics);
    for (const text of said.progress) this.#shown.push({ kind: "line", text });
  }

  async #command(dice: Dice): Promise<void> {
    const [name, ...args] = dice.pick(reading);
    const printed = { stdout: "", stderr: "" };
    const stream = (to: "stdout" | "stderr") => ({ write: (text: string) => (printed[to] += text) });
    const env = {
      PROXMOX_VE_ENDPOINT: this.#proxy.url,
      PROXMOX_VE_CA_CERTIFICATE: this.#proxy.caCertificate,
      PROXMOX_VE_API_TOKEN: this.#simulator.tokens["root@pam!admin"] ?? "",
      ...environment,
    };
    const context = plainContext({ stdout: stream("stdout"), stderr: stream("stderr"), env });
    await commands[name]?.run(args, context).catch((reason: unknown) => {
      this.#shown.push({ kind: "thrown", text: `${name}: ${reason instanceof Error ? reason.stack : reason}` });
    });
    this.#shown.push({ kind: "output", text: printed.stdout }, { kind: "message", text: printed.stderr });
  }

  #diagnosed(diagnostics: readonly { summary: string; detail: string }[]): void {
    for (const { summary, detail } of diagnostics)
      this.#shown.push({ kind: "line", text: summary }, { kind: "message", text: detail });
  }

  /** Lines for Terraform, for a person and for `timeline`. */
  #logs(): void {
    const stderr = this.#provider.stderr();
    for (const line of stderr.slice(this.#seen.stderr).split("\n").filter(Boolean))
      this.#shown.push({ kind: "event", text: line });
    this.#seen.stderr = stderr.length;
    for (const name of ["log", "trace"] as const) {
      const text = readFileSync(join(this.#folder, name), "utf8");
      for (const line of text.slice(this.#seen[name]).split("\n")) this.#shown.push({ kind: "line", text: line });
      this.#seen[name] = text.length;
    }
  }

  async close(): Promise<void> {
    this.#proxy.tamper = (reply) => reply;
    if (this.#provider.process.exitCode === null) await this.#provider.stop();
    this.#proxy.close();
    await this.#simulator.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
