import { describe, expect, it } from "vitest";
import { startCluster, template, tokens } from "./simulated-cluster.ts";

describe("a user with a password", () => {
  const user = { username: "terraform@pve", password: "terraform" };

  it("works like a token, writes included", async () => {
    await using cluster = await startCluster(user);
    const { vm } = await cluster.client.operations.clone({ source: template, request: { newid: 401 } });
    await cluster.client.qemu.updateConfig(vm, { cores: 2 });
    expect(cluster.calls("POST /access/ticket")).toBe(1);
  });

  it("logs in again when the tickets expire during a write", async () => {
    await using cluster = await startCluster(user);
    const { client, simulator } = cluster;
    const { vm } = await client.operations.clone({ source: template, request: { newid: 401 } });
    simulator.faults.order({ do: "expire_tickets" });
    await client.qemu.updateConfig(vm, { cores: 3 });
    expect((await client.qemu.getConfig(vm)).options["cores"]).toBe("3");
    expect(cluster.calls("POST /access/ticket")).toBe(2);
  });

  it("gets a message that the password is wrong, with the call", async () => {
    await using cluster = await startCluster({ ...user, password: "wrong" });
    await expect(cluster.client.cluster.getVersion()).rejects.toMatchObject({
      kind: "auth",
      message: "authentication failure",
      details: { method: "POST", path: "/access/ticket", status: 401 },
    });
  });
});

describe("a token", () => {
  it("with a wrong secret is refused, with the call", async () => {
    await using cluster = await startCluster({ apiToken: "terraform@pve!tf=00000000-0000-4000-8000-00000000dead" });
    await expect(cluster.client.qemu.list("pve1")).rejects.toMatchObject({
      kind: "auth",
      message: "Authentication failed!",
      details: { method: "GET", path: "/nodes/{node}/qemu", status: 401 },
    });
  });

  it("that lost a privilege gets its name and path", async () => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    const { vm } = await client.operations.clone({ source: template, request: { newid: 401 } });
    simulator.faults.order({ do: "revoke", privilege: "VM.PowerMgmt", times: 0 });
    const starting = client.operations.run(vm, { what: "start", submit: () => client.power.start(vm) });
    await expect(starting).rejects.toMatchObject({
      kind: "permission",
      details: {
        method: "POST",
        path: "/nodes/{node}/qemu/{vmid}/status/start",
        missing: { paths: ["/vms/401"], privileges: ["VM.PowerMgmt"] },
      },
    });
  });

  it("that may not create gets the privilege although PVE does not name it", async () => {
    await using cluster = await startCluster();
    cluster.simulator.faults.order({ do: "revoke", privilege: "VM.Allocate", times: 0 });
    await expect(cluster.client.qemu.create("pve1", { vmid: 777 })).rejects.toMatchObject({
      kind: "permission",
      details: { missing: { paths: ["/vms/777"], privileges: ["VM.Allocate"] } },
    });
  });

  it("without any privilege gets a message that it sees no guests", async () => {
    await using cluster = await startCluster({ apiToken: tokens.noAcl });
    await expect(cluster.client.inventory.getTemplate("ubuntu-24.04-cloud")).rejects.toMatchObject({
      kind: "permission",
      message: "the token sees no guests: it has no privileges",
    });
    await expect(cluster.client.inventory.getTemplate(9000)).rejects.toThrow(
      "the token sees no guests: it has no privileges",
    );
  });

  it("with privileges on storages only gets the missing one", async () => {
    await using cluster = await startCluster({ apiToken: tokens.noAcl });
    cluster.simulator.sim.world.access.acl.push({
      path: "/storage",
      type: "user",
      ugid: "noacl@pve",
      roleid: "PVEDatastoreUser",
      propagate: true,
    });
    await expect(cluster.client.inventory.getTemplate("ubuntu-24.04-cloud")).rejects.toThrow(
      "the token sees no guests: it lacks VM.Audit on every path",
    );
  });
});

describe("endpoints", () => {
  it("that are down are skipped, for reads and writes", async () => {
    await using cluster = await startCluster();
    const client = cluster.connect({ endpoints: ["https://127.0.0.1:9", cluster.simulator.url] });
    const { vm } = await client.operations.clone({ source: template, request: { newid: 401 } });
    expect(await client.qemu.findConfig(vm)).not.toBeNull();
    expect(cluster.lines).toContainEqual({
      level: "warn",
      message: "endpoint cannot be reached",
      fields: { endpoint: "https://127.0.0.1:9", error: "https://127.0.0.1:9: the connection was refused" },
    });
  });

  it("whose certificate is not trusted are refused", async () => {
    await using cluster = await startCluster();
    const client = cluster.connect({ caCertificate: undefined as never });
    await expect(client.cluster.getVersion()).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("certificate is not trusted"),
    });
  });
});
