import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { isHostGiven, needsSimulator } from "./test/acceptance/needs-simulator.ts";
import { LongestFirst } from "./test/longest-first.ts";

// Children that run the sources need not strip and compile them at every start: a third of what a contract test costs.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/node");

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, setupFiles: ["test/setup.ts"], ...more },
});

const notOnAHost = isHostGiven ? Object.keys(needsSimulator).map((file) => `test/acceptance/${file}`) : [];

/** The slower a project, the later it is listed; `npm run check` stops before the ones that start real binaries. */
export default defineConfig({
  test: {
    // Vitest would leave one core free. One worker more than cores: a test that waits, for a task or for Terraform, uses none.
    maxWorkers: availableParallelism() + 1,
    // Files share a worker with what it has imported: to import the simulator for each of them was a third of the work.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      project("unit", ["test/unit/**/*.test.ts", "test/harness/**/*.test.ts", "test/*.test.ts"], {
        testTimeout: 20_000,
      }),
      project("contract", ["test/contract/**/*.test.ts"], { testTimeout: 60_000, hookTimeout: 60_000 }),
      project("recordings", ["test/recordings/*.test.ts"], { testTimeout: 60_000 }),
      project("corner", ["test/corner/**/*.test.ts"], {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        globalSetup: ["test/terraform/announce-binaries.ts", "test/corner/build-corner.ts"],
      }),
      project("acceptance", ["test/acceptance/**/*.test.ts"], {
        // The tasks of a real host take minutes, and its VMIDs are chosen by one test at a time.
        testTimeout: isHostGiven ? 3_600_000 : 300_000,
        hookTimeout: isHostGiven ? 3_600_000 : 300_000,
        fileParallelism: !isHostGiven,
        globalSetup: ["test/acceptance/set-up.ts"],
        exclude: [...configDefaults.exclude, ...notOnAHost],
      }),
    ],
  },
});
