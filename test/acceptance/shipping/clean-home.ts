import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../../../src/cli/cache-folder.ts";

const root = join(import.meta.dirname, "../../..");

export interface Outcome {
  code: number;
  output: string;
}

/** An empty home directory, and the commands that a user runs there. */
export class CleanHome implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "home-"));
  /** Nothing of the user who runs the tests: no CLI configuration, no plug-in cache, no credentials. */
  readonly #env = {
    HOME: this.folder,
    PATH: process.env["PATH"] ?? "",
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
  };

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs `npm run install:local` and returns its output. Node for the executable comes from the real cache. */
  install(...args: string[]): string {
    const env = { ...this.#env, XDG_CACHE_HOME: join(cacheFolder("."), "..") };
    const command = [join(root, "scripts/install-local.ts"), ...args];
    const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stderr;
  }

  write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  run(folder: string, program: string, args: readonly string[], more: Record<string, string> = {}): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { cwd: join(this.folder, folder), env: { ...this.#env, ...more } };
      execFile(program, args, options, (failure, stdout, stderr) =>
        resolve({ code: failure ? Number(failure.code) : 0, output: `${stdout}${stderr}` }),
      );
    });
  }
}
