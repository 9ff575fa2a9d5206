import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTexts, readWrappedParameters } from "../../../src/pve/error-texts.ts";
import { errorKinds, isPveError, PveError, type PveErrorKind } from "../../../src/pve/errors.ts";
import { isOnlyDelayed, isOutdated, readExitStatus } from "../../../src/pve/single-texts.ts";

/** PVE's text, the call that it answers, and its meaning. Every matcher is hit by at least one of these. */
const sentences: readonly [kind: PveErrorKind | undefined, text: string, template?: string][] = [
  ["locked", "access permissions cleanup for VM 101 failed: cfs-lock 'file-user_cfg' error: got lock request timeout"],
  [
    "conflict",
    "unable to create VM 101 - can't add VM 101 to pool 'p': cfs-lock 'file-user_cfg' error: got lock request timeout",
  ],
  ["locked", "clone failed: can't add VM 101 to pool 'p': cfs-lock 'file-user_cfg' error: got lock request timeout"],
  ["locked", "can't lock file '/var/lock/qemu-server/lock-120.conf' - got timeout"],
  ["locked", "got no worker upid - start worker failed"],
  ["locked", "'storage-ceph'-locked command timed out - aborting"],
  ["locked", "CT is locked (backup)"],
  ["locked", "can't lock file '/run/lock/lxc/pve-config-100.lock' - got timeout"],
  [
    "locked",
    "create sdn zone object failed: invalid lock token provided! at /usr/share/perl5/PVE/Network/SDN.pm line 291.",
  ],
  ["locked", "Failed to obtain guest migration lock - replication running?"],
  ["permission", "unable to create VM 100 - 403 Permission check failed (/vms/100, VM.Config.Options)"],
  ["permission", "only root can set 'hostpci0' config for non-mapped devices"],
  ["permission", "only root can modify 'serial0' config for real devices"],
  ["permission", "Only root may use this option."],
  ["permission", "Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 651."],
  ["permission", "mount point type bind is only allowed for root@pam"],
  ["not_found", "Configuration file 'nodes/pve/qemu-server/999.conf' does not exist"],
  ["not_found", "unable to find configuration file for VM 999 on node 'pve'"],
  ["not_found", "no such task"],
  ["not_found", "snapshot 's1' does not exist", "/nodes/{node}/qemu/{vmid}/snapshot/{snapname}"],
  [undefined, "snapshot 's1' does not exist", "/nodes/{node}/qemu/{vmid}/clone"],
  ["not_found", "storage 's' does not exist", "/storage/{storage}"],
  [undefined, "storage 's' does not exist", "/nodes/{node}/qemu"],
  ["not_found", "volume 'local:iso/x.iso' does not exist", "/nodes/{node}/storage/{storage}/content/{volume}"],
  [undefined, "volume 'local:iso/x.iso' does not exist"],
  ["not_found", "delete pool failed: pool 'p' does not exist", "/pools"],
  ["not_found", "no such user ('ghost@pve')"],
  ["not_found", "no such token 'tf' for user 'limited@pve'"],
  ["not_found", "role 'Nope' does not exist", "/access/roles/{roleid}"],
  [undefined, "ACL update failed: role 'Nope' does not exist", "/access/acl"],
  ["not_found", "IP '10.5.0.8' does not exist in IPAM DB", "/cluster/sdn/vnets/{vnet}/ips"],
  ["exists", "IP '10.5.0.7' already exist", "/cluster/sdn/vnets/{vnet}/ips"],
  ["not_found", "no such resource 'vm:999'"],
  ["not_found", "cannot delete service 'vm:999', not HA managed!"],
  ["not_found", "no such ha rule 'keep-apart'"],
  ["not_found", "update HA rules failed: HA rule 'keep-apart' does not exist"],
  ["not_found", "mapping 'gpu' not found"],
  ["not_found", "update hardware mapping failed: pci ID 'gpu' does not exist"],
  ["not_found", "status server entry 'x' does not exist", "/cluster/metrics/server/{id}"],
  ["not_found", "no such server 'x'", "/cluster/metrics/server/{id}"],
  [
    "not_found",
    "cannot lookup undefined type! at /usr/share/perl5/PVE/API2/Cluster/MetricServer.pm line 295.",
    "/cluster/metrics/server/{id}",
  ],
  [undefined, "no such server 'x'", "/nodes/{node}/qemu"],
  ["not_found", "no such alias", "/cluster/firewall/aliases/{name}"],
  ["not_found", "no such IPSet 'admins'", "/cluster/firewall/ipset/{name}"],
  [undefined, "no such ipset 'admins'", "/cluster/firewall/rules"],
  ["not_found", "no such IP/Network", "/cluster/firewall/ipset/{name}/{cidr}"],
  ["not_found", "no such security group 'web'", "/cluster/firewall/groups/{group}"],
  [
    "not_found",
    "invalid vnet specified at /usr/share/perl5/PVE/API2/Firewall/Helpers.pm line 54.",
    "/cluster/sdn/vnets/{vnet}/firewall/rules",
  ],
  ["exists", "IPSet 'admins' already exists"],
  ["exists", "Security group 'web' does already exist"],
  ["conflict", "Security group 'web' is not empty"],
  ["not_found", "interface does not exist", "/nodes/{node}/network/{iface}"],
  ["conflict", "CT 100 already running"],
  ["conflict", "CT 100 not running"],
  ["conflict", "unable to destroy CT 100 - container is running"],
  ["conflict", "cannot move volumes of a running container"],
  ["conflict", "disk is already at specified size"],
  ["conflict", "you can't convert a CT to template if the CT is running"],
  ["not_found", "sdn 'lab' does not exist", "/cluster/sdn/zones/{zone}"],
  ["not_found", "sdn vnet 'web' does not exist", "/cluster/sdn/vnets/{vnet}"],
  [undefined, "sdn vnet 'web' does not exist", "/nodes/{node}/qemu"],
  ["not_found", "fabric 'f1' does not exist in configuration", "/cluster/sdn/fabrics/fabric/{id}"],
  ["not_found", "node 'pve1' does not exist in fabric 'f1'", "/cluster/sdn/fabrics/node/{fabric_id}/{node_id}"],
  ["not_found", "internal doesn't exist", "/cluster/sdn/prefix-lists/{id}"],
  [
    "not_found",
    "deleting route map entry failed: could not find route map entry with id: rm_10",
    "/cluster/sdn/route-maps/entries/{route-map-id}/entry/{order}",
  ],
  ["exists", "creating prefix list failed: prefix list already exists in configuration: internal"],
  ["exists", "adding fabric failed: fabric 'f1' already exists in config"],
  ["exists", "interface already exists"],
  ["exists", "create sdn zone object failed: sdn zone object ID 'lab' already defined"],
  ["exists", "unable to create VM 120: config file already exists"],
  ["exists", "unable to create VM 100 - VM 100 already exists on node 'pve'"],
  ["exists", "close (rename) atomic file '/etc/pve/nodes/pve/qemu-server/400.conf' failed: File exists"],
  ["exists", "VM 100 already exists"],
  ["exists", "snapshot name 's1' already used"],
  ["exists", "create storage failed: storage ID 'isoonly' already defined"],
  ["exists", "create pool failed: pool 'tfpool' already exists"],
  ["exists", "Token already exists."],
  ["exists", "resource ID 'vm:100' already defined"],
  ["exists", "create ha rule failed: HA rule 'keep-apart' already defined"],
  ["exists", "create hardware mapping failed: pci ID 'gpu' already defined"],
  ["exists", "Metric server 'x' already exists"],
  ["exists", "Cannot create 'x', an entity with the same name already exists"],
  ["exists", "domain 'corp' already exists"],
  ["exists", "replication job '100-0' already exists"],
  ["exists", "Job 'nightly' already exists"],
  ["exists", "ACME account config file 'default' already exists."],
  ["exists", "ACME plugin ID 'dns' already exists"],
  ["exists", "custom CPU model 'lab' already exists"],
  ["exists", "alias 'office' already exists"],
  ["exists", "refusing to override existing file '/var/lib/vz/template/iso/x.iso'"],
  ["conflict", "checksum mismatch (file change by other user?)"],
  ["conflict", "detected modified configuration - file changed by other user? Try again."],
  ["conflict", "unexpected state change"],
  ["conflict", "can't remove VM 120 - protection mode enabled"],
  ["conflict", "VM 100 is running - destroy failed"],
  ["conflict", "unable to remove VM 200 - used in HA resources and purge parameter not set."],
  ["conflict", "There is a replication job '100-0' for guest '100' - Please remove that first."],
  ["conflict", "base volume 'data:111/base-111-disk-0.qcow2' is still in use by linked cloned"],
  ["conflict", "VM 100 already running"],
  ["conflict", "VM 100 not running"],
  ["conflict", "VM 100 is not running"],
  ["conflict", "you can't convert a VM to template if VM is running"],
  ["conflict", "cannot delete 'mail', referenced by: night"],
  ["conflict", "delete pool failed: pool 'tfpool' is not empty (contains VM 200)"],
  ["conflict", "delete sdn zone object failed: zone za is used by vnet vn2"],
  ["conflict", "delete sdn controller object failed: controller c1 is used by z1"],
  ["conflict", 'this fabric is still used in the VXLAN zone "z1"'],
  ["conflict", "deleting prefix list failed: prefix list internal is still referenced by fabric f1"],
  ["conflict", "deleting route map entry failed: route map rm still referenced by controller c1"],
  ["conflict", "Can't delete vnet if subnets exists"],
  ["conflict", "pool 'cephpool' is in use by storage 'rbd'"],
  ["conflict", "QEMU guest agent is not running"],
  ["conflict", "No QEMU guest agent configured"],
  ["conflict", "VM 100 qga command 'guest-ping' failed - got timeout"],
  ["unreachable", "cluster not ready - no quorum?"],
  [undefined, "no options specified"],
  // A guest that ignores a shutdown is not a lock, although its text has the same ending.
  [undefined, "VM quit/powerdown failed - got timeout"],
  [undefined, "disk image '/var/lib/vz/images/100/vm-100-cloudinit.qcow2' already exists"],
  // Case-exact: PVE does not emit this text.
  [undefined, "vm is locked (clone)"],
];

describe("PVE's words", () => {
  it.each(sentences)("%s: %s (%s)", (kind, text, template) => {
    expect(readTexts([`${text}\n`], template)?.kind).toBe(kind);
  });

  it("are all tested here, and each matcher names the file that emits it", () => {
    const source = readFileSync("src/pve/error-texts.ts", "utf8");
    const matchers = [...source.matchAll(/^ {2}(?:refusal\("\w+", |lock\(|inUse\()\/(.+?)\/, "([^"]+)"/gm)];
    expect(matchers.length).toBeGreaterThan(40);
    for (const [, pattern = "", file] of matchers) {
      expect(file, pattern).toMatch(/^[a-z-]+: (?:src\/)?PVE\/\S+\.pm/);
      expect(
        sentences.some(([, text]) => new RegExp(pattern).test(text)),
        pattern,
      ).toBe(true);
    }
  });

  it("are read in every text of a response", () => {
    expect(readTexts(["Parameter verification failed.", "x", "VM 100 already exists"], undefined)?.kind).toBe("exists");
  });

  it.each([
    ["OK", { kind: "ok" }],
    ["WARNINGS: 3", { kind: "warnings", count: 3 }],
    ["unexpected status", { kind: "failed" }],
    ["OK but", { kind: "failed" }],
    ["", { kind: "failed" }],
  ])("an exit status of %j", (text, expected) => {
    expect(readExitStatus(text)).toEqual(expected);
  });
});

describe("a PveError", () => {
  it("is made from any thrown value", () => {
    const error = new PveError("locked", "x");
    expect(PveError.from(error)).toBe(error);
    expect(PveError.from(new RangeError("odd"))).toMatchObject({
      kind: "malformed",
      message: "odd",
      cause: expect.any(RangeError),
    });
    expect(PveError.from("text")).toMatchObject({ kind: "malformed", message: "text" });
  });

  it("can get more details without losing any", () => {
    const error = new PveError("locked", "x", { status: 500, cause: "why" }).with({ attempts: 5, message: "y" });
    expect(error).toMatchObject({ kind: "locked", message: "y", cause: "why", details: { status: 500, attempts: 5 } });
  });

  it("is recognised by its kind", () => {
    const error = new PveError("locked", "x");
    expect([
      isPveError(error),
      isPveError(error, "locked"),
      isPveError(error, "task"),
      isPveError(new Error()),
    ]).toEqual([true, true, false, false]);
  });

  it("has one of eleven kinds", () => {
    expect(errorKinds).toHaveLength(11);
  });
});

describe("a change of a config", () => {
  it.each([
    ["Parameter verification failed: scsi0: hotplug problem - can't unplug bootdisk 'scsi0'", true],
    ["400 Parameter verification failed.\nscsi0: hotplug problem - can't unplug bootdisk 'scsi0'\n", true],
    ["400 Parameter verification failed. sata2: hotplug problem - can't unplug device 'sata2'", true],
    [
      "Parameter verification failed: scsi0: hotplug problem - can't unplug bootdisk 'scsi0'; net0: hotplug problem - no",
      false,
    ],
    ["Parameter verification failed.", false],
    ["hotplug problem - no", false],
  ])("%j is only delayed: %s", (message, expected) => {
    expect(isOnlyDelayed(message)).toBe(expected);
  });

  it.each([
    ["checksum mismatch (file change by other user?)", true],
    ["detected modified configuration - file changed by other user? Try again.", true],
    ["checksum mismatch: got 'a' != expect 'b'", false],
  ])("%j is outdated: %s", (message, expected) => {
    expect(isOutdated(message)).toBe(expected);
  });
});

describe("parameters in a text", () => {
  it("are read where PVE has wrapped the refusal of a parameter", () => {
    const text = "create sdn vnet object failed: 400 Parameter verification failed.\ntag: missing vlan tag\n";
    expect(readWrappedParameters(text)).toEqual({ tag: "missing vlan tag" });
    expect(readWrappedParameters("Parameter verification failed.")).toBeUndefined();
  });
});
