import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input, ProviderErrors } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { askAsOther } from "../vm/suite.ts";
import { Bench, fromImage, template } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.openWith();
});
afterAll(() => bench.close());

const byHand = {
  hostname: "hand-made",
  ostemplate: template,
  rootfs: "local-zfs:4",
  memory: "777",
  cores: "3",
  description: "by hand",
  nameserver: "9.9.9.9",
  onboot: "1",
  mp5: "local-lvm:1,mp=/x",
};
const adopting: Input = { ...fromImage, name: "hand-made", on_existing: "adopt" };
const onZfs = { rootfs: { storage: "local-zfs", size: "4G" } };

/** A container of another user, and a provider that does not know it. */
beforeEach(async () => {
  if (bench.has(502)) await askAsOther(bench, "DELETE", "/nodes/pve1/lxc/502?force=1", {});
  expect(await askAsOther(bench, "POST", "/nodes/pve1/lxc", { vmid: "502", ...byHand })).toBe(true);
  expect(await askAsOther(bench, "PUT", "/nodes/pve1/lxc/502/config", { tags: "hand" })).toBe(true);
  await bench.restart();
});

const description = expect.stringMatching(/^by hand\s*$/) as string;
const kept = { memory: "777", tags: "hand", description, nameserver: "9.9.9.9", onboot: "1" };

describe("a container of the name that another user has made", () => {
  test("is announced in the plan, and only what is written is changed", async () => {
    const config = { ...adopting, cpu: { cores: 2 }, mounts: onZfs };
    const plan = await bench.container.plan(null, config);
    expect(plan.warnings.map(({ summary, detail }) => `${summary}: ${detail}`).join()).toMatch(
      /Existing container: Container 502 on pve1 is named "hand-made" and is taken over/,
    );
    const adopted = await bench.container.apply(plan, config);
    expect(attribute(adopted, "vmid")).toBe(502);
    expect(attribute(adopted, "memory", "size")).toBe("777M");
    expect(bench.config(502)).toMatchObject({ ...kept, cores: "2", mp5: expect.stringContaining("mp=/x") });
    await bench.restart();
    expect((await bench.container.plan(await bench.container.refresh(adopted), config)).action).toBe("no-op");
  });

  test("is left running, if `power` is not written", async () => {
    await askAsOther(bench, "POST", "/nodes/pve1/lxc/502/status/start", {});
    const adopted = await bench.container.create({ ...adopting, cpu: { cores: 2 } });
    expect(attribute(adopted, "status")).toBe("running");
    expect(bench.config(502)).toMatchObject({ ...kept, cores: "2" });
  });

  test.each<[string, object, RegExp]>([
    ["on another storage", { mounts: { rootfs: { storage: "local-lvm", size: "4G" } } }, /is to be on local-lvm/],
    ["smaller", { mounts: { rootfs: { storage: "local-zfs", size: "8G" } } }, /has 4G, and is to have 8G/],
    ["larger", { mounts: { rootfs: { storage: "local-zfs", size: "2G" } } }, /has 4G, and is to have 2G/],
    [
      "without a mount",
      { mounts: { ...onZfs, mp0: { storage: "local-lvm", size: "1G", path: "/d" } } },
      /`mp0` has nothing/,
    ],
    ["on another node", { node: "pve2" }, /it is on pve1, not on pve2/],
    ["in another pool", { pool: "lab" }, /it is in no pool/],
    ["unprivileged", { unprivileged: false }, /it is unprivileged/],
    ["stopped", { power: "running" }, /it is stopped/],
    ["not managed by HA", { ha: {} }, /HA does not manage it/],
    ["no template", { template: true }, /it is no template/],
  ])("is refused in the plan if it is %s", async (_, more, why) => {
    const before = bench.config(502);
    const plan = bench.container.plan(null, { ...adopting, ...more });
    await expect(plan).rejects.toThrow(why);
    await expect(plan).rejects.toThrow(/Container 502 cannot be adopted.*id = "502"/s);
    expect(bench.config(502)).toEqual(before);
  });

  test("is refused if it was changed after the plan", async () => {
    const plan = await bench.container.plan(null, adopting);
    await askAsOther(bench, "PUT", "/nodes/pve1/lxc/502/config", { memory: "999" });
    await bench.restart();
    await expect(bench.container.apply(plan)).rejects.toThrow(/final plan agrees with the first plan/);
    expect(bench.config(502)["memory"]).toBe("999");
  });

  test("is not in the state if the adoption fails, so that no apply destroys it", async () => {
    const config = { ...adopting, cpu: { cores: 2 } };
    const plan = await bench.container.plan(null, config);
    bench.simulator.faults.order({
      do: "answer",
      call: "PUT /nodes/{node}/lxc/{vmid}/config",
      status: 500,
      reason: "no",
    });
    const failure = await bench.container.apply(plan, config).catch((reason: unknown) => reason);
    expect((failure as Error).message).toMatch(/was not taken over: it is not in the state/);
    expect((failure as ProviderErrors).remains).toBeNull();
    expect(bench.config(502)).toMatchObject({ ...kept, cores: "3" });
  });

  test("is not taken over by a plan that did not find it", async () => {
    await askAsOther(bench, "DELETE", "/nodes/pve1/lxc/502", {});
    await bench.restart();
    const plan = await bench.container.plan(null, { ...adopting, mounts: onZfs });
    await askAsOther(bench, "POST", "/nodes/pve1/lxc", { vmid: "502", ...byHand });
    await bench.restart();
    await expect(bench.container.apply(plan)).rejects.toThrow(/final plan agrees with the first plan/);
    expect(bench.config(502)["memory"]).toBe("777");
  });

  test("is not taken from another resource", async () => {
    const owner = await bench.container.import({ id: "502" });
    await bench.restart();
    await bench.container.refresh(owner);
    const stays = bench.container.plan(owner, { name: "hand-made" });
    await expect(bench.container.plan(null, adopting)).rejects.toThrow(/Name taken/);
    expect((await stays).action).toBe("no-op");
  });
});
