import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Input, type Instance, type ManagedResource, ProviderErrors } from "../../harness/index.ts";
import * as containers from "../container/suite.ts";
import { attribute } from "../resource-bench.ts";
import { furnish } from "./every-line.ts";
import { everything } from "./everything.ts";

let bench: containers.Bench;

beforeAll(async () => {
  bench = await containers.Bench.openWith({ as: "root@pam" });
  furnish(bench);
  const taken = ["boot", "cpu", "hotplug", "nameserver", "net0", "net4", "numa0", "parallel0", "serial0", "serial1"];
  const more = [...taken, "sshkeys", "tags", "usb0", "usb1", "virtiofs0", "hostpci1", "ide3"];
  for (const option of more) bench.guest(template).config[option] = everything[option] ?? "";
  const golden = bench.guest(9100).config;
  Object.assign(golden, { tags: "a;b", nameserver: "192.0.2.53", dev0: "/dev/fuse", mp0: golden["rootfs"] ?? "" });
  golden["mp0"] = "local-zfs:basevol-9100-disk-1,mp=/srv,size=1G";
  const root = bench.simulator.sim.world.volumes.find(({ volid }) => volid.endsWith("basevol-9100-disk-0"));
  bench.simulator.sim.world.volumes.push({ ...root, volid: "local-zfs:basevol-9100-disk-1" } as never);
}, 300_000);

afterAll(() => bench.close());

const template = 9000;

type Attributes = ManagedResource["schema"]["body"]["attributes"];

/** The places of lists, sets and maps that the object has, and that an argument can set. */
function collectionsIn(attributes: Attributes, state: Instance["state"], path: readonly string[] = []): string[][] {
  return Object.entries(attributes).flatMap(([name, { optional, nested, type }]) => {
    const [value, here] = [state[name], [...path, name]];
    if (!optional || value === null || value === undefined) return [];
    const own = [Array.isArray(value), nested?.nesting === "map", /^(list|set|map)$/.test(String(type?.kind))];
    const inside = (member: unknown, at: readonly string[]) =>
      nested ? collectionsIn(nested.attributes, member as Instance["state"], at) : [];
    if (nested?.nesting === "single") return inside(value, here);
    if (!own.some(Boolean) || Object.keys(value).length === 0) return [];
    const keys = nested?.nesting === "map" ? Object.entries(value) : [];
    return [here, ...keys.flatMap(([key, member]) => inside(member, [...here, key]))];
  });
}

/** A configuration with an empty collection in one place, and nothing else. */
const emptyAt = ([name = "", ...rest]: readonly string[], empty: Input): Input => ({
  [name]: rest.length === 0 ? empty : emptyAt(rest, empty),
});

describe.each([
  ["proxmox_vm", { clone: { template: "ubuntu-24.04-cloud" }, power: "stopped" }],
  ["proxmox_container", { clone: { template: "golden" }, power: "stopped" }],
] as const)("an empty collection of a %s that has elements without an argument", (type, fixed) => {
  test("is planned as nothing, or changes the guest", async () => {
    const resource = bench.resource(type);
    const common = { ...fixed, name: "empty", allow_duplicate_name: true };
    const model = await resource.create(common);
    const places = collectionsIn(resource.schema.body.attributes, model.state);
    const seen: Record<string, string> = {};
    for (const path of places) {
      const made = await resource.create(common);
      const vmid = Number(attribute(made, "vmid"));
      const before = JSON.stringify(bench.config(vmid));
      const value = path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], made.state);
      const config = { ...common, ...(emptyAt(path, Array.isArray(value) ? [] : {}) as object) };
      const outcome = await resource.update(made, config).catch((reason: unknown) => {
        if (reason instanceof ProviderErrors) return null;
        throw reason;
      });
      const isShown =
        outcome && JSON.stringify(attribute(outcome, ...path)) !== JSON.stringify(attribute(made, ...path));
      const isSent = JSON.stringify(bench.config(vmid)) !== before;
      seen[path.join(".")] = outcome === null ? "refused" : isShown === isSent ? "as planned" : "shown, not sent";
      await resource.destroy(outcome ?? made);
    }
    expect(places.length).toBeGreaterThan(3);
    expect(Object.entries(seen).filter(([, outcome]) => outcome === "shown, not sent")).toEqual([]);
  }, 300_000);
});

describe("an empty map of slots", () => {
  const common = { name: "others", clone: { template: "ubuntu-24.04-cloud" }, power: "stopped" } as const;
  const empty = { networks: {}, disks: {}, cdroms: {}, serial: {} };

  test("stays as it is when something else changes", async () => {
    const made = await bench.vm.create({ ...common, allow_duplicate_name: true });
    const vmid = Number(attribute(made, "vmid"));
    const before = bench.config(vmid);
    const changed = await bench.vm.update(made, { ...common, ...empty, description: "new" });
    expect(bench.config(vmid)).toEqual({ ...before, description: "new" });
    expect(attribute(changed, "networks")).toEqual(attribute(made, "networks"));
    await bench.vm.destroy(changed);
  });

  test("shows its keys as removed where a change affects them, and the plan says that they stay", async () => {
    const made = await bench.vm.create({ ...common, allow_duplicate_name: true });
    const config = { ...common, ...empty, template: true };
    const plan = await bench.vm.plan(made, config);
    expect(plan.warnings.map(({ summary }) => summary)).toContain("Keys that are left alone");
    const changed = await bench.vm.apply(plan, config);
    expect(Object.keys(bench.config(Number(attribute(made, "vmid"))))).toContain("scsi0");
    await bench.vm.expectSettled(changed, config);
    await bench.vm.destroy(changed);
  });

  test("with another slot in it says that the former ones stay", async () => {
    const made = await bench.vm.create({ ...common, allow_duplicate_name: true });
    const plan = await bench.vm.plan(made, { ...common, networks: { net5: { bridge: "vmbr0" } } });
    const [warning] = plan.warnings.filter(({ summary }) => summary === "Slots that are left alone");
    expect(warning?.detail).toContain("net0, net4");
    await bench.vm.destroy(made);
  });
});
