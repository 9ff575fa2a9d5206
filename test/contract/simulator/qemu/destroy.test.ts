import { describe, expect, test } from "vitest";
import { vmLab } from "./vm-lab.ts";

const lab = vmLab();
const { ask, run, config, set } = lab;

const destroy = (options: Record<string, string | number> = {}, vmid = 200) =>
  run(`DELETE /nodes/pve1/qemu/${vmid}`, options);
const volumes = async (storage = "thin") =>
  ((await ask(`GET /nodes/pve1/storage/${storage}/content`, { vmid: 200 })) as { volid: string }[]).map(
    ({ volid }) => volid,
  );

describe("destroying a VM", () => {
  test("takes all its volumes with it", async () => {
    await set(200, { scsi1: "tank:1", ide2: "thin:cloudinit" });
    await set(200, { delete: "scsi1" });
    expect(await destroy()).toBe("OK");
    expect([await volumes(), await volumes("tank")]).toEqual([[], []]);
    expect(await ask("GET /nodes/pve1/qemu/200/config")).toMatch(/^500 Configuration file/);
    expect(await ask("GET /cluster/nextid", { vmid: 200 })).toBe("200");
  });

  test("leaves volumes that no option names, unless asked to remove them", async () => {
    const stray = () => ask("POST /nodes/pve1/storage/tank/content", { filename: "vm-200-x", vmid: 200, size: "1G" });
    await stray();
    expect(await destroy()).toBe("OK");
    expect(await volumes("tank")).toEqual(["tank:vm-200-x"]);
    lab.simulator.reset();
    await stray();
    expect(await destroy({ "destroy-unreferenced-disks": 1 })).toBe("OK");
    expect(await volumes("tank")).toEqual([]);
  });

  test("goes on when a volume cannot be removed", async () => {
    await set(200, { scsi1: "thick:1" });
    await run("DELETE /nodes/pve1/storage/thick/content/thick:vm-200-disk-0");
    expect(await destroy()).toBe("WARNINGS: 1");
    expect(lab.lastLog().at(-1)).toContain("WARN: Could not remove disk 'thick:vm-200-disk-0', check manually: ");
    expect(await ask("GET /nodes/pve1/qemu/200/config")).toMatch(/^500 Configuration file/);
  });

  test.each<[string, () => unknown, string]>([
    ["protected", () => set(200, { protection: 1 }), "500 can't remove VM 200 - protection mode enabled"],
    ["running", () => run("POST /nodes/pve1/qemu/200/status/start"), "500 VM 200 is running - destroy failed"],
    ["locked", () => lab.lock(200, "backup"), "VM is locked (backup)"],
    [
      "under HA",
      () => ask("POST /cluster/ha/resources", { sid: "vm:200", state: "ignored" }),
      "500 unable to remove VM 200 - used in HA resources and purge parameter not set.",
    ],
  ])("is refused for one that is %s", async (_, prepare, expected) => {
    await prepare();
    expect(await destroy()).toBe(expected);
    expect(await config(200)).toHaveProperty("scsi0");
  });

  test("with its jobs and HA resource is called purging", async () => {
    await ask("POST /cluster/ha/resources", { sid: "vm:200", state: "ignored" });
    expect(await destroy({ purge: 1 })).toBe("OK");
    expect(await ask("GET /cluster/ha/resources")).toEqual([]);
  });

  test("that is suspended is possible", async () => {
    await run("POST /nodes/pve1/qemu/200/status/start");
    await run("POST /nodes/pve1/qemu/200/status/suspend", { todisk: 1 });
    expect(await destroy()).toBe("OK");
    expect(await volumes()).toEqual([]);
  });

  test("that is not there is refused", async () => {
    expect(await destroy({}, 299)).toBe("500 Configuration file 'nodes/pve1/qemu-server/299.conf' does not exist");
  });
});
