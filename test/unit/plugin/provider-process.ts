import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { cookie } from "../../harness/launch.ts";
import { stubProcess } from "./stub-process-command.ts";

/** The stub provider as a process; the test performs the handshake. */
export class ProviderProcess {
  readonly child: ChildProcess;
  /** With `code` and `signal`, once it has ended. */
  readonly exited: Promise<unknown[]>;
  #stderr = "";

  constructor(env: Record<string, string> = { ...cookie, PLUGIN_PROTOCOL_VERSIONS: "5,6" }, args: string[] = []) {
    const [program = "", ...rest] = stubProcess;
    this.child = spawn(program, [...rest, ...args], { stdio: ["ignore", "pipe", "pipe"], env: clean(env) });
    this.exited = once(this.child, "close");
    this.child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    onTestFinished(async () => {
      this.child.kill("SIGTERM");
      await this.exited;
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  async firstLine(): Promise<string> {
    if (!this.child.stdout) throw new Error("it has no stdout");
    const lines = createInterface({ input: this.child.stdout });
    const [line] = await once(lines, "line");
    return String(line);
  }

  /** Its address, from its handshake line. */
  async address(): Promise<string> {
    return (await this.firstLine()).split("|")[3] ?? "";
  }
}

/** Without the variables of the test run itself. */
function clean(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }), ...env };
}
