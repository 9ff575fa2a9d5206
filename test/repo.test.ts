import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { objects, registry, settings } from "../src/registry.ts";
import { needsSimulator } from "./acceptance/needs-simulator.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const sources = ["src", "test", "programs"].flatMap(filesUnder).filter((path) => path.endsWith(".ts"));

interface Package {
  license: string;
  engines: { node: string };
  imports: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

describe("source files", () => {
  test("never have vague names", () => {
    const vague = /(^|-)(utils?|helpers?|common|manager|misc)\.ts$/;
    expect(sources.filter((path) => vague.test(basename(path)))).toEqual([]);
  });

  test("have named exports only", () => {
    const withDefault = sources.filter((path) => /^export default\b/m.test(read(path)));
    expect(withDefault).toEqual([]);
  });

  test("import only shipped modules, if they are shipped", () => {
    const outward = /from "(\.\.\/)+(test|programs|scripts)\//;
    expect(sources.filter((path) => path.startsWith("src/") && outward.test(read(path)))).toEqual([]);
  });

  test("reach another layer by its name, and each layer has one index", () => {
    const { imports } = JSON.parse(read("package.json")) as Package;
    const layers = ["framework", "kit", "plugin", "pve", "simulator"];
    const indexes = Object.fromEntries(layers.map((name) => [`#${name}`, `./src/${name}/index.ts`]));
    // Facts that a schema needs without the client.
    expect(imports).toEqual({ ...indexes, "#pve/slots": "./src/pve/slots.ts" });
    const deeper = sources.filter((path) => /^src\/[^/]+\/.+\/index\.ts$/.test(path));
    expect(deeper).toEqual([]);
  });
});

describe("the framework for other providers", () => {
  test("names no system that a provider manages", () => {
    const published = sources.filter((path) => /^src\/(framework|plugin|public)\//.test(path));
    const named = published.filter((path) =>
      /proxmox|\bpve\b|telmate|\bbpg\b/i.test(read(path).replaceAll("terraform-provider-proxmox/framework", "")),
    );
    expect(named).toEqual([]);
  });

  test("has an example of at most 60 lines, printed on its page", () => {
    const example = read("examples/your-own-provider/src/provider.ts");
    expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    const page = read("docs/guides/write-a-provider.md");
    expect(page).toContain(example);
    expect(page).toContain(read("examples/your-own-provider/src/main.ts").replace(/^\/\*\*.*\n/, ""));
  });
});

describe("everything the provider registers", () => {
  /** Heads of changelog entries, such as `resource/proxmox_vm` or `data-source/proxmox_vm, proxmox_vms`. */
  const announced = [...read("CHANGELOG.md").matchAll(/^- ([a-z-]+)\/([\w, ]+):/gm)].flatMap(
    ([, kind = "", names = ""]) => names.split(", ").map((name) => `${kind}/${name}`),
  );
  const tried = filesUnder("test/acceptance").map(read).join("\n");
  const { keys: namesOf } = Object;
  const registered = [
    { kind: "resource", names: namesOf(registry.resources), examples: ["resource.tf", "import.sh"] },
    { kind: "data-source", names: namesOf(registry.dataSources), examples: ["data-source.tf"] },
    { kind: "ephemeral-resource", names: namesOf(registry.ephemerals), examples: ["ephemeral-resource.tf"] },
    { kind: "action", names: namesOf(registry.actions), examples: ["action.tf"] },
    { kind: "function", names: namesOf(registry.functions), examples: ["function.tf"] },
    {
      kind: "list-resource",
      // Those of definitions are derived, examples included.
      names: namesOf(registry.listResources).filter((type) => !Object.hasOwn(objects, type)),
      examples: ["list-resource.tfquery.hcl"],
    },
  ];

  test.each(registered)("has its example: $kind", ({ kind, names, examples }) => {
    const wanted = names.flatMap((name) => examples.map((file) => `examples/${kind}s/${name}/${file}`));
    expect(wanted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test.each(registered)("has its line in the changelog: $kind", ({ kind, names }) => {
    const entries = names.map((name) => `${kind.replace(/-resource$/, "")}/${name}`);
    expect(entries.filter((entry) => !announced.includes(entry))).toEqual([]);
  });

  test("is counted in the README, which fits on two screens", () => {
    const [resources, dataSources, actions] = ["resource", "data-source", "action"].map(
      (kind) => registered.find((row) => row.kind === kind)?.names.length,
    );
    const counted = `${resources} resources, ${dataSources} data sources and ${actions} actions`;
    expect(read("README.md")).toContain(counted);
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(121);
  });

  test("has an acceptance test of its life cycle, if it is a resource", () => {
    const plain = namesOf(registry.resources).filter((type) => !Object.hasOwn({ ...objects, ...settings }, type));
    const types = [...plain, ...namesOf(registry.ephemerals)];
    expect(types.filter((type) => !tried.includes(`"${type}`) && !tried.includes(` ${type} `))).toEqual([]);
  });
});

describe("package.json", () => {
  const pkg = JSON.parse(read("package.json")) as Package;

  test("pins every dependency to one version", () => {
    const loose = Object.entries({ ...pkg.dependencies, ...pkg.devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test("brings its own Node, so that the machine may have an older one", () => {
    expect(pkg.dependencies["node"]).toMatch(/^24\./);
    expect(pkg.engines.node).toBe(">=20");
  });

  test("names the licence of the LICENSE file", () => {
    expect(pkg.license).toBe("MPL-2.0");
    expect(read("LICENSE")).toContain("Mozilla Public License Version 2.0");
  });

  test("is locked without the host of the registry", () => {
    expect(read("package-lock.json")).not.toContain('"resolved": "http');
  });
});

describe("the repository", () => {
  test("has only the expected files at its top", () => {
    const ignored = ["node_modules", "dist", "bindings", "coverage", ".cache", ".git"];
    expect(
      readdirSync(root)
        .filter((name) => !ignored.includes(name))
        .sort(),
    ).toEqual([
      ".ci",
      ".github",
      ".gitignore",
      ".npmrc",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "biome.json",
      "docs",
      "examples",
      "knip.json",
      "package-lock.json",
      "package.json",
      "programs",
      "schema",
      "scripts",
      "src",
      "test",
      "tsconfig.json",
      "vitest.config.ts",
    ]);
  });

  test("starts its README with the two commands, and continuous integration runs the second", () => {
    const commands = [...read("README.md").matchAll(/^npm install && npm (?:run )?\w+$/gm)].map(([command]) => command);
    expect(commands.slice(0, 2)).toEqual(["npm install && npm run demo", "npm install && npm test"]);
    expect(read(".ci/run")).toContain("npm install && npm test");
    expect(read(".github/workflows/test.yml")).toContain("npm install && npm test");
  });

  test("numbers its decisions without gaps, each with a title and its three parts", () => {
    const decisions = readdirSync(join(root, "docs/decisions")).sort();
    expect(decisions.map((name) => Number(name.slice(0, 3)))).toEqual(decisions.map((_, index) => index + 1));
    for (const name of decisions) {
      const text = read(join("docs/decisions", name));
      const number = name.slice(0, 3);
      expect(text, name).toMatch(new RegExp(`^# ${number}: .+\n`));
      for (const part of ["Why", "Decision", "Consequences"]) expect(text, name).toContain(`\n## ${part}\n`);
    }
  });

  test("says why it depends on each package", () => {
    const pkg = JSON.parse(read("package.json")) as Package;
    const reasons = readdirSync(join(root, "docs/decisions")).map((name) => read(join("docs/decisions", name)));
    const names = Object.keys({ ...pkg.dependencies, ...pkg.devDependencies });
    expect(names.filter((name) => !reasons.some((text) => text.includes(`\`${name}\``)))).toEqual([]);
  });

  test("keeps a changelog of what is not released yet", () => {
    expect(read("CHANGELOG.md")).toMatch(/^# Changelog\n\n## Unreleased\n/);
  });

  test("has no paths or names of a machine in it", () => {
    const texts = [
      ...sources,
      ...filesUnder("docs"),
      ...filesUnder("schema"),
      "README.md",
      "CONTRIBUTING.md",
      "CHANGELOG.md",
    ];
    const marks = [`/${"work"}/`, `/${"root"}/`, `/${"home"}/`];
    expect(
      texts.filter((path) => existsSync(join(root, path)) && marks.some((mark) => read(path).includes(mark))),
    ).toEqual([]);
  });
});

test("every acceptance test uses the given host, or says why it cannot", () => {
  const files = sources.filter((path) => /^test\/acceptance\/.*\.test\.ts$/.test(path));
  const silent = files.filter((path) => !read(path).includes("cluster.needs("));
  expect(Object.keys(needsSimulator).sort()).toEqual(silent.map((path) => relative("test/acceptance", path)).sort());
});
