import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Copy, copyVariable } from "./copy.ts";

/** A process that serves Terraform a provider of the copy. */
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

  static async start(copy: Copy, env: Readonly<Record<string, string | undefined>>): Promise<AttachedProvider> {
    const [self = "", ...script] = [process.execPath, ...process.argv.slice(1, 2)];
    const child = spawn(self, [...script, "--debug"], {
      env: { ...withoutSettings(env), [copyVariable]: JSON.stringify(copy) },
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const [, reattach] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(line) ?? [];
      if (reattach !== undefined) return new AttachedProvider(child, reattach);
    }
    throw new Error("The provider of the copy has not started.");
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, "close");
    this.#process.kill("SIGTERM");
    await ended;
  }
}

/** The user's own settings must not reach the provider of the copy. */
const withoutSettings = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:PROXMOX_VE_|PM_)/.test(name)));
