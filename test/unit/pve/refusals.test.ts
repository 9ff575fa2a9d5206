import { describe, expect, it } from "vitest";
import type { PveError, PveErrorKind } from "../../../src/pve/errors.ts";
import { startLocalClient, token } from "./local-client.ts";
import { json, type Reply, refusal } from "./local-server.ts";

const vm = { node: "pve", vmid: 100 };

async function refusedBy(
  reply: Reply,
  ask: (client: Awaited<ReturnType<typeof startLocalClient>>["client"]) => Promise<unknown>,
) {
  await using local = await startLocalClient(() => reply);
  return await ask(local.client).then(
    () => expect.fail("it should have been refused"),
    (reason: PveError) => reason,
  );
}

describe("a refusal", () => {
  it.each<[string, Reply, PveErrorKind, object]>([
    [
      "401 with nothing but a reason phrase",
      { status: 401, reason: "No ticket", headers: { connection: "close" } },
      "auth",
      { message: "No ticket" },
    ],
    [
      "403 with path and privileges",
      refusal(403, "Permission check failed (/vms/100, VM.Config.Disk|VM.Config.CPU)"),
      "permission",
      { details: { missing: { paths: ["/vms/100"], privileges: ["VM.Config.Disk", "VM.Config.CPU"] } } },
    ],
    [
      "an object that another one refers to, with a place in Perl's sources",
      refusal(500, "zone za is used by vnet vn2 at /usr/share/perl5/PVE/Network/SDN/Zones/Plugin.pm line 149.\n"),
      "conflict",
      { message: "zone za is used by vnet vn2", details: { isInUse: true } },
    ],
    [
      "several parameters, in an order that is always the same",
      { ...refusal(400, "Parameter verification failed.", { name: "bad", cores: "too many" }) },
      "invalid",
      { message: "Parameter verification failed: cores: too many; name: bad" },
    ],
    ["403 for a missing pool", refusal(403, "Permission check failed (pool 'nopool' does not exist)"), "invalid", {}],
    [
      "a missing VM",
      refusal(500, "Configuration file 'nodes/pve/qemu-server/100.conf' does not exist"),
      "not_found",
      {},
    ],
    [
      "a config lock",
      refusal(500, "VM is locked (clone)"),
      "locked",
      { isTransientLock: true, details: { lock: { name: "clone", holder: "clone" } } },
    ],
    ["a hibernated VM", refusal(500, "VM is locked (suspended)"), "locked", { isTransientLock: false }],
    ["a half destroyed VM", refusal(500, "VM is locked (destroyed)"), "locked", { isTransientLock: false }],
    [
      "a lock file",
      refusal(500, "can't lock file '/var/lock/qemu-server/lock-120.conf' - got timeout"),
      "locked",
      { isTransientLock: true, details: { lock: { vmid: 120 } } },
    ],
    [
      "a cluster lock",
      refusal(500, "cfs-lock 'file-user_cfg' error: got lock request timeout"),
      "locked",
      { details: { lock: { name: "file-user_cfg" } } },
    ],
    ["a digest that is old", refusal(500, "checksum mismatch (file change by other user?)"), "conflict", {}],
    [
      "bad parameters",
      refusal(400, "Parameter verification failed.", { memory: "value must have a minimum value of 16\n" }),
      "invalid",
      {
        message: "Parameter verification failed: memory: value must have a minimum value of 16",
        details: { params: { memory: "value must have a minimum value of 16" } },
      },
    ],
    [
      "a lock reported as a parameter problem",
      refusal(400, "Parameter verification failed.", {
        scsi1:
          "unable to apply pending change scsi1 : can't lock file '/var/lock/pve-manager/pve-storage-local-lvm' - got timeout\n",
      }),
      "locked",
      { isTransientLock: true },
    ],
    ["an option for root only", refusal(500, "only root can set 'args' config"), "permission", {}],
    [
      "a missing storage, which is not the subject of the call",
      refusal(500, "storage 'nostore' does not exist"),
      "invalid",
      {},
    ],
    [
      "any other text with 500",
      refusal(500, "no options specified"),
      "invalid",
      { message: "no options specified", details: { isQuoted: true } },
    ],
    [
      "an endpoint the host does not have",
      refusal(501, "Method 'PUT /nodes/pve/qemu/100/config' not implemented"),
      "invalid",
      {},
    ],
    [
      "a daemon that could not be reached: nothing was done",
      { status: 595, reason: "Connection refused", headers: { connection: "close" } },
      "unreachable",
      { mayHaveHappened: false, message: "Connection refused", details: { isQuoted: true } },
    ],
    [
      "a daemon that did not respond in time: perhaps done",
      { status: 596, reason: "Connection timed out", headers: { connection: "close" } },
      "unreachable",
      { mayHaveHappened: true },
    ],
    [
      "a proxy's page",
      { status: 502, reason: "Bad Gateway", body: "<html>nginx</html>" },
      "unreachable",
      { mayHaveHappened: true, message: "Bad Gateway" },
    ],
    ["an unknown status", { status: 418, reason: "" }, "malformed", { message: "HTTP status 418" }],
    [
      "an error body that is not a map",
      { status: 500, reason: "broken", body: '{"data":null,"message":3,"errors":["x"]}' },
      "invalid",
      { message: "broken" },
    ],
  ])("%s", async (_, reply, kind, more) => {
    const error = await refusedBy(reply, (client) => client.qemu.updateConfig(vm, { memory: 1 }));
    expect(error).toMatchObject({ name: "PveError", kind, ...more });
    expect(error.details).toMatchObject({
      method: "PUT",
      path: "/nodes/{node}/qemu/{vmid}/config",
      status: reply.status,
    });
  });

  it.each<[string, Reply, Parameters<typeof refusedBy>[1], PveErrorKind, object]>([
    [
      "a missing storage, as the subject of the call",
      refusal(500, "storage 'nostore' does not exist"),
      ({ storage }) => storage.get("nostore"),
      "not_found",
      {},
    ],
    [
      "an unknown task",
      refusal(400, "Parameter verification failed.", { upid: "no such task" }),
      ({ tasks }) => tasks.get("UPID:pve:0000AF97:000AA7E7:6AFA5E2F:qmstart:100:root@pam:"),
      "not_found",
      {},
    ],
    [
      "a VMID that is taken",
      refusal(400, "Parameter verification failed.", { vmid: "VM 100 already exists" }),
      ({ cluster }) => cluster.checkId(100),
      "exists",
      {},
    ],
    [
      "a clone onto a VMID that is taken",
      refusal(500, "unable to create VM 120: config file already exists"),
      ({ qemu }) => qemu.clone(vm, { newid: 120 }),
      "exists",
      {},
    ],
    [
      "a create refused without a reason",
      refusal(403, "Permission check failed"),
      ({ qemu }) => qemu.create("pve", { vmid: 120, pool: "p" }),
      "permission",
      { details: { missing: { paths: ["/vms/120", "/pool/p"], privileges: ["VM.Allocate"] } } },
    ],
    [
      "a clone refused without a reason",
      refusal(403, "Permission check failed"),
      ({ qemu }) => qemu.clone(vm, { newid: 120 }),
      "permission",
      { details: { missing: { paths: ["/vms/120"], privileges: ["VM.Allocate"] } } },
    ],
    [
      "a running VM that should be destroyed",
      refusal(500, "VM 100 is running - destroy failed"),
      ({ qemu }) => qemu.remove(vm),
      "conflict",
      {},
    ],
    [
      "a protected VM",
      refusal(500, "can't remove VM 100 - protection mode enabled"),
      ({ qemu }) => qemu.remove(vm),
      "conflict",
      {},
    ],
  ])("%s", async (_, reply, ask, kind, more) => {
    expect(await refusedBy(reply, ask)).toMatchObject({ kind, ...more });
  });

  it("is null for find and an error for get", async () => {
    const gone = refusal(500, "Configuration file 'nodes/pve/qemu-server/100.conf' does not exist");
    await using local = await startLocalClient(() => gone);
    expect(await local.client.qemu.findConfig(vm)).toBeNull();
    await expect(local.client.qemu.getConfig(vm)).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("a malformed response", () => {
  it.each<[string, Reply, string]>([
    ["not JSON", { body: "<html>" }, "it is not JSON"],
    ["no data", { body: '{"success":1}' }, "it has no data"],
    ["no object", { body: "[1]" }, "it has no data"],
    [
      "the wrong type, with its path",
      json([
        { vmid: 100, status: "stopped" },
        { vmid: "x", status: "stopped" },
      ]),
      "data.1.vmid",
    ],
    ["a fraction for a whole number", json([{ vmid: 1.5, status: "stopped" }]), "data.0.vmid: expected a whole number"],
    [
      "excessive nesting",
      { body: `{"data":${"[".repeat(50_000)}${"]".repeat(50_000)}}` },
      "nested more than 64 levels",
    ],
  ])("%s", async (_, reply, message) => {
    const error = await refusedBy(reply, (client) => client.qemu.list("pve"));
    expect(error).toMatchObject({
      kind: "malformed",
      message: expect.stringContaining(message),
      details: { path: "/nodes/{node}/qemu" },
    });
  });

  it("a redirect is not followed, and the message does not propose its target", async () => {
    const reply = { status: 301, reason: "Moved", headers: { location: "https://elsewhere.example/" } };
    await using local = await startLocalClient(() => reply);
    await expect(local.client.cluster.getVersion()).rejects.toMatchObject({
      kind: "malformed",
      message:
        'the server redirects to "https://elsewhere.example/", which is not followed; check the configured endpoint',
    });
    expect(local.server.requests).toHaveLength(1);
  });

  it("cannot change an object's prototype", async () => {
    const body =
      '{"data":[{"vmid":100,"status":"stopped","__proto__":{"isAdmin":true},"nested":{"__proto__":{"x":1}}}]}';
    await using local = await startLocalClient(() => ({ body }));
    const [vm] = await local.client.qemu.list("pve");
    expect({ ...vm }).not.toHaveProperty("isAdmin");
    expect(Object.assign({}, vm)).not.toHaveProperty("isAdmin");
    expect(Object.assign({}, vm?.["nested"])).not.toHaveProperty("x");
    expect(vm).toMatchObject({ vmid: 100, nested: {} });
  });
});

describe("a response in any of Perl's spellings", () => {
  it.each([
    [
      json([{ vmid: "100", status: "running", template: "1", tags: "a;b", name: 7 }]),
      { vmid: 100, template: true, tags: ["a", "b"], name: "7" },
    ],
    [
      json([{ vmid: 100, status: "running", template: 0, extra: { kept: 1 } }]),
      { vmid: 100, template: false, extra: { kept: 1 } },
    ],
    [json([{ vmid: 100, status: "running", template: "" }]), { template: false }],
    [json([{ vmid: 100, status: "running", template: true }]), { template: true }],
  ])("%#", async (reply, expected) => {
    await using local = await startLocalClient(() => reply);
    expect((await local.client.qemu.list("pve"))[0]).toMatchObject(expected);
  });

  it("a config is text throughout, plus the fields that this layer reads", async () => {
    const data = {
      digest: "d",
      name: "web",
      memory: "2048",
      cores: 2,
      onboot: 1,
      tags: "b;a",
      scsi0: "l:v,size=1G",
      template: 1,
    };
    await using local = await startLocalClient(() => json(data));
    expect(await local.client.qemu.getConfig(vm)).toEqual({
      digest: "d",
      name: "web",
      description: undefined,
      lock: undefined,
      isTemplate: true,
      tags: ["b", "a"],
      options: {
        name: "web",
        memory: "2048",
        cores: "2",
        onboot: "1",
        tags: "b;a",
        scsi0: "l:v,size=1G",
        template: "1",
      },
    });
  });
});

describe("every request", () => {
  it("carries the token and the user agent", async () => {
    await using local = await startLocalClient(() => json({ version: "9.2.11", release: "9.2" }));
    await local.client.cluster.getVersion();
    expect(local.server.requests[0]?.headers).toMatchObject({
      authorization: `PVEAPIToken=${token}`,
      "user-agent": "terraform-provider-proxmox",
    });
  });

  it("is logged with duration and status, and without its secrets", async () => {
    await using local = await startLocalClient(() => refusal(500, "VM is locked (clone)"));
    await local.client.qemu.updateConfig(vm, { cipassword: "hunter2" }).catch(() => {});
    expect(local.lines).toContainEqual({
      level: "debug",
      message: "API call",
      fields: expect.objectContaining({
        method: "PUT",
        path: "/nodes/pve/qemu/100/config",
        status: 500,
        reason: "VM is locked (clone)",
        duration_ms: expect.any(Number),
      }),
    });
    expect(JSON.stringify(local.lines)).not.toMatch(/hunter2|3f6b1f2e/);
    expect(local.secrets).toEqual(["3f6b1f2e-0000-4000-8000-123456789abc"]);
  });

  it.each([
    ["an empty name", { node: "", vmid: 100 }],
    ["a name that leaves the path", { node: "..", vmid: 100 }],
  ])("requires valid path values: %s is refused before anything is sent", async (_, place) => {
    await using local = await startLocalClient(() => json(null));
    await expect(local.client.qemu.getConfig(place)).rejects.toMatchObject({ kind: "invalid" });
    expect(local.server.requests).toEqual([]);
  });
});
