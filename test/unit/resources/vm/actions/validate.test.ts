import { expect, test } from "vitest";
import { createServer } from "#framework";
import { provider } from "../../../../../src/provider.ts";
import { Core, pathText } from "../../../framework/core.ts";

async function complaints(type: string, config: Record<string, string | number>): Promise<string[]> {
  const core = new Core(createServer(provider));
  await core.learn();
  const { diagnostics } = await core.server.validateActionConfig({
    typeName: type,
    config: core.encode(`actions/${type}`, config),
  });
  return diagnostics.map(({ path }) => pathText(path));
}

test.each(["1st", "current", "pending", "x", `a${"b".repeat(40)}`, "with space", ""])(
  "a snapshot cannot be named %j",
  async (name) => {
    expect(await complaints("proxmox_vm_snapshot", { vmid: 401, name })).toEqual(["name"]);
  },
);

test.each(["ab", "before-upgrade_2", "a".repeat(40)])("a snapshot may be named %j", async (name) => {
  expect(await complaints("proxmox_vm_snapshot", { vmid: 401, name })).toEqual([]);
});

test.each([
  { timeout: "soon", at: ["timeout"] },
  { timeout: "90", at: ["timeout"] },
  { timeout: "90s", at: [] },
])("a timeout of $timeout is checked before anything is done", async ({ timeout, at }) => {
  expect(await complaints("proxmox_vm_reboot", { vmid: 401, timeout })).toEqual(at);
});

test("a VMID is checked before anything is done", async () => {
  expect(await complaints("proxmox_vm_start", { vmid: 99 })).toEqual(["vmid"]);
});
