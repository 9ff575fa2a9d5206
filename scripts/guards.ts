/** `npm run guards`: stale files, lint, types and dead code, all at once. Each prints one line, and what it has found. */
import { spawn } from "node:child_process";
import packageJson from "../package.json" with { type: "json" };

const { scripts } = packageJson;
const guards = ["stale", "lint", "types", "dead"] as const;

/** npm has put the programs of the packages on PATH for this script, so its children find them too. */
function run(guard: (typeof guards)[number]): Promise<boolean> {
  const begun = performance.now();
  const child = spawn(scripts[guard], { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      process.stdout.write(`${guard}: ${code === 0 ? "passed" : "failed"} in ${seconds} s\n`);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

const passed = await Promise.all(guards.map(run));
process.exitCode = passed.every(Boolean) ? 0 : 1;
