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

test.each([
  { what: "no content", more: {}, at: ["content"] },
  { what: "two contents", more: { content: "a", content_base64: "YQ==" }, at: ["content"] },
  { what: "text", more: { content: "a" }, at: [] },
  { what: "text of 60 KiB", more: { content: "a".repeat(61_440) }, at: [] },
  { what: "a longer text", more: { content: "a".repeat(61_441) }, at: ["content"] },
  { what: "text of 60 KiB with umlauts", more: { content: "ä".repeat(30_720) }, at: ["content"] },
  { what: "bytes", more: { content_base64: "YQ==" }, at: [] },
  { what: "bytes that are not base64", more: { content_base64: "a b" }, at: ["content_base64"] },
])("a file with $what is checked before anything is done", async ({ more, at }) => {
  expect(await complaints("proxmox_vm_file_write", { vmid: 401, path: "/a", ...more })).toEqual(at);
});

test.each([
  { password: "1234", at: ["password"] },
  { password: "12345", at: [] },
])("a password of $password.length characters is checked before anything is done", async ({ password, at }) => {
  expect(await complaints("proxmox_vm_set_password", { vmid: 401, username: "ops", password })).toEqual(at);
});
