import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pathOfOption } from "#kit";
import { defaultSeed } from "#simulator";
import { attributes } from "../../../src/resources/vm/attributes.ts";
import { isVolumeSlot } from "../../../src/resources/vm/slots.ts";
import { type Instance, ProviderErrors } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { type Transitions, transitions } from "./arbitrary-transition.ts";
import { neverSmaller } from "./arbitrary-vm.ts";
import type { Tree } from "./lines.ts";
import { isHarmless, meddlings } from "./meddlings.ts";
import { shrink } from "./shrink.ts";
import { Bench, type Input } from "./suite.ts";

let bench: Bench;

/** A template with neither cloud-init drive nor agent, and with what others have not: a second disk, settings that are off. */
const plainTemplate = {
  vmid: 9003,
  config: {
    name: "plain",
    template: 1,
    ostype: "l26",
    memory: 1024,
    acpi: 0,
    numa: 0,
    balloon: 0,
    scsihw: "virtio-scsi-pci",
    scsi0: "nas:9003/base-9003-disk-0.qcow2,size=2G",
    scsi3: "nas:9003/base-9003-disk-1.qcow2,size=1G,backup=0",
    net0: "e1000=BC:24:11:00:90:03,bridge=vmbr0,tag=9",
    boot: "order=scsi0;net0",
    description: "plain",
    smbios1: "uuid=00000000-0000-4000-8000-000000009003",
    vmgenid: "00000000-0000-4000-9000-000000009003",
  },
};

beforeAll(async () => {
  const base = defaultSeed() as { guests: object[] };
  const iso_files = ["local:iso/rescue.iso", "nas:iso/drivers.iso"];
  const pools = ["lab", "lab/inner", "prod"].map((poolid) => ({ poolid }));
  const seed = { ...base, iso_files, pools, guests: [...base.guests, plainTemplate] };
  bench = await Bench.open({ speed: 2000, as: "root@pam", seed });
  const image = { node: undefined, ctime: 1_767_225_600, size: 2 ** 28, content: "import" } as const;
  bench.simulator.sim.world.volumes.push(
    { ...image, volid: "nas:import/small.qcow2", format: "qcow2", virtualSize: 2 ** 30 },
    { ...image, volid: "nas:import/large.raw", format: "raw", virtualSize: 3 * 2 ** 30 },
  );
});

afterAll(() => bench.close());

/** `npm run fuzz:transitions` for the full run of 3,000. */
const cases = Number(process.env["CASES"] ?? 12);
const seed = Number(process.env["SEED"] ?? 4);

/** Some cases of a run, to look into findings; `SHRINK=1` makes them as small as possible. */
const only = process.env["ONLY"]?.split(",");

/** A run that is cut into portions stops then, and says how many cases it did. */
const end = process.env["MINUTES"] ? Date.now() + Number(process.env["MINUTES"]) * 60_000 : Number.POSITIVE_INFINITY;

const counts = { applied: 0, refused: 0, undone: 0 };
const refusals: Record<string, number> = {};

/** A plan may refuse with a reason; what it lets through must work, and be settled afterwards. */
async function plan(prior: Instance | null, config: Input) {
  try {
    return await bench.vm.plan(prior, config);
  } catch (reason) {
    if (!(reason instanceof ProviderErrors) || /bug in the provider|plugin/i.test(reason.message)) throw reason;
    counts.refused += 1;
    for (const { summary } of reason.diagnostics) refusals[summary] = (refusals[summary] ?? 0) + 1;
    return null;
  }
}

/** Attributes that a plan of the case at hand said will keep their values. */
let staying: string[] = [];

async function apply(prior: Instance | null, config: Input): Promise<Instance | null> {
  const planned = await plan(prior, config);
  if (planned === null) return null;
  const said = (planned.warnings ?? []).filter(({ summary }) => /^Values? stays? as/.test(summary));
  staying.push(...said.flatMap(({ detail }) => [...detail.matchAll(/`(\w+)[.[`]/g)].map(([, name = ""]) => name)));
  const applied = await bench.vm.apply(planned, config);
  await bench.vm.expectSettled(applied, config);
  counts.applied += 1;
  return applied;
}

/** A disk cannot shrink, one that was moved and moved back is a full copy, and snapshots stay. */
function final(vmid: number): Readonly<Record<string, string>> {
  const { parent: _, ...options } = bench.comparable(vmid);
  const lines = Object.entries(options).map(([option, line]) => [
    option,
    line.replace(/,?size=\w+/, "").replace(/:[^,]*disk-\d+(?=[.,]|$)/, ":disk"),
  ]);
  const { access, ha } = bench.simulator.sim.world;
  const pool = Object.entries(access.pools).find(([, { vms }]) => vms.includes(vmid))?.[0];
  const resource = ha.resources[`vm:${vmid}`];
  return { ...Object.fromEntries(lines), ...(pool && { pool }), ...(resource && { ha: JSON.stringify(resource) }) };
}

const plainClones = new Map<string, Readonly<Record<string, string>>>();

/** What a clone without any line is like. */
async function plainClone(template: string) {
  const known = plainClones.get(template);
  if (known) return known;
  const made = await bench.vm.create({ name: `plain-of-${template.replace(/\W/g, "-")}`, clone: { template } });
  const found = final(Number(attribute(made, "vmid")));
  plainClones.set(template, found);
  await bench.vm.destroy(made);
  return found;
}

/** A finding names the options. */
function expectAlike(mine: Readonly<Record<string, string>>, plain: Readonly<Record<string, string>>): void {
  const options = [...new Set([...Object.keys(mine), ...Object.keys(plain)])];
  const isSaid = (option: string) => {
    const [name = option] = pathOfOption(attributes, option) ?? [];
    return staying.includes(name) || (isVolumeSlot(option) && staying.includes("disks"));
  };
  const differences = options.filter((option) => mine[option] !== plain[option] && !isSaid(option));
  const lines = differences.map((option) => `${option}: ${mine[option]}, in a plain clone ${plain[option]}`);
  if (lines.length > 0) throw new Error(`not undone: ${lines.join("; ")}`);
}

async function live({ template, first, steps }: Transitions, name: string): Promise<void> {
  const fixed = { name, clone: { template } };
  let instance = await apply(null, { ...fixed, ...first });
  if (instance === null) return;
  const vmid = Number(attribute(instance, "vmid"));
  let previous = first;
  for (const { config, meddling } of steps) {
    await meddlings[meddling](bench, vmid);
    await bench.configure();
    const next = neverSmaller(previous, config) as Tree;
    const updated = await apply(await bench.vm.refresh(instance), { ...fixed, ...next });
    instance = updated ?? instance;
    previous = updated ? next : previous;
  }
  // A disc in the slot of the template's cloud-init drive takes its place for good.
  const isDisplaced = [first, ...steps.map(({ config }) => config)].some(
    ({ cdroms }) => "ide2" in ((cdroms ?? {}) as Tree),
  );
  if (!isDisplaced && steps.every(({ meddling }) => isHarmless(meddling))) {
    const bare = await apply(await bench.vm.refresh(instance), { ...fixed, power: "stopped" });
    if (bare) {
      counts.undone += 1;
      instance = bare;
      expectAlike(final(vmid), { ...(await plainClone(template)), name });
    }
  }
  if (bench.config(vmid)["protection"] === "1") {
    await expect(bench.vm.destroy(await bench.vm.refresh(instance))).rejects.toThrow(/protect/);
    await meddlings["the protection is changed"](bench, vmid);
    await bench.configure();
  }
  await bench.vm.destroy(await bench.vm.refresh(instance));
  expect(bench.has(vmid)).toBe(false);
  // PVE forgets the volume of a cloud-init drive whose disc is changed (qemu-server: src/PVE/QemuServer.pm,
  // `vmconfig_update_disk`), and removes no volume at the end that no option names.
  const isForgotten = steps.some(({ meddling }) => meddling === "a disc takes the place of the cloud-init drive");
  const isOwn = (volid: string) =>
    !(isForgotten && /cloudinit/.test(volid)) && new RegExp(`\\bvm-${vmid}-|cloud-init-${vmid}-`).test(volid);
  const left = bench.simulator.sim.world.volumes.map(({ volid }) => volid).filter(isOwn);
  if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
}

let count = 0;

/** What goes wrong; null: nothing does. */
async function problemOf(given: Transitions): Promise<string | null> {
  count += 1;
  staying = [];
  const { guests } = bench.simulator.sim.world;
  const templates = Object.values(guests).filter(({ config }) => config["template"] === "1");
  const before = templates.map((guest) => [guest, { ...guest.config }] as const);
  await plainClone(given.template);
  const problem = await live(given, `moving-${count}`).then(
    () => null,
    (reason: unknown) => String(reason).slice(0, 900),
  );
  for (const [guest, config] of before) guest.config = config;
  if (problem !== null) clearAway(templates.map(({ vmid }) => vmid));
  return problem;
}

/** What a case with a problem leaves behind must not be a problem of the next one. */
function clearAway(templates: readonly number[]): void {
  const { world } = bench.simulator.sim;
  for (const vmid of bench.vmids()) if (!templates.includes(vmid)) delete world.guests[vmid];
  for (const pool of Object.values(world.access.pools)) pool.vms = [];
  world.ha.resources = {};
  world.volumes = world.volumes.filter(
    ({ vmid, volid }) => !/cloud-init-/.test(volid) && (vmid === undefined || templates.includes(vmid)),
  ) as typeof world.volumes;
}

/** The same problem with other names and numbers counts as the same. */
const kindOf = (problem: string | null) => problem?.replaceAll(/[\d"].*?\b/g, "").slice(0, 80);

/** The smallest case with the same problem. */
async function explain(given: Transitions, problem: string): Promise<void> {
  const same = async (candidate: Transitions) => kindOf(await problemOf(candidate)) === kindOf(problem);
  const smallest = process.env["SHRINK"] ? await shrink(given, same) : given;
  process.stderr.write(`${problem}\n${JSON.stringify(smallest, null, 1)}\n`);
}

test(
  "a VM that runs or not can be changed into any other, whatever others have done to it",
  async () => {
    const kinds = new Set<string | undefined>();
    const findings: { index: number; problem: string }[] = [];
    let done = 0;
    for (const [index, given] of fc.sample(transitions, { numRuns: cases, seed }).entries()) {
      if (only !== undefined && !only.includes(String(index))) continue;
      if (Date.now() > end) break;
      done += 1;
      const problem = await problemOf(given);
      if (problem === null) continue;
      findings.push({ index, problem });
      process.stderr.write(`case ${index}: ${problem.slice(0, 300)}\n`);
      const isNew = !kinds.has(kindOf(problem));
      kinds.add(kindOf(problem));
      if (only !== undefined || (process.env["SHRINK"] && isNew)) await explain(given, problem);
    }
    process.stderr.write(`seed ${seed}: ${done} VMs, ${JSON.stringify(counts)}, ${findings.length} findings\n`);
    process.stderr.write(`refused: ${JSON.stringify(refusals)}\n`);
    expect(findings).toEqual([]);
    // Otherwise the rules above were hardly put to the test.
    expect(counts.applied).toBeGreaterThan(counts.refused);
  },
  60_000 + cases * 10_000,
);
