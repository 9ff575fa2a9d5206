import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { callsOfOthers } from "../transitions/other-users.ts";
import { Bench, fromImage, rootfs } from "./suite.ts";

let bench: Bench;
let nextVmid = 600;
const { ask, set } = callsOfOthers("lxc");

beforeAll(async () => {
  bench = await Bench.openWith();
});
afterAll(() => bench.close());

const data = { storage: "local-lvm", size: "1G", path: "/data" };
const mounts = (more: object) => ({ mounts: { rootfs, mp0: { ...data, ...more } } });

/** A running container, for a slot of which another user has requested a new volume. */
async function requested(more: object = {}) {
  const vmid = nextVmid++;
  const config = { ...fromImage, name: `ct-${vmid}`, vmid, ...mounts({}), ...more } as Input;
  const made = await bench.container.create(config);
  await set(bench, vmid, { mp0: "nas:2,mp=/data" });
  expect(bench.guest(vmid).pending.set["mp0"]).toBe("nas:2,mp=/data");
  await bench.configure();
  return { vmid, config, now: await bench.container.refresh(made) };
}

describe("a new volume that another user has requested for a slot with a volume", () => {
  test("is no volume: the plan is empty, and says what the next start does", async () => {
    const { vmid, config, now } = await requested();
    expect(attribute(now, "mounts")).toMatchObject({ mp0: { volume: `local-lvm:vm-${vmid}-disk-1`, size: "1G" } });
    const plan = await bench.container.plan(now, config);
    expect(plan.warnings).toMatchObject([
      { summary: "A new volume is requested", detail: expect.stringContaining(`pct set ${vmid} --revert mp0`) },
    ]);
    await bench.container.expectSettled(now, config);
  });

  test.each([
    ["a changed policy", { restart_policy: "when_needed" }],
    ["a stop", { power: "stopped" }],
    ["a larger size", mounts({ size: "3G" })],
    ["other options", { ...mounts({ read_only: true }), restart_policy: "when_needed" }],
    ["another storage", { ...mounts({ storage: "local-zfs" }), restart_policy: "when_needed" }],
    ["another node", { node: "pve2" }],
    ["a slot that leaves", { mounts: { rootfs } }],
  ])("is taken back by %s, which the plan says, and its volume stays", async (_, more) => {
    const { vmid, config, now } = await requested();
    const next = { ...(config as object), ...more } as Input;
    const plan = await bench.container.plan(now, next);
    expect(plan.warnings?.map(({ summary }) => summary)).toContain("The request for a new volume is taken back");
    const after = await bench.container.apply(plan, next);
    await bench.container.expectSettled(after, next);
    expect(bench.guest(vmid).pending.set["mp0"]).toBeUndefined();
    expect(bench.volumes(vmid)).toHaveLength(2);
    expect(bench.volumes(vmid).filter((volume) => volume.startsWith("nas:"))).toEqual([]);
  });

  test("does not keep Proxmox VE from destroying the container", async () => {
    const { vmid, now } = await requested();
    await bench.container.destroy(now);
    expect(bench.has(vmid)).toBe(false);
    expect(bench.volumes(vmid)).toEqual([]);
  });

  test("does so without it, after the other volumes are gone", async () => {
    const { vmid } = await requested();
    await ask(bench, vmid, "POST", "status/stop");
    await ask(bench, vmid, "DELETE", "");
    expect(bench.has(vmid)).toBe(true);
    expect(bench.volumes(vmid)).toEqual([]);
  });
});
