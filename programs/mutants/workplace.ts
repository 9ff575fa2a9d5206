import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, plantIn, type Suite } from "./fault.ts";

const root = join(import.meta.dirname, "../..");
const leftOut = new Set([".git", "dist", "node_modules"]);

/** For each suite: a fault that makes a test wait forever must not stop the program. */
const longestMs = 300_000;

/** The tests of suites. Without any, the suites could not be run; `output` says why. */
export interface Verdict {
  readonly passed: number;
  /** The names of those that failed. */
  readonly failed: readonly string[];
  readonly seconds: number;
  readonly output: string;
}

/** A copy of the repository to plant faults in: whatever happens, the repository itself stays as it is. */
export class Workplace implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "mutants-"));
  #child: ChildProcess | undefined;

  constructor() {
    for (const name of readdirSync(root).filter((entry) => !leftOut.has(entry))) {
      cpSync(join(root, name), join(this.#folder, name), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(this.#folder, "node_modules"));
    process.once("exit", this.#remove);
  }

  /** Runs a suite with one fault, which is taken out again. */
  async runWith(fault: Fault): Promise<Verdict> {
    const path = join(this.#folder, fault.file);
    const source = readFileSync(path, "utf8");
    writeFileSync(path, plantIn(source, fault));
    try {
      // The first failure decides; the others cost time.
      return await this.run([fault.suite], ["--bail=1"]);
    } finally {
      writeFileSync(path, source);
    }
  }

  async run(suites: readonly Suite[], more: readonly string[] = []): Promise<Verdict> {
    const begun = performance.now();
    const report = join(this.#folder, "report.json");
    rmSync(report, { force: true });
    const output = await this.#runVitest(suites.length * longestMs, [
      ...argumentsOf(suites),
      ...more,
      `--outputFile=${report}`,
      `--fsModuleCachePath=${join(this.#folder, ".cache")}`,
    ]);
    // Where several suites run, a name selects nothing: tests of a file that no suite names do not count.
    const results = readReport(report).filter((result) => suites.some((suite) => isOf(result, suite)));
    const named = (wanted: string) => results.filter(({ status }) => status === wanted).map(({ fullName }) => fullName);
    const seconds = (performance.now() - begun) / 1000;
    return { passed: named("passed").length, failed: named("failed"), seconds, output };
  }

  #runVitest(timeout: number, args: readonly string[]): Promise<string> {
    const vitest = join(this.#folder, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [vitest, "run", "--reporter=json", ...args], {
      cwd: this.#folder,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"))),
      stdio: ["ignore", "pipe", "pipe"],
      timeout,
      killSignal: "SIGKILL",
    });
    this.#child = child;
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", () => resolve(Buffer.concat(output).toString("utf8")));
    });
  }

  readonly #remove = () => {
    this.#child?.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  };

  [Symbol.dispose](): void {
    this.#remove();
    process.off("exit", this.#remove);
  }
}

function argumentsOf(suites: readonly Suite[]): string[] {
  const projects = new Set(suites.map(({ project }) => `--project=${project}`));
  const [only] = suites.length === 1 ? suites : [];
  return [
    ...projects,
    ...new Set(suites.map(({ file }) => file)),
    ...(only?.test === undefined ? [] : ["-t", only.test.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")]),
  ];
}

interface Result {
  readonly fullName: string;
  readonly status: string;
  /** Of the file. */
  readonly path: string;
}

const isOf = ({ fullName, path }: Result, { file, test = "" }: Suite): boolean =>
  path.endsWith(`/${file}`) && fullName.includes(test);

function readReport(path: string): Result[] {
  try {
    const { testResults } = JSON.parse(readFileSync(path, "utf8")) as {
      testResults: { name: string; assertionResults: Omit<Result, "path">[] }[];
    };
    return testResults.flatMap(({ name, assertionResults }) => assertionResults.map((one) => ({ ...one, path: name })));
  } catch {
    return [];
  }
}
