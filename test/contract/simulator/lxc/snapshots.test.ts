import { describe, expect, test } from "vitest";
import { containerLab } from "./container-lab.ts";

const { ask, run, create, config } = containerLab();
const path = "/nodes/pve1/lxc/300";
const snapshot = (snapname: string) => run(`POST ${path}/snapshot`, { snapname });

describe("snapshots of a container", () => {
  test("are a tree that a rollback climbs", async () => {
    await create({ memory: 64 });
    expect(await snapshot("one")).toBe("OK");
    await ask(`PUT ${path}/config`, { memory: 128, mp0: "thin:1,mp=/data" });
    expect(await snapshot("two")).toBe("OK");
    expect(await run(`POST ${path}/snapshot/one/rollback`)).toBe("OK");
    expect(await config()).toMatchObject({ memory: 64, parent: "one", unused0: "thin:vm-300-disk-1" });
    const list = (await ask(`GET ${path}/snapshot`)) as { name: string; parent?: string }[];
    expect(list.map(({ name, parent }) => [name, parent])).toEqual([
      ["one", undefined],
      ["two", "one"],
      ["current", "one"],
    ]);
    expect(await run(`DELETE ${path}/snapshot/one`)).toBe("OK");
    expect(await config()).not.toHaveProperty("parent");
  });

  test("need storages that can", async () => {
    await create({ rootfs: "local:1" });
    expect(await snapshot("one")).toBe("snapshot feature is not available");
    expect(await config()).not.toHaveProperty("lock");
  });

  test("stop the container that goes back", async () => {
    await create();
    await snapshot("one");
    expect(await run(`POST ${path}/status/start`)).toBe("OK");
    expect(await run(`POST ${path}/snapshot/one/rollback`)).toBe("OK");
    expect(await ask(`GET ${path}/status/current`)).toMatchObject({ status: "stopped" });
  });

  test("hold on to volumes that are removed from the container", async () => {
    await create({ mp0: "thin:1,mp=/data" });
    await snapshot("one");
    await ask(`PUT ${path}/config`, { delete: "mp0" });
    await ask(`PUT ${path}/config`, { delete: "unused0" });
    const volumes = (await ask("GET /nodes/pve1/storage/thin/content", { vmid: 300 })) as { volid: string }[];
    expect(volumes.map(({ volid }) => volid)).toContain("thin:vm-300-disk-1");
  });

  test("have names that are not reserved", async () => {
    await create();
    expect(await snapshot("vzdump")).toBe("500 unable to use snapshot name 'vzdump' (reserved name)");
  });
});
