import type { ChildProcess } from "node:child_process";
import { type Connected, spawnProvider } from "./launch.ts";
import { Wire } from "./wire.ts";

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
    options: { env: Record<string, string>; cwd?: string },
  ): Promise<AttachableProvider> {
    const { process, firstLine, stderr } = spawnProvider([...command, "--debug"], options);
    const line = await firstLine;
    const [, reattach] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(line) ?? [];
    if (reattach === undefined) throw new Error(`the provider does not say how to attach to it: ${line}`);
    return new AttachableProvider(process, reattach, stderr);
  }

  get isAlive(): boolean {
    const { killed, exitCode, signalCode } = this.process;
    return !killed && exitCode === null && signalCode === null;
  }

  connect(): Connected {
    const [{ Addr: address } = { Addr: { Network: "", String: "" } }] = Object.values(
      JSON.parse(this.reattach) as Record<string, { Addr: { Network: string; String: string } }>,
    );
    const wire = new Wire(address.Network === "unix" ? `unix:${address.String}` : address.String);
    this.#wires.push(wire);
    return { wire, process: this.process, stderr: this.stderr };
  }

  /** Ends it with all its connections. */
  stop(): void {
    for (const wire of this.#wires) wire.close();
    this.process.kill("SIGTERM");
  }
}
