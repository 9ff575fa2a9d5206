import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Need } from "../../../src/kit/permissions.ts";
import { tellMissing } from "../../../src/kit/privileges-missing.ts";

const caller = "terraform@pve!tf";
const clone: Need = { privileges: ["VM.Clone"], paths: ["/vms/9000"], attribute: ["clone", "template"] };
const cpu: Need = { privileges: ["VM.Config.CPU"], paths: ["/vms/401"], attribute: "cpu.cores", grantOn: "/vms" };
const user: Need = { ...cpu, privileges: ["VM.Config.Cloudinit", "VM.Config.Network"], attribute: "cloud_init.user" };
const space: Need = { privileges: ["Datastore.AllocateSpace"], paths: ["/storage/ceph"], attribute: ["clone"] };

const detail = (missing: readonly Need[], more: object = {}): string =>
  tellMissing({ caller, permissions: { "/vms": { "VM.Audit": true } }, missing, roles: [], ...more }).detail;

describe("a missing privilege", () => {
  test("is reported as in the guide", () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/permissions.md"), "utf8");
    const missing = [cpu, user, { ...cpu, attribute: "cpu.type" }, space];
    expect(guide).toContain(`Error: Privileges missing\n\n${detail(missing)}\n`);
  });

  test.each<[string, readonly Need[], object, string]>([
    [
      "on the last possible path",
      [{ ...cpu, paths: ["/vms/401", "/pool/prod"], grantOn: "/pool/prod" }],
      {},
      "/pool/prod --roles terraform-pool-prod",
    ],
    ["where it is best granted", [cpu], {}, "acl modify /vms --roles terraform-vms"],
    ["where the caller already has an entry", [cpu], { permissions: { "/vms/401": {} } }, "acl modify /vms/401 "],
    ["with the inherited privileges, which an entry would hide", [clone], {}, "--privs VM.Audit,VM.Clone"],
    [
      "without privileges that have no effect there",
      [space],
      { permissions: { "/": { "VM.Audit": true, "Datastore.Audit": true } } },
      "--privs Datastore.AllocateSpace,Datastore.Audit\n",
    ],
    [
      "with what the same message grants further up",
      [
        { privileges: ["SDN.Use"], paths: ["/sdn/zones"], attribute: "networks" },
        { privileges: ["SDN.Audit"], paths: ["/sdn/zones/localnetwork"], attribute: null },
      ],
      {},
      "terraform-sdn-zones-localnetwork --privs SDN.Audit,SDN.Use\n",
    ],
    [
      "without taking the privilege to change the entries there",
      [clone],
      { permissions: { "/": { "Permissions.Modify": true, "Sys.Audit": true } } },
      "--privs Permissions.Modify,VM.Clone\n",
    ],
    [
      "by an existing role",
      [clone],
      { roles: ["terraform-vms-9000"] },
      "role modify terraform-vms-9000 --privs VM.Audit,VM.Clone --append 1",
    ],
    ["to a user, if the caller is one", [clone], { caller: "ops@pve" }, "--roles terraform-vms-9000 --users ops@pve"],
    ["to root's token alone", [clone], { caller: "root@pam!tf" }, "--roles terraform-vms-9000 --tokens 'root@pam!tf'"],
  ])("is granted %s", (_, missing, more, command) => {
    expect(`${detail(missing, more)}\n`).toContain(command);
  });
});
