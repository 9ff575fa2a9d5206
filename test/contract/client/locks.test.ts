import { describe, expect, it } from "vitest";
import { type SimulatedCluster, speed, startCluster, template } from "./simulated-cluster.ts";

const vm = { node: "pve1", vmid: 401 };

async function startWithVm(): Promise<SimulatedCluster> {
  const cluster = await startCluster();
  await cluster.client.operations.clone({ source: template, request: { newid: vm.vmid, name: "locked" } });
  return cluster;
}

const configure = ({ client }: SimulatedCluster) =>
  client.operations.run(vm, { what: "configure VM 401", submit: () => client.qemu.updateConfig(vm, { cores: 4 }) });

const attempts = ({ lines }: SimulatedCluster, what: string) =>
  lines.filter(({ message, fields }) => message === "attempt" && fields["what"] === what).length;

describe("a lock that another client holds", () => {
  it("for 3 s is waited for by PVE itself", async () => {
    await using cluster = await startWithVm();
    cluster.simulator.faults.order({ do: "hold_lock", vmid: 401, seconds: 3 });
    await configure(cluster);
    expect(attempts(cluster, "configure VM 401")).toBe(1);
    expect((await cluster.client.qemu.getConfig(vm)).options["cores"]).toBe("4");
  });

  it("for 20 s costs a second attempt", async () => {
    await using cluster = await startWithVm();
    cluster.simulator.faults.order({ do: "hold_lock", vmid: 401, seconds: 20 });
    await configure(cluster);
    expect(attempts(cluster, "configure VM 401")).toBe(2);
    expect(cluster.lines).toContainEqual({
      level: "info",
      message: "locked, waiting",
      fields: expect.objectContaining({
        attempt: 1,
        wait_ms: 2000 / speed,
        error: expect.stringContaining("lock-401.conf"),
      }),
    });
    expect((await cluster.client.qemu.getConfig(vm)).options["cores"]).toBe("4");
  });

  it("without an end fails after five attempts, with the waiting time", async () => {
    await using cluster = await startWithVm();
    cluster.simulator.faults.order({ do: "hold_lock", vmid: 401, seconds: 3600 });
    await expect(configure(cluster)).rejects.toMatchObject({
      kind: "locked",
      message: expect.stringMatching(
        /^can't lock file '.*lock-401\.conf' - got timeout \(5 attempts, 0\.7 s waited\)$/,
      ),
      details: { attempts: 5, waitedMs: 14_000 / speed, lock: { vmid: 401 }, path: "/nodes/{node}/qemu/{vmid}/config" },
    });
  });

  it("is reported with the task that holds it", async () => {
    await using cluster = await startWithVm();
    const { client } = cluster;
    cluster.simulator.sim.world.guests[401] &&
      Object.assign(cluster.simulator.sim.world.guests[401].behaviour, { acpi: false, agent: false });
    await client.operations.run(vm, { what: "start", submit: () => client.power.start(vm) });
    const shutdown = client.watch.wait(await client.power.shutdown(vm, { timeout: 600 })).catch(() => {});
    await expect(configure(cluster)).rejects.toMatchObject({
      message: expect.stringMatching(/held by qmshutdown of terraform@pve!tf \(UPID:/),
      details: { lock: { holder: expect.stringContaining("qmshutdown") } },
    });
    await client.power.stop(vm, { "overrule-shutdown": true });
    await shutdown;
  });

  it("in the config is released with the backup that set it", async () => {
    await using cluster = await startWithVm();
    const guest = cluster.simulator.sim.world.guests[401];
    Object.assign(guest?.config ?? {}, { lock: "backup" });
    setTimeout(() => delete guest?.config["lock"], 4000 / speed);
    await configure(cluster);
    expect(attempts(cluster, "configure VM 401")).toBeGreaterThan(1);
  });

  it.each(["suspended", "destroyed"])("in the config called %s is not waited for", async (lock) => {
    await using cluster = await startWithVm();
    Object.assign(cluster.simulator.sim.world.guests[401]?.config ?? {}, { lock });
    await expect(configure(cluster)).rejects.toMatchObject({
      kind: "locked",
      isTransientLock: false,
      message: `VM is locked (${lock})`,
    });
    expect(attempts(cluster, "configure VM 401")).toBe(1);
  });

  it("on the template fails the clone's task, and another task makes the clone", async () => {
    await using cluster = await startCluster();
    cluster.simulator.faults.order({ do: "hold_lock", vmid: 9000, seconds: 3 });
    const { vm: made } = await cluster.client.operations.clone({ source: template, request: { newid: 402 } });
    expect(attempts(cluster, "clone VM 9000 to 402")).toBeGreaterThan(1);
    expect(await cluster.client.qemu.findConfig(made)).not.toBeNull();
  });

  it("on the VM fails its start, and another task starts it", async () => {
    await using cluster = await startWithVm();
    const { client } = cluster;
    cluster.simulator.faults.order({ do: "hold_lock", vmid: 401, seconds: 18 });
    await client.operations.run(vm, { what: "start VM 401", submit: () => client.power.start(vm) });
    expect(attempts(cluster, "start VM 401")).toBe(2);
    expect(await client.qemu.getStatus(vm)).toMatchObject({ status: "running" });
  });

  it("on a storage fails linked clones, and all are made in the end", async () => {
    await using cluster = await startCluster();
    const text = "clone failed: can't lock file '/var/lock/pve-manager/pve-storage-local-lvm' - got timeout";
    cluster.simulator.faults.order({ do: "fail", task: "qmclone", text, nth: 1, times: 3 });
    const ids = [410, 411, 412, 413];
    await Promise.all(ids.map((newid) => cluster.client.operations.clone({ source: template, request: { newid } })));
    expect(Object.keys(cluster.simulator.sim.world.guests)).toEqual(expect.arrayContaining(ids.map(String)));
  });
});

describe("the writes of one process", () => {
  it("on one VM never overlap: none is refused", async () => {
    await using cluster = await startWithVm();
    const { client } = cluster;
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        client.operations.run(vm, {
          what: `write ${index}`,
          submit: () => client.qemu.startConfigUpdate(vm, { description: `n${index}` }),
        }),
      ),
    );
    expect(cluster.lines.filter(({ message }) => message === "locked, waiting")).toEqual([]);
    expect((await client.qemu.getConfig(vm)).description).toBe("n11");
  });
});

describe("after a clone", () => {
  it("the new config is read until it is unlocked, and returned", async () => {
    await using cluster = await startCluster();
    const { config } = await cluster.client.operations.clone({ source: template, request: { newid: 420 } });
    expect(config?.digest).toMatch(/^[0-9a-f]{40}$/);
    expect(cluster.calls("GET /nodes/{node}/qemu/{vmid}/config")).toBe(1);
  });

  it("nothing is read if that is switched off", async () => {
    await using cluster = await startCluster({ stabiliseMs: 0 });
    const { config } = await cluster.client.operations.clone({ source: template, request: { newid: 421 } });
    expect(config).toBeNull();
    expect(cluster.calls("GET /nodes/{node}/qemu/{vmid}/config")).toBe(0);
  });

  it("a config that stays locked is not waited for longer than that", async () => {
    await using cluster = await startCluster();
    const { sim } = cluster.simulator;
    const relock = setInterval(() => Object.assign(sim.world.guests[422]?.config ?? {}, { lock: "backup" }), 1);
    const started = performance.now();
    const { config } = await cluster.client.operations.clone({ source: template, request: { newid: 422 } });
    clearInterval(relock);
    expect(config).toBeNull();
    expect(performance.now() - started).toBeGreaterThan(2000 / speed);
  });
});
