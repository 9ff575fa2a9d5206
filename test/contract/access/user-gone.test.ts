import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Instance } from "../../harness/index.ts";
import { grantLittle, ResourceBench } from "../resource-bench.ts";

/** What a user owned goes with it, and Proxmox VE then answers as if the caller lacked a privilege. */

const bench = await ResourceBench.open();
afterAll(() => bench.close());

const { sim } = bench.simulator;
const user = "gone@pve";
const made = new Map<string, Instance>();
const configs = {
  proxmox_token: { user, name: "tk" },
  proxmox_acl: { path: "/vms", role: "PVEAuditor", token: `${user}!tk` },
  proxmox_tfa: { user, totp: { description: "phone", secret: "JBSWY3DPEHPK3PXP" } },
};
const types = Object.keys(configs);
const existing = (type: string): Instance => made.get(type) ?? expect.fail(`no ${type} was made`);
const asRoot = { username: "root@pam", password: "proxmox" };

/** As another client removes a user. */
function removeUser(): void {
  delete sim.world.access.users[user];
  sim.world.access.acl = sim.world.access.acl.filter(({ ugid }) => !ugid.startsWith(user));
}

beforeEach(async () => {
  removeUser();
  await bench.configure("root@pam!admin", asRoot);
  await bench.resource("proxmox_user").create({ id: user });
  for (const [type, config] of Object.entries(configs)) made.set(type, await bench.resource(type).create(config));
  sim.world.access.acl.push({ path: "/storage", roleid: "PVEAuditor", propagate: true, type: "user", ugid: user });
});

describe.each(["root@pam!admin", "root@pam"])("for %s", (caller) => {
  test.each(types)("a %s of a user that another client removed is created again", async (type) => {
    removeUser();
    await bench.configure(caller);
    expect(await bench.resource(type).find(existing(type))).toBeNull();
  });

  test.each(types)("a %s of such a user is destroyed without a refresh", async (type) => {
    removeUser();
    await bench.configure(caller);
    await bench.resource(type).destroy(existing(type));
  });
});

test.each([
  ["group", "leaving"],
  ["role", "Leaving"],
])("an ACL entry whose %s is gone is destroyed without a refresh", async (kind, name) => {
  const { access } = sim.world;
  access.groups["leaving"] = {};
  access.roles["Leaving"] = ["VM.Audit"];
  const config = { path: "/vms", role: kind === "role" ? name : "PVEAuditor", group: "leaving" };
  const entry = await bench.resource("proxmox_acl").create(config);
  access.acl = access.acl.filter(({ ugid }) => ugid !== "leaving");
  delete access.groups["leaving"];
  delete access.roles["Leaving"];
  await bench.configure();
  await bench.resource("proxmox_acl").destroy(entry);
});

describe("a caller who may not see users", () => {
  test.each(types)("does not learn from a refusal that a %s is gone", async (type) => {
    grantLittle(bench.simulator);
    removeUser();
    await bench.configure("noacl@pve!tf");
    await expect(bench.resource(type).find(existing(type))).rejects.toThrow(/User\.Modify|hidden|root@pam/);
  });

  test("of a user that exists, either", async () => {
    grantLittle(bench.simulator);
    await bench.configure("noacl@pve!tf");
    await expect(bench.resource("proxmox_token").find(existing("proxmox_token"))).rejects.toThrow("User.Modify");
  });
});

test("a caller who sees users, and not their tokens, gets the refusal", async () => {
  const { access } = sim.world;
  const entry = { path: "/access", roleid: "PVEAuditor", propagate: true } as const;
  access.acl.push({ ...entry, type: "user", ugid: "noacl@pve" }, { ...entry, type: "token", ugid: "noacl@pve!tf" });
  await bench.configure("noacl@pve!tf");
  const token = bench.resource("proxmox_token");
  await expect(token.find(existing("proxmox_token"))).rejects.toThrow("User.Modify");
  removeUser();
  await bench.configure("noacl@pve!tf");
  expect(await token.find(existing("proxmox_token"))).toBeNull();
});
