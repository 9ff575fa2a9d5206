import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { type Connected, spawnProvider } from "./launch.ts";
import { Wire } from "./wire.ts";

const exitWithParent = join(import.meta.dirname, "exit-with-parent.mjs");

/** How many processes a worker keeps. */
const mostShared = 3;

/** By command and environment, the last used one last. */
const shared = new Map<string, AttachableProvider>();

/**
 * A provider that was started with `--debug` and outlives the commands that use it. Each connection has a provider of its
 * own in it, which knows nothing of the others, so a new connection costs milliseconds where a new process costs half a
 * second.
 */
export class AttachableProvider {
  readonly process: ChildProcess;
  /** What `TF_REATTACH_PROVIDERS` takes. */
  readonly reattach: string;
  readonly stderr: () => string;
  readonly #wires: Wire[] = [];

  private constructor(process: ChildProcess, reattach: string, stderr: () => string) {
    this.process = process;
    this.reattach = reattach;
    this.stderr = stderr;
  }

  static async start(
    command: readonly string[],
    options: { env: Record<string, string>; cwd?: string; stdin?: "pipe" },
  ): Promise<AttachableProvider> {
    const { process, firstLine, stderr } = spawnProvider([...command, "--debug"], options);
    const line = await firstLine;
    const [, reattach] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(line) ?? [];
    if (reattach === undefined) throw new Error(`the provider does not say how to attach to it: ${line}`);
    return new AttachableProvider(process, reattach, stderr);
  }

  /** The sources under Node, in a process that test files of this worker use one after the other: most of a start is imports. */
  static async shared(main: string, env: Record<string, string>): Promise<AttachableProvider> {
    const key = JSON.stringify([main, env]);
    const running = shared.get(key);
    shared.delete(key);
    const provider = running?.isAlive
      ? running
      : await AttachableProvider.start([process.execPath, "--import", exitWithParent, main], { env, stdin: "pipe" });
    provider.#letParentExit();
    shared.set(key, provider);
    for (const [other, { process }] of [...shared].slice(0, -mostShared)) {
      process.kill("SIGTERM");
      shared.delete(other);
    }
    return provider;
  }

  get isAlive(): boolean {
    const { killed, exitCode, signalCode } = this.process;
    return !killed && exitCode === null && signalCode === null;
  }

  /** With what the provider has written to stderr since then. */
  connect(): Connected {
    const [{ Addr: address } = { Addr: { Network: "", String: "" } }] = Object.values(
      JSON.parse(this.reattach) as Record<string, { Addr: { Network: string; String: string } }>,
    );
    const wire = new Wire(address.Network === "unix" ? `unix:${address.String}` : address.String);
    this.#wires.push(wire);
    const { length } = this.stderr();
    return { wire, process: this.process, stderr: () => this.stderr().slice(length) };
  }

  /** The process that has started it need not wait for it. */
  #letParentExit(): void {
    const { stdin, stdout, stderr } = this.process;
    this.process.unref();
    for (const pipe of [stdin, stdout, stderr]) (pipe as Socket | null)?.unref();
  }

  /** Ends it with all its connections. */
  stop(): void {
    for (const wire of this.#wires) wire.close();
    this.process.kill("SIGTERM");
  }
}
