import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import type { Binary } from "./terraform-binaries.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of the configuration that Terraform shows beside an error: `  21:   password = "…"`. A secret may be in it. */
const sourceLine = /^[\s│]*\d+: .*\n?/gm;

/** What Terraform says, without colours and frames. */
export const explanation = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/^[╷╵]\n?/gm, "")
    .replaceAll(sourceLine, "")
    .replaceAll(/^│ ?/gm, "")
    .trim();

/** Runs Terraform in a folder; not synchronously, since the copy of the cluster lives in this process. */
export class Terraform {
  readonly #binary: Binary;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #signal: AbortSignal;

  constructor(binary: Binary, env: Readonly<Record<string, string | undefined>>, signal: AbortSignal) {
    this.#binary = binary;
    this.#env = { ...env, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0" };
    this.#signal = signal;
  }

  /** With another environment. */
  with(more: Readonly<Record<string, string>>): Terraform {
    return new Terraform(this.#binary, { ...this.#env, ...more }, this.#signal);
  }

  async run(folder: string, args: readonly string[], onLine: (line: string) => void = () => {}): Promise<Ran> {
    this.#signal.throwIfAborted();
    const child = spawn(this.#binary.path, args, {
      cwd: folder,
      env: this.#env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
      // Ctrl-C reaches Terraform by way of the abort: as a member of the terminal's group it would get two.
      detached: true,
    });
    const stop = () => child.kill("SIGINT");
    this.#signal.addEventListener("abort", stop, { once: true });
    const texts = { stdout: "", stderr: "" };
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      texts.stdout += text;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      texts.stderr += text;
    });
    const [code] = (await once(child, "close")) as [number | null];
    this.#signal.removeEventListener("abort", stop);
    this.#signal.throwIfAborted();
    return { code: code ?? 1, stdout: texts.stdout, stderr: explanation(texts.stderr) };
  }
}
