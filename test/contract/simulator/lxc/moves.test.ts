import { describe, expect, test } from "vitest";
import { containerLab } from "./container-lab.ts";

const { ask, run, create, config } = containerLab();
const path = "/nodes/pve1/lxc/300";

describe("moving a volume", () => {
  test("gives it the format of its new storage", async () => {
    await create({ mp0: "thin:1,mp=/data" });
    expect(await run(`POST ${path}/move_volume`, { volume: "mp0", storage: "tank", delete: 1 })).toBe("OK");
    expect(await config()).toMatchObject({ mp0: "tank:subvol-300-disk-0,mp=/data,size=1G" });
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 300 })).toHaveLength(1);
  });

  test("to another container renames it", async () => {
    await create({ mp0: "thin:1,mp=/data" });
    await create({ vmid: 301 });
    expect(await run(`POST ${path}/move_volume`, { volume: "mp0", "target-vmid": 301 })).toBe("OK");
    expect(await config()).not.toHaveProperty("mp0");
    expect(await config(301)).toMatchObject({ mp0: "thin:vm-301-disk-1,mp=/data,size=1G" });
  });

  test("that fails leaves the container unlocked", async () => {
    await create();
    expect(await run(`POST ${path}/move_volume`, { volume: "rootfs", storage: "none" })).toBe(
      "storage 'none' does not exist",
    );
    expect(await config()).not.toHaveProperty("lock");
  });
});

describe("migrating a container", () => {
  test("copies its volumes to the other node", async () => {
    await create();
    expect(await run(`POST ${path}/migrate`, { target: "pve2" })).toBe("OK");
    expect(await ask("GET /nodes/pve2/lxc/300/config")).toMatchObject({ rootfs: "thin:vm-300-disk-0,size=1G" });
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 300 })).toEqual([]);
    expect(await ask("GET /nodes/pve2/storage/thin/content", { vmid: 300 })).toHaveLength(1);
  });

  test("that runs restarts it there", async () => {
    await create();
    await run(`POST ${path}/status/start`);
    expect(await ask(`POST ${path}/migrate`, { target: "pve2" })).toBe(
      "500 can't migrate running container without --online or --restart",
    );
    expect(await run(`POST ${path}/migrate`, { target: "pve2", online: 1 })).toBe("migration aborted");
    expect(await run(`POST ${path}/migrate`, { target: "pve2", restart: 1 })).toBe("OK");
    await expect.poll(() => ask("GET /nodes/pve2/lxc/300/status/current")).toMatchObject({ status: "running" });
  });

  test("with a snapshot on such a storage is refused", async () => {
    await create();
    await run(`POST ${path}/snapshot`, { snapname: "one" });
    expect(await run(`POST ${path}/migrate`, { target: "pve2" })).toBe("migration aborted");
    expect(await config()).not.toHaveProperty("lock");
  });
});

describe("a console", () => {
  test("gets a ticket, and the ticket does not open anything", async () => {
    await create();
    expect(await ask(`POST ${path}/vncproxy`, { websocket: 1 })).toMatchObject({
      user: "root@pam!admin",
      ticket: expect.stringMatching(/^PVEVNC:/),
      port: expect.stringMatching(/^59\d\d$/),
      password: expect.any(String),
    });
    expect(await ask(`POST ${path}/spiceproxy`)).toBe("500 CT 300 not running");
    expect(await ask(`GET ${path}/vncwebsocket`, { port: 5900, vncticket: "x" })).toBe(
      "401 permission denied - invalid PVEVNC ticket",
    );
  });
});
