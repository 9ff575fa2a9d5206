import { describe, expect, test } from "vitest";
import { Acl } from "../../../../../src/simulator/core/access/acl.ts";
import { privileges } from "../../../../../src/simulator/core/access/privileges.ts";
import { builtInRoles } from "../../../../../src/simulator/core/access/roles.ts";
import type { Access, AclEntry, User } from "../../../../../src/simulator/core/world/access.ts";

const token = (privsep: boolean) => ({ secret: "s", privsep, expire: 0 });

const user = (groups: string[] = []): User => ({
  enable: true,
  expire: 0,
  groups,
  tokens: { full: token(false), sep: token(true) },
  tfa: [],
});

/** `user:/path:Role` with `!` in front for an entry that does not propagate. */
function entry(text: string): AclEntry {
  const [who = "", path = "", roleid = ""] = text.replace(/^!/, "").split(" ");
  const type = who.startsWith("%") ? "group" : who.includes("!") ? "token" : "user";
  return { path, type, ugid: who.replace(/^%/, ""), roleid, propagate: !text.startsWith("!") };
}

function world(entries: readonly string[], pools: Access["pools"] = {}): Access {
  return {
    users: { "root@pam": user(), "ann@pve": user(["ops"]), "bob@pve": user() },
    groups: { ops: {} },
    roles: { Power: ["VM.PowerMgmt"] },
    acl: entries.map(entry),
    realms: {},
    pools,
  };
}

const may = (access: Access, id: string, path: string) => [...new Acl(access).privileges(id, path).keys()].sort();

const audit = ["VM.Audit"];
const clone = ["VM.Audit", "VM.Clone"];
const power = ["VM.PowerMgmt"];

describe("what an ACL grants", () => {
  test.each<[string, string[], string, string, readonly string[]]>([
    ["an entry holds at its own path", ["ann@pve /vms/100 PVETemplateUser"], "ann@pve", "/vms/100", clone],
    ["it reaches below", ["ann@pve /vms PVETemplateUser"], "ann@pve", "/vms/100", clone],
    ["unless it does not propagate", ["!ann@pve /vms PVETemplateUser"], "ann@pve", "/vms/100", []],
    ["but then still at its own path", ["!ann@pve /vms PVETemplateUser"], "ann@pve", "/vms", clone],
    ["it does not reach above", ["ann@pve /vms/100 PVETemplateUser"], "ann@pve", "/vms", []],
    ["a deeper entry replaces", ["ann@pve / PVETemplateUser", "ann@pve /vms/100 Power"], "ann@pve", "/vms/100", power],
    [
      "several roles at one level add up",
      ["ann@pve /vms PVETemplateUser", "ann@pve /vms Power"],
      "ann@pve",
      "/vms/1",
      [...clone, ...power],
    ],
    ["members have their group's roles", ["%ops /vms PVETemplateUser"], "ann@pve", "/vms/100", clone],
    ["others have not", ["%ops /vms PVETemplateUser"], "bob@pve", "/vms/100", []],
    ["an own entry hides the group's", ["%ops /vms PVETemplateUser", "ann@pve /vms Power"], "ann@pve", "/vms/1", power],
    ["NoAccess takes everything", ["ann@pve / PVEAdmin", "ann@pve /vms/100 NoAccess"], "ann@pve", "/vms/100", []],
    ["a full token has its owner's privileges", ["ann@pve / PVETemplateUser"], "ann@pve!full", "/vms/100", clone],
    ["a separated one has none of its own", ["ann@pve / PVETemplateUser"], "ann@pve!sep", "/vms/100", []],
    ["nor any that its owner lacks", ["ann@pve!sep / PVETemplateUser"], "ann@pve!sep", "/vms/100", []],
    [
      "it has what both have",
      ["ann@pve / PVETemplateUser", "ann@pve!sep / PVEAuditor"],
      "ann@pve!sep",
      "/vms/100",
      audit,
    ],
    ["a separated token of root needs only its own", ["root@pam!sep / Power"], "root@pam!sep", "/vms/100", power],
    ["an unknown role grants nothing", ["ann@pve / Gone"], "ann@pve", "/vms/100", []],
    ["an unknown token has nothing", ["ann@pve / PVEAdmin"], "ann@pve!nope", "/vms/100", []],
  ])("%s", (_, entries, id, path, expected) => {
    expect(may(world(entries), id, path)).toEqual([...expected].sort());
  });

  test("root@pam and its full token have every privilege everywhere", () => {
    expect(may(world([]), "root@pam", "/vms/1")).toEqual([...privileges].sort());
    expect(may(world([]), "root@pam!full", "/nodes/x")).toEqual([...privileges].sort());
  });
});

describe("pools", () => {
  const pools = { web: { vms: [100], storage: ["local"] } };

  test.each<[string, string[], string, readonly string[]]>([
    ["lend their roles to member guests", ["ann@pve /pool/web PVETemplateUser"], "/vms/100", clone],
    ["and to member storages", ["ann@pve /pool/web Power"], "/storage/local", power],
    ["but not to others", ["ann@pve /pool/web PVETemplateUser"], "/vms/101", []],
    [
      "in addition to ordinary roles",
      ["ann@pve /pool/web Power", "ann@pve /vms PVETemplateUser"],
      "/vms/100",
      [...clone, ...power],
    ],
    ["ordinary NoAccess wins over them", ["ann@pve /pool/web Power", "ann@pve /vms/100 NoAccess"], "/vms/100", []],
    [
      "their NoAccess wins over ordinary roles",
      ["ann@pve /pool/web NoAccess", "ann@pve /vms PVEAdmin"],
      "/vms/100",
      [],
    ],
    ["propagation goes along nested names", ["ann@pve /pool Power"], "/vms/100", power],
  ])("%s", (_, entries, path, expected) => {
    expect(may(world(entries, pools), "ann@pve", path)).toEqual([...expected].sort());
  });

  test("their roles never propagate", () => {
    const acl = new Acl(world(["ann@pve /pool/web Power"], pools));
    expect(acl.privileges("ann@pve", "/vms/100").get("VM.PowerMgmt")).toBe(false);
  });
});

test("a revoked privilege has no effect below its path, even for root", () => {
  const acl = new Acl(world([]), [{ privilege: "VM.Clone", userid: "root@pam", path: "/vms" }]);
  expect(acl.privileges("root@pam", "/vms/1").has("VM.Clone")).toBe(false);
  expect(acl.privileges("root@pam", "/vms/1").has("VM.Audit")).toBe(true);
  expect(acl.privileges("root@pam", "/nodes").has("VM.Clone")).toBe(true);
});

test("the built-in roles have PVE 9's sizes, and VM.Monitor is in none", () => {
  const sizes = Object.fromEntries(Object.entries(builtInRoles).map(([name, list]) => [name, list.length]));
  expect(sizes).toMatchObject({ Administrator: 47, PVEAdmin: 40, PVEVMAdmin: 23, PVEVMUser: 10, PVEAuditor: 7 });
  expect(Object.values(builtInRoles).flat()).not.toContain("VM.Monitor");
});
