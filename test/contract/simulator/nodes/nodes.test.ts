import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask, run } = lab();

describe("nodes", () => {
  test("are listed for every user, with figures for auditors", async () => {
    const figures = ["maxcpu", "maxmem", "maxdisk", "uptime", "cpu", "mem", "disk"];
    const [own] = (await ask("GET /nodes")) as object[];
    expect(Object.keys(own ?? {})).toEqual(expect.arrayContaining([...figures, "ssl_fingerprint"]));
    const [other] = (await ask("GET /nodes", undefined, "nobody@pve!tk")) as object[];
    expect(Object.keys(other ?? {}).sort()).toEqual(["id", "level", "node", "ssl_fingerprint", "status", "type"]);
  });

  test("tell their version and state", async () => {
    expect(await ask("GET /nodes/pve2/version")).toMatchObject({ release: "9.2" });
    expect(await ask("GET /nodes/pve2/status")).toMatchObject({
      cpuinfo: { cpus: 16 },
      pveversion: expect.stringMatching(/^pve-manager\/9\.2/),
    });
    expect(await ask("GET /nodes/pve2/status", undefined, "owner@pve!tk")).toBe(
      "403 Permission check failed (/nodes/pve2, Sys.Audit)",
    );
  });

  test("have figures over time, with Proxmox VE 9's resolution", async () => {
    const read = async (timeframe: string) =>
      (await ask(`GET /nodes/pve2/rrddata?timeframe=${timeframe}`)) as { time: number; maxcpu?: number }[];
    const hour = await read("hour");
    expect(hour).toHaveLength(59);
    expect(hour.at(-1)).toMatchObject({ maxcpu: 16, memtotal: expect.any(Number), roottotal: expect.any(Number) });
    expect(hour[0]).toEqual({ time: (hour.at(-1)?.time ?? 0) - 58 * 60 });
    const [first, second] = await read("decade");
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBe(7 * 86_400);
    expect(await ask("GET /nodes/pve2/rrddata?timeframe=hour", undefined, "owner@pve!tk")).toBe(
      "403 Permission check failed (/nodes/pve2, Sys.Audit)",
    );
  });

  test("keep name servers without repetition", async () => {
    await ask("PUT /nodes/pve1/dns", { search: "lab.test", dns1: "192.0.2.1", dns2: "192.0.2.1", dns3: "2001:db8::1" });
    expect(await ask("GET /nodes/pve1/dns")).toEqual({ search: "lab.test", dns1: "192.0.2.1", dns2: "2001:db8::1" });
    expect(await ask("PUT /nodes/pve1/dns", { search: "lab.test", dns1: "x" })).toBe(
      "400 Parameter verification failed. | dns1: invalid format - value does not look like a valid IP address",
    );
  });

  test("keep their hosts file under a digest", async () => {
    const { data, digest } = (await ask("GET /nodes/pve1/hosts")) as { data: string; digest: string };
    expect(data).toContain("pve1");
    expect(await ask("POST /nodes/pve1/hosts", { data: `${data}192.0.2.50 nas # store\n`, digest })).toBe(
      "400 Parameter verification failed. | data: Invalid Hostname '#'",
    );
    expect(await ask("POST /nodes/pve1/hosts", { data: `${data}192.0.2.50 nas\n`, digest })).toBeNull();
    expect(await ask("POST /nodes/pve1/hosts", { data, digest })).toBe(
      "500 detected modified configuration - file changed by other user? Try again.",
    );
    expect(await ask("POST /nodes/pve1/hosts", { data: "nas 192.0.2.50\n" })).toBe(
      "400 Parameter verification failed. | data: Invalid IP 'nas'",
    );
  });

  test("keep the time of their zone", async () => {
    await ask("PUT /nodes/pve1/time", { timezone: "Asia/Tokyo" });
    const { time, localtime, timezone } = (await ask("GET /nodes/pve1/time")) as {
      time: number;
      localtime: number;
      timezone: string;
    };
    expect([timezone, localtime - time]).toEqual(["Asia/Tokyo", 9 * 3600]);
    expect(await ask("PUT /nodes/pve1/time", { timezone: "Moon/Base" })).toBe("500 No such timezone: 'Moon/Base'");
  });

  test("run services that cannot all be stopped", async () => {
    expect(await ask("GET /nodes/pve1/services/pveproxy/state")).toMatchObject({
      state: "running",
      "unit-state": "enabled",
    });
    expect(await run("POST /nodes/pve1/services/cron/restart")).toBe("OK");
    expect(await run("POST /nodes/pve1/services/pveproxy/stop")).toBe(
      "invalid service cmd 'pveproxy stop': refusing to stop essential service!",
    );
  });

  test("have devices to pass through", async () => {
    const ids = ((await ask("GET /nodes/pve1/hardware/pci")) as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(["0000:01:00.0", "0000:01:00.1", "0000:02:00.0"]);
    expect(await ask("GET /nodes/pve1/hardware/pci", { "pci-class-blacklist": "02;06", verbose: 0 })).toEqual([
      { id: "0000:02:00.0" },
    ]);
    expect(await ask("GET /nodes/pve1/hardware/usb", undefined, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/, Sys.Modify)",
    );
  });

  test("know what their QEMU can do", async () => {
    const models = (await ask("GET /nodes/pve1/capabilities/qemu/cpu")) as {
      name: string;
      vendor: string;
      abstract?: number;
    }[];
    expect(models).toContainEqual({ name: "x86-64-v2-AES", vendor: "default", custom: 0, abstract: 1 });
    expect(models).toContainEqual({ name: "EPYC-Rome", vendor: "AuthenticAMD", custom: 0 });
    expect(models.map(({ name }) => name)).not.toContain("cortex-a72");
    expect(await ask("GET /nodes/pve1/capabilities/qemu/machines", { arch: "aarch64" })).toContainEqual({
      id: "virt-10.2",
      type: "virt",
      version: "10.2",
    });
  });

  test("find what storages are made of", async () => {
    expect(await ask("GET /nodes/pve1/scan/lvm")).toEqual([{ vg: "big" }, { vg: "pve" }]);
    expect(await ask("GET /nodes/pve1/scan/lvmthin", { vg: "pve" })).toEqual([{ lv: "data" }]);
    expect(await ask("GET /nodes/pve1/scan/zfs")).toEqual([{ pool: "tank" }]);
  });

  test("start and stop their guests at once", async () => {
    expect(await run("POST /nodes/pve1/startall", { force: 1 })).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu/200/status/current")).toMatchObject({ status: "running" });
    expect(await run("POST /nodes/pve1/stopall")).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu/200/status/current")).toMatchObject({ status: "stopped" });
    expect(await ask("POST /nodes/pve1/startall", {}, "owner@pve!tk")).toBe(
      "403 Permission check failed (/, VM.PowerMgmt)",
    );
    expect(await run("POST /nodes/pve1/startall", { vms: "200" }, "owner@pve!tk")).toBe("OK");
  });

  test("of another name do not exist", async () => {
    expect(await ask("GET /nodes/pve9/status")).toContain("500 hostname lookup 'pve9' failed");
  });
});
