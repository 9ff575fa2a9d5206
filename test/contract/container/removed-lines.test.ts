import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { callsOfOthers } from "../transitions/other-users.ts";
import { Bench, fromImage, rootfs } from "./suite.ts";

let bench: Bench;
let nextVmid = 640;
const { ask } = callsOfOthers("lxc");

beforeAll(async () => {
  bench = await Bench.openWith();
});
afterAll(() => bench.close());

const data = { storage: "local-lvm", size: "1G", path: "/data" };
const mounts = (more: object) => ({ mounts: { rootfs, mp0: { ...data, ...more } } });

/** A running container with a change of a line that waits for a restart. */
async function waiting(first: object, second: object) {
  const vmid = nextVmid++;
  const common = { ...fromImage, name: `ct-${vmid}`, vmid, power: "running", mounts: { rootfs } };
  const made = await bench.container.create({ ...common, ...first } as Input);
  const changed = await bench.container.update(made, { ...common, ...second } as Input);
  return { vmid, common, changed };
}

/** PVE keeps the value that waits beside the removal, and the next start would set it after it removed the line. */
describe("a line that is removed while a change of it waits for a restart", () => {
  test.each([
    ["timezone", "timezone", { timezone: "UTC" }, { timezone: "Europe/Vienna" }],
    ["env", "env", { env: { A: "1" } }, { env: { A: "2" } }],
    [
      "name servers",
      "nameserver",
      { dns: { servers: ["192.0.2.1"] } },
      { dns: { servers: ["192.0.2.1", "192.0.2.3"] } },
    ],
    ["a mount", "mp0", mounts({}), mounts({ path: "/other" })],
  ])("stays away after the restart: %s", async (_, key, first, second) => {
    const { vmid, common, changed } = await waiting(first, second);
    expect(bench.guest(vmid).pending.set).toHaveProperty(key);
    const removed = await bench.container.update(changed, common as Input);
    expect(bench.guest(vmid).pending).toEqual({ set: {}, delete: { [key]: 1 } });
    expect(attribute(removed, "pending")).toEqual([key]);
    await ask(bench, vmid, "POST", "status/reboot");
    expect(bench.config(vmid)).not.toHaveProperty(key);
    await bench.configure();
    await bench.container.expectSettled(await bench.container.refresh(removed), common as Input);
  });

  test("a mount is destroyed with its data", async () => {
    const doomed = { on_remove: "delete" };
    const { vmid, common, changed } = await waiting(mounts(doomed), mounts({ ...doomed, path: "/other" }));
    const next = { ...common, restart_policy: "when_needed" } as Input;
    const removed = await bench.container.update(changed, next);
    expect(bench.config(vmid)).not.toHaveProperty("mp0");
    expect(bench.volumes(vmid)).toHaveLength(1);
    await bench.container.expectSettled(removed, next);
  });

  test("an option that only waits is not set at the restart", async () => {
    const { vmid, common, changed } = await waiting({}, { timezone: "UTC" });
    const removed = await bench.container.update(changed, common as Input);
    expect(bench.guest(vmid).pending).toEqual({ set: {}, delete: {} });
    await bench.container.expectSettled(removed, common as Input);
  });

  test("a stopped container loses its mount at once", async () => {
    const { vmid, common, changed } = await waiting(mounts({}), mounts({ path: "/other" }));
    await ask(bench, vmid, "POST", "status/stop");
    await bench.configure();
    const stopped = { ...common, power: "stopped" } as Input;
    const removed = await bench.container.update(await bench.container.refresh(changed), stopped);
    expect(bench.config(vmid)).not.toHaveProperty("mp0");
    await bench.container.expectSettled(removed, stopped);
  });
});
