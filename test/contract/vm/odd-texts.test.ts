import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderErrors } from "../../harness/index.ts";
import { isTree, pathsOf, type Tree, without } from "../transitions/lines.ts";
import { everyLine, furnish } from "./every-line.ts";
import { Bench, type Input } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ speed: 400, as: "root@pam" });
  furnish(bench);
});

afterAll(() => bench.close());

/** What people paste, read from files or mistype. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => `${text} `,
  (text) => `${text}\n`,
  (text) => ` ${text}`,
  () => "  ",
  (text) => `${text},x=1`,
  (text) => `${text}\ny`,
  (text) => text.toUpperCase(),
  () => "0",
  () => "ä;=,%",
  () => "zz!",
];

/** `ODD_TEXTS=all` tries every spelling in every place, which takes some minutes. */
const isAll = process.env["ODD_TEXTS"] === "all";

type Text = string | readonly string[];

const [lines = {}] = everyLine;
const valueAt = (path: readonly string[]) =>
  path.reduce<unknown>((node, name) => (isTree(node) ? node[name] : undefined), lines);
const isText = (value: unknown): value is Text =>
  typeof value === "string" || (Array.isArray(value) && typeof value[0] === "string");
const textPaths = pathsOf(lines).filter((path) => isText(valueAt(path)));

const replaced = (tree: Tree, [name = "", ...rest]: readonly string[], value: Input): Tree => ({
  ...tree,
  [name]: rest.length === 0 ? value : replaced(tree[name] as Tree, rest, value),
});

/** The block that the line is in, with another text there. */
function configOf(path: readonly string[], value: Input): Tree {
  const [top = ""] = path;
  const block = replaced({ [top]: lines[top] } as Tree, path, value);
  // Where the drive lies is decided by what is there already.
  return top === "cloud_init" ? without(without(block, [top, "slot"]), [top, "storage"]) : block;
}

test.each(textPaths.map((path, index) => [path.join("."), path, index] as const))(
  "%s: an odd text is refused before the apply, or stored",
  async (_, path, index) => {
    const tried = isAll ? spellings : [spellings[index % spellings.length] ?? String];
    for (const spell of tried) {
      const text = valueAt(path) as Text;
      const value = typeof text === "string" ? spell(text) : [spell(text[0] ?? "")];
      const config = {
        power: "stopped",
        clone: { template: "ubuntu-24.04-cloud" },
        name: "odd",
        ...configOf(path, value),
      };
      const plan = await bench.vm.plan(null, config).catch((reason: unknown) => {
        if (reason instanceof ProviderErrors && !/bug in the provider/i.test(reason.message)) return null;
        throw reason;
      });
      if (plan !== null) {
        const made = await bench.vm.apply(plan, config);
        await bench.vm.expectSettled(made, config);
        await bench.vm.destroy(await unprotected(made, config));
      }
      await bench.configure();
    }
    expect(tried.length).toBeGreaterThan(0);
  },
  300_000,
);

type Instance = Awaited<ReturnType<Bench["vm"]["create"]>>;

const unprotected = async (made: Instance, config: Tree): Promise<Instance> =>
  config["protection"] ? bench.vm.update(made, { ...config, protection: false }) : made;
