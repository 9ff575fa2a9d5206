import { describe, expect, test } from "vitest";
import { roleTypes } from "../../../src/cli/roles/grants-by-type.ts";
import { grantsFor, type RoleRequest } from "../../../src/cli/roles/role-set.ts";
import type { Grant } from "../../../src/kit/pveum.ts";
import { Acl } from "../../../src/simulator/core/access/acl.ts";
import type { Privilege } from "../../../src/simulator/core/access/privileges.ts";

const user = "least@pve";

const plain: RoleRequest = {
  scope: { kind: "vms" },
  user,
  token: "tf",
  storages: [],
  bridges: [],
  templates: [],
  extras: [],
  types: [],
};

/** The requests whose paths lie at different depths. */
const shapes: [string, Partial<RoleRequest>][] = [
  ["everywhere", {}],
  ["with one storage and one bridge", { storages: ["ceph"], bridges: ["vmbr0"] }],
  ["in a pool", { scope: { kind: "pool", pool: "prod" }, storages: ["ceph"] }],
];

/** Where Proxmox VE looks at a privilege, of the areas that roles are granted on. */
const looks: readonly [privilege: RegExp, areas: readonly string[]][] = [
  [/^VM\./, ["/vms", "/pool"]],
  [/^Datastore\./, ["/storage", "/pool"]],
  [/^Pool\./, ["/pool"]],
  [/^SDN\./, ["/sdn"]],
  [/^Mapping\./, ["/mapping"]],
  [/^(User|Group)\./, ["/access/groups"]],
  [/^Realm\./, ["/access/realm"]],
  [/^Sys\.Audit$/, ["/nodes", "/access"]],
  [/^Sys\./, ["/nodes"]],
  [/^Permissions\.Modify$/, [""]],
];

const isBelow = (path: string, above: string): boolean => path.startsWith(above === "/" ? "/" : `${above}/`);

/** The paths on which a privilege must hold that is granted on `on`, if there are entries on `paths`. */
function reach(privilege: string, on: string, paths: readonly string[]): string[] {
  const areas = looks.find(([names]) => names.test(privilege))?.[1] ?? [];
  const isLooked = (path: string) => areas.some((area) => path === area || isBelow(path, area));
  const below = paths.filter((path) => path !== on && isBelow(path, on) && isLooked(path));
  return [on, ...below, ...below.map((path) => `${path}/any`)];
}

/** What Proxmox VE makes of the roles. */
function aclOf(grants: readonly Grant[]): Acl {
  const roles = Object.fromEntries(grants.map(({ role, privileges }) => [role, [...privileges] as Privilege[]]));
  const acl = grants.flatMap(({ role, paths }) =>
    paths.map((path) => ({ path, roleid: role, type: "user" as const, ugid: user, propagate: true })),
  );
  return new Acl({ users: {}, groups: {}, roles, acl, realms: {}, pools: {} });
}

/** What each type requires alone, and does not have by the roles for all of them together. */
async function lost(types: readonly string[], shape: Partial<RoleRequest>): Promise<string[]> {
  const together = await grantsFor({ ...plain, ...shape, types }, null);
  const acl = aclOf(together);
  const paths = together.flatMap((grant) => grant.paths);
  const alone = (await Promise.all(types.map((type) => grantsFor({ ...plain, ...shape, types: [type] }, null)))).flat();
  return alone
    .flatMap((grant) => grant.paths.flatMap((on) => grant.privileges.map((privilege) => [privilege, on] as const)))
    .flatMap(([privilege, on]) => reach(privilege, on, paths).map((path) => [privilege, path] as const))
    .filter(([privilege, path]) => !acl.privileges(user, path).has(privilege as Privilege))
    .map(([privilege, path]) => `${types.join(", ")}: ${privilege} on ${path}`);
}

describe.each(shapes)("the roles %s", (_, shape) => {
  test("of any two resources hide nothing from each other", async () => {
    const pairs = roleTypes.flatMap((one, at) => roleTypes.slice(at).map((other) => [one, other]));
    const found = await Promise.all(pairs.map((pair) => lost(pair, shape)));
    expect(found.flat()).toEqual([]);
  });

  test("of all resources together hide nothing from each other", async () => {
    expect(await lost(roleTypes, shape)).toEqual([]);
  });
});

test("a role repeats only privileges that have an effect on its path", async () => {
  const types = ["proxmox_vm", "proxmox_network_interface", "proxmox_acl", "proxmox_node_lvm"];
  const byPath = Object.fromEntries(
    (await grantsFor({ ...plain, types }, null)).map(({ paths, privileges }) => [paths.join(), privileges]),
  );
  expect(byPath).toMatchObject({
    "/sdn/zones": ["Permissions.Modify", "SDN.Use"],
    "/sdn/zones/localnetwork": ["Permissions.Modify", "SDN.Audit", "SDN.Use"],
    "/storage": ["Datastore.AllocateSpace", "Permissions.Modify"],
    "/vms": expect.arrayContaining(["Permissions.Modify", "VM.Clone"]),
  });
  expect(byPath["/vms"]).not.toContain("Sys.Modify");
});
