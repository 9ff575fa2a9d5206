import { describe, expect, test } from "vitest";
import { Acl } from "../../../../../src/simulator/core/access/acl.ts";
import { Caller } from "../../../../../src/simulator/core/access/caller.ts";
import { checkPermissions } from "../../../../../src/simulator/core/access/check-permissions.ts";
import type { Failure } from "../../../../../src/simulator/core/kernel/failure.ts";
import type { Permissions } from "../../../../../src/simulator/core/kernel/permission.ts";
import type { Access, User } from "../../../../../src/simulator/core/world/access.ts";

const user = (groups: string[] = []): User => ({ enable: true, expire: 0, groups, tokens: {}, tfa: [] });

const access: Access = {
  users: { "root@pam": user(), "ann@pve": user(), "bob@pve": user(["ops"]), "eve@pve": user() },
  groups: { ops: {}, dev: {} },
  roles: {},
  acl: [
    { path: "/vms/100", type: "user", ugid: "ann@pve", roleid: "PVEVMUser", propagate: true },
    { path: "/pool/web", type: "user", ugid: "ann@pve", roleid: "PVEVMAdmin", propagate: true },
    { path: "/access/groups/ops", type: "user", ugid: "ann@pve", roleid: "PVEUserAdmin", propagate: true },
  ],
  realms: {},
  pools: { web: { vms: [], storage: [] } },
};

/** The text of the refusal; undefined if the call is allowed. */
function refusal(permissions: Permissions | undefined, id: string, params: Record<string, unknown> = {}) {
  try {
    checkPermissions(permissions, { access, caller: new Caller(id, new Acl(access)), params });
    return undefined;
  } catch (thrown) {
    const { status = 500, message } = thrown as Failure;
    return `${status} ${message.trim()}`;
  }
}

describe("the callers that may use an endpoint", () => {
  const vmConsole: Permissions = { check: ["perm", "/vms/{vmid}", ["VM.Audit", "VM.Console"]] };
  const allocate: Permissions = {
    check: [
      "or",
      ["perm", "/vms/{vmid}", ["VM.Allocate"]],
      ["perm", "/pool/{pool}", ["VM.Allocate"], { require_param: "pool" }],
    ],
  };
  const anyConfig: Permissions = { check: ["perm", "/vms/{vmid}", ["VM.Config.Disk", "VM.Config.CPU"], { any: true }] };
  const either: Permissions = {
    check: ["or", ["and", ["perm", "/vms/1", ["VM.Clone"]]], ["perm", "/vms/100", ["VM.Audit"]]],
  };
  const update: Permissions = { check: ["userid-group", ["User.Modify"], { groups_param: "update" }] };
  const create: Permissions = { check: ["userid-group", ["User.Modify"], { groups_param: "create" }] };
  const self: Permissions = { check: ["or", ["userid-param", "self"], ["userid-group", ["User.Modify"]]] };
  const modify: Permissions = { check: ["perm-modify", "{path}"] };

  test.each<[string, Permissions | undefined, string, Record<string, unknown>, string | undefined]>([
    ["every caller, where the world may", { user: "world" }, "", {}, undefined],
    ["no caller without a login otherwise", { user: "all" }, "", {}, "403 Permission check failed (user != null)"],
    ["every login, where all may", { user: "all" }, "eve@pve", {}, undefined],
    ["only root where nothing is declared", undefined, "ann@pve", {}, "403 Permission check failed (user != root@pam)"],
    ["and root may there", undefined, "root@pam", {}, undefined],
    ["who has all privileges", vmConsole, "ann@pve", { vmid: "100" }, undefined],
    [
      "the first missing one is named",
      vmConsole,
      "eve@pve",
      { vmid: "100" },
      "403 Permission check failed (/vms/100, VM.Audit)",
    ],
    ["a missing parameter is a dash", vmConsole, "ann@pve", {}, "403 Permission check failed (/vms/-, VM.Audit)"],
    [
      "one of several is named as a choice",
      anyConfig,
      "eve@pve",
      { vmid: "7" },
      "403 Permission check failed (/vms/7, VM.Config.Disk|VM.Config.CPU)",
    ],
    ["an alternative does", allocate, "ann@pve", { vmid: "5", pool: "web" }, undefined],
    [
      "but not without its parameter, and nothing is named",
      allocate,
      "ann@pve",
      { vmid: "5" },
      "403 Permission check failed",
    ],
    [
      "a conjunction inside an alternative raises",
      either,
      "ann@pve",
      {},
      "403 Permission check failed (/vms/1, VM.Clone)",
    ],
    ["a user in a group one may change", update, "ann@pve", { userid: "bob@pve", groups: "ops" }, undefined],
    [
      "the group that is out of reach is named",
      update,
      "ann@pve",
      { userid: "bob@pve", groups: "dev" },
      "403 Permission check failed (/access/groups/dev, User.Modify)",
    ],
    [
      "new users need a group",
      create,
      "ann@pve",
      { userid: "new@pve" },
      "403 Permission check failed (/access/groups, User.Modify)",
    ],
    ["an unknown user is a plain failure", update, "ann@pve", { userid: "zoe@pve" }, "500 no such user ('zoe@pve')"],
    [
      "nor is a name that cannot be one",
      update,
      "ann@pve",
      { userid: "zoe" },
      "500 value 'zoe' does not look like a valid user name",
    ],
    ["oneself", self, "eve@pve", { userid: "eve@pve" }, undefined],
    ["not another one", self, "eve@pve", { userid: "ann@pve" }, "403 Permission check failed"],
    ["who allocates a guest may hand it on", modify, "root@pam", { path: "/vms/100" }, undefined],
    [
      "others may not",
      modify,
      "eve@pve",
      { path: "/vms/100" },
      "403 Permission check failed (/vms/100, Permissions.Modify|VM.Allocate)",
    ],
  ])("%s", (_, permissions, id, params, expected) => {
    expect(refusal(permissions, id, params)).toBe(expected);
  });
});
