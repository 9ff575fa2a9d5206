import { afterAll, beforeAll, expect, test } from "vitest";
import { type Instance, type ManagedResource, ProviderErrors } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { isTree, pathsOf, type Tree, without } from "../transitions/lines.ts";
import { everyLine, furnish, staying, withoutUndo } from "./every-line.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ speed: 2000, as: "root@pam" });
  furnish(bench);
});

afterAll(() => bench.close());

/** How many lines leave in one step; `LINES_AT_A_TIME=1` takes a minute. */
const atATime = Number(process.env["LINES_AT_A_TIME"] ?? 40);

const valueAt = (tree: Tree, path: readonly string[]) =>
  path.reduce<unknown>((node, name) => (isTree(node) ? node[name] : undefined), tree);

/** Lines that hold a value. */
const linesOf = (tree: Tree) => pathsOf(tree).filter((path) => !isTree(valueAt(tree, path)));

/** The lines in an order that is neither that of the schema nor that of the alphabet. */
const mixed = (paths: readonly string[][]) =>
  paths
    .map((path, index) => ({ path, order: (index * 37) % 101 }))
    .sort((a, b) => a.order - b.order)
    .map(({ path }) => path);

type Attributes = ManagedResource["schema"]["body"]["attributes"];

/** Every line that the schema has. */
const linesIn = (attributes: Attributes, prefix: readonly string[] = []): string[] =>
  Object.entries(attributes).flatMap(([name, { optional, required, nested }]) => {
    const path = [...prefix, name];
    if (!optional && !required) return [];
    return nested ? linesIn(nested.attributes, nested.nesting === "map" ? [...path, "*"] : path) : [path.join(".")];
  });

test("the configurations have every line of the schema that can be undone", () => {
  const slots = /\.(scsi|ide|sata|virtio|net|numa|hostpci|usb|virtiofs)\d+\./;
  const written = everyLine.flatMap(linesOf).map((path) => path.join(".").replace(slots, ".*."));
  const missing = linesIn(bench.vm.schema.body.attributes).filter(
    (line) =>
      !written.includes(line) &&
      !withoutUndo.some((pattern) => pattern.test(line)) &&
      !written.some((path) => new RegExp(`^${line}\\.\\w+$`).test(path)),
  );
  expect(missing).toEqual(["disks.*.size"].filter((line) => !written.includes(line)));
});

test.each(everyLine.map((lines, index) => [index + 1, lines] as const))(
  "each line of configuration %i goes back to the template's value when it leaves, or the plan says that it stays",
  async (index, lines) => {
    const fixed = {
      name: `every-${index}`,
      clone: { template: "ubuntu-24.04-cloud" },
      power: "stopped",
      allow_duplicate_name: true,
    };
    const plain = await bench.vm.create(fixed);
    const taking = new Taking(fixed, lines, plain, await bench.vm.create({ ...fixed, ...lines }));
    for (let waiting = mixed(linesOf(lines)), before = Number.POSITIVE_INFINITY; waiting.length < before; ) {
      before = waiting.length;
      const left: string[][] = [];
      for (let from = 0; from < before; from += atATime) {
        left.push(...(await taking.out(waiting.slice(from, from + atATime))));
      }
      waiting = left;
    }
    // What is left cannot be without the lines that are left of it.
    const vm = await bench.vm.update(taking.vm, fixed);
    const vmids = [vm, plain].map((instance) => Number(attribute(instance, "vmid")));
    const [mine, expected] = vmids.map((vmid) => withoutVolumeNumbers(bench.comparable(vmid)));
    expect(mine).toEqual(expected);
    await bench.vm.destroy(vm);
    await bench.vm.destroy(plain);
  },
  600_000,
);

/** Takes lines out of a configuration, as many at a time as the plan lets go together. */
class Taking {
  vm: Instance;
  readonly #fixed: Tree;
  readonly #plain: Instance;
  #rest: Tree;

  constructor(fixed: Tree, lines: Tree, plain: Instance, vm: Instance) {
    this.#fixed = fixed;
    this.#rest = lines;
    this.#plain = plain;
    this.vm = vm;
  }

  /** Returns those that cannot leave yet, because others need them. */
  async out(leaving: readonly string[][]): Promise<string[][]> {
    const rest = leaving.reduce(without, this.#rest);
    const config = { ...this.#fixed, ...rest };
    const plan = await bench.vm.plan(await bench.vm.refresh(this.vm), config).catch((reason: unknown) => {
      if (reason instanceof ProviderErrors && !/bug in the provider/i.test(reason.message)) return null;
      throw reason;
    });
    if (plan === null && leaving.length <= 1) return [...leaving];
    if (plan === null) {
      const half = Math.ceil(leaving.length / 2);
      return [...(await this.out(leaving.slice(0, half))), ...(await this.out(leaving.slice(half)))];
    }
    this.vm = await bench.vm.apply(plan, config);
    await bench.vm.expectSettled(this.vm, config);
    this.#rest = rest;
    const reported = plan.warnings.map(({ detail }) => detail).join("\n");
    for (const path of leaving) this.#expectUndone(path, reported);
    return [];
  }

  #expectUndone(path: readonly string[], reported: string): void {
    const line = path.join(".");
    const [name = "", slot = "", ...inner] = path;
    const isStaying = staying.some((pattern) => pattern.test(line));
    const spelled = /\d$/.test(slot) ? `${name}["${slot}"]${inner.map((step) => `.${step}`).join("")}` : line;
    if (isStaying) expect(reported).toContain(`\`${spelled}\``);
    else if (!isMadeUp(line)) {
      expect([line, attribute(this.vm, ...path)]).toEqual([line, attribute(this.#plain, ...path)]);
    }
  }
}

/** Each VM has its own, another line decides the value as long as it is there, or the slot is no longer in the state. */
const isMadeUp = (line: string): boolean =>
  /^(networks\.net0\.mac|smbios\.uuid|vm_generation_id)$/.test(line) ||
  /^(disks\.scsi0\.format|cloud_init\.(\w+_data|data_storage)|(serial|parallel)\.\w+)$/.test(line);

const withoutVolumeNumbers = (config: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(config).map(([option, line]) => [option, line.replace(/disk-\d+/, "disk")]));
