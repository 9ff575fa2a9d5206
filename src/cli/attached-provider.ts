import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** This program as a process that serves Terraform, so that nothing has to be installed. */
export class AttachedProvider {
  /** What Terraform and OpenTofu find it by. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, reattach: string) {
    this.#process = child;
    const [[address = "", settings] = []] = Object.entries(JSON.parse(reattach) as Record<string, unknown>);
    const tofu = address.replace("registry.terraform.io", "registry.opentofu.org");
    this.variables = { TF_REATTACH_PROVIDERS: JSON.stringify({ [address]: settings, [tofu]: settings }) };
  }

  static async start(env: Readonly<Record<string, string | undefined>>): Promise<AttachedProvider> {
    const [self = "", ...script] = [process.execPath, ...process.argv.slice(1, 2)];
    const child = spawn(self, [...script, "--debug"], { env, stdio: ["ignore", "pipe", "ignore"], detached: true });
    for await (const line of createInterface({ input: child.stdout })) {
      const [, reattach] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(line) ?? [];
      if (reattach !== undefined) return new AttachedProvider(child, reattach);
    }
    throw new Error("The provider has not started.");
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, "close");
    this.#process.kill("SIGTERM");
    await ended;
  }
}
