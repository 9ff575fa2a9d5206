import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench, fromImage, rootfs, seed } from "./suite.ts";

let bench: Bench;

const oci = {
  volid: "nas:vztmpl/nginx_1.29.tar",
  oci: { entrypoint: ["/docker-entrypoint.sh"], cmd: ["nginx", "-g", "daemon off;"], env: ["PATH=/usr/bin", "V=1.29"] },
};

beforeAll(async () => {
  bench = await Bench.openWith({ seed: { ...seed, container_templates: [...seed.container_templates, oci] } });
});
beforeEach(() => {
  calls = [];
  return bench.simulator.sim.log.subscribe(({ method, path }) => calls.push(`${method} ${path}`));
});
beforeEach(async () => {
  bench.simulator.faults.clear();
  bench.simulator.reset();
  await bench.restart();
});
afterAll(() => bench.close());

const containers = () => bench.vmids().filter((vmid) => bench.guest(vmid).type === "lxc" && vmid !== 9100);

/** What was called since the test began, in order. */
let calls: string[] = [];
const writes = () => calls.filter((call) => /^(POST|PUT|DELETE) .*\/lxc/.test(call));

describe("a container of an OCI image", () => {
  const config = {
    ...fromImage,
    vmid: 601,
    name: "nginx",
    image: { volume: oci.volid },
    mounts: { rootfs },
    networks: { net0: { bridge: "vmbr0", ipv4: { address: "10.0.0.5/24" } } },
  };

  test("gets its variables and its command after the create, which overwrites them, and before it starts", async () => {
    const own = { ...config, env: { MODE: "dark" }, entrypoint: "/usr/sbin/nginx" };
    const made = await bench.container.create(own);
    expect(bench.config(601)).toMatchObject({ env: "PATH=/usr/bin\0MODE=dark", entrypoint: "/usr/sbin/nginx" });
    expect(bench.guest(601).pending.set).toEqual({});
    expect(attribute(made, "env")).toEqual({ MODE: "dark" });
    const order = writes();
    const [created, configured, started] = [/lxc$/, /lxc\/601\/config$/, /status\/start$/].map((shape) =>
      order.findIndex((call) => shape.test(call)),
    );
    expect([created, configured, started], order.join("\n")).toEqual([0, 1, order.length - 2]);
    expect((await bench.container.plan(await bench.container.refresh(made), own)).action).toBe("no-op");
  });

  test("is unprivileged: the plan warns, and Proxmox VE cannot unpack it into another one", async () => {
    const privileged = { ...config, unprivileged: false };
    const { warnings } = await bench.container.plan(null, privileged);
    expect(warnings.map(({ summary }) => summary)).toContain("An OCI image needs an unprivileged container");
    await bench.configure();
    await expect(bench.container.create(privileged)).rejects.toThrow("setgid(0): Invalid argument");
    expect(bench.vmids()).not.toContain(601);
  });

  test("keeps those of the image where none are written, and gets them back when the lines leave", async () => {
    const made = await bench.container.create(config);
    const image = { env: "PATH=/usr/bin\0V=1.29", entrypoint: "/docker-entrypoint.sh nginx -g 'daemon off;'" };
    expect(bench.config(601)).toMatchObject(image);
    expect(bench.config(601)["net0"]).toContain("host-managed=1");
    const restarted = { ...config, restart_policy: "when_needed" };
    const own = await bench.container.update(made, { ...restarted, env: { MODE: "dark" }, entrypoint: "/bin/true" });
    expect(bench.config(601)).toMatchObject({ env: "PATH=/usr/bin\0MODE=dark", entrypoint: "/bin/true" });
    await bench.container.update(own, restarted);
    expect(bench.config(601)).toMatchObject(image);
  });

  test.each([
    ["others", { MODE: "dark" }, "PATH=/usr/bin\0MODE=dark"],
    ["none", {}, "PATH=/usr/bin"],
  ])("keeps its search path with %s in its place, which the plan says once", async (_, env, line) => {
    const made = await bench.container.create({ ...config, power: "stopped" });
    const own = { ...config, power: "stopped", env };
    const plan = await bench.container.plan(made, own);
    expect(plan.warnings.map(({ summary }) => summary)).toEqual(["The search path stays"]);
    const changed = await bench.container.apply(plan);
    expect(bench.config(601)["env"]).toBe(line);
    const again = await bench.container.plan(await bench.container.refresh(changed), own);
    expect([again.action, ...again.warnings]).toEqual(["no-op"]);
    await bench.container.destroy(changed);
    const created = await bench.container.create(own);
    expect(bench.config(601)["env"]).toBe(line);
    await bench.container.destroy(created);
  });

  test("may have a search path of its own", async () => {
    const own = { ...config, env: { PATH: "/opt/bin" } };
    const made = await bench.container.create(own);
    expect(bench.config(601)["env"]).toBe("PATH=/opt/bin");
    expect((await bench.container.plan(await bench.container.refresh(made), own)).action).toBe("no-op");
  });
});

describe("addresses", () => {
  const config = (address: string, more: object = {}) => ({
    ...fromImage,
    vmid: 601,
    name: "addressed",
    mounts: { rootfs },
    networks: { net0: { bridge: "vmbr0", ipv4: { address } } },
    ...more,
  });
  const asked = () => calls.filter((call) => call.endsWith("/interfaces")).length;

  test("are read from the container where they are waited for", async () => {
    const made = await bench.container.create(config("dhcp", { wait_for_address: "10s" }));
    expect(attribute(made, "ip_addresses")).toEqual({ net0: [expect.stringMatching(/^198\.51\.100\./)] });
    expect(attribute(made, "ipv4_address")).toMatch(/^198\.51\.100\./);
    expect(asked()).toBeGreaterThan(0);
  });

  test("are those configured otherwise, and the container is not asked", async () => {
    const dynamic = await bench.container.create(config("dhcp"));
    expect(attribute(dynamic, "ip_addresses")).toEqual({});
    await bench.container.destroy(dynamic);
    const fixed = await bench.container.create(config("10.0.0.9/24"));
    expect(attribute(fixed, "ipv4_address")).toBe("10.0.0.9");
    await bench.container.refresh(fixed);
    expect(asked()).toBe(0);
  });

  test("that do not come in time are a warning, and the container is complete", async () => {
    const given = config("manual", { wait_for_address: "1s" });
    const { warnings } = await bench.container.apply(await bench.container.plan(null, given));
    expect(warnings?.map(({ detail }) => detail)).toEqual([expect.stringContaining("got none within 1s")]);
    expect(bench.config(601)["description"]).toBeUndefined();
    expect(bench.guest(601).run).toBeDefined();
  });
});

describe.each([
  [
    "made from an image",
    "vzcreate",
    { ...fromImage, mounts: { rootfs, mp0: { storage: "ceph", size: "1G", path: "/d" } } },
  ],
  ["cloned", "vzclone", { clone: { template: "golden" } }],
])("a create that is interrupted, %s", (_, task, source) => {
  const config = { ...source, name: "resumed", cpu: { cores: 3 }, tags: ["a"], protection: true } as Record<
    string,
    Input
  >;
  const complete = async (more: object = {}) => {
    const resumed = await bench.container.create({ ...config, ...more });
    const vmid = Number(attribute(resumed, "vmid"));
    expect(containers()).toEqual([vmid]);
    expect(bench.config(vmid)).toMatchObject({ hostname: "resumed", cores: "3", tags: "a", protection: "1" });
    expect(bench.config(vmid)["description"]).toBeUndefined();
    expect(bench.guest(vmid).run).toBeDefined();
    return vmid;
  };

  test.each([
    ["its task", { do: "slow", task, seconds: 400 } as const],
    ["the start", { do: "slow", task: "vzstart", seconds: 400 } as const],
  ])("in %s, by a kill, is resumed by the next apply", async (what, fault) => {
    bench.simulator.faults.order(fault);
    const lost = bench.container.create(config).catch(() => "lost");
    const isThere = () =>
      what === "the start"
        ? bench.simulator.sim.world.tasks.some(({ type }) => type === "vzstart")
        : containers().length === 1;
    await expect.poll(isThere, { timeout: 10_000 }).toBe(true);
    bench.provider.process.kill("SIGKILL");
    await lost;
    const [vmid] = containers();
    await bench.restart();
    expect(await complete()).toBe(vmid);
  });

  test("in its settings is resumed, and not made twice", async () => {
    bench.simulator.faults.order({ do: "reset", call: "PUT /nodes/{node}/lxc/{vmid}/config", times: 20 });
    await expect(bench.container.create(config)).rejects.toThrow();
    bench.simulator.faults.clear();
    await bench.restart();
    await complete();
  });

  test("whose answer was lost is found, and not made twice", async () => {
    const call = task === "vzclone" ? "POST /nodes/{node}/lxc/{vmid}/clone" : "POST /nodes/{node}/lxc";
    bench.simulator.faults.order({ do: "reset", call, after: 1 });
    await complete();
  });
});

describe("protection", () => {
  const config = { ...fromImage, vmid: 601, name: "guarded", protection: true, mounts: { rootfs } };

  test("is the last thing that a create sets, so that a failed one can be replaced", async () => {
    bench.simulator.faults.order({ do: "fail", task: "vzstart", text: "startup for container '601' failed" });
    await expect(bench.container.create(config)).rejects.toThrow(/Container 601 exists on pve1[\s\S]*tainted/i);
    expect(bench.config(601)["protection"]).toBeUndefined();
    bench.simulator.reset();
    await bench.restart();
    await bench.container.create(config);
    expect(bench.config(601)["protection"]).toBe("1");
    expect(writes().at(-1)).toMatch(/PUT .*\/config$/);
  });

  test("stops the destruction in the plan, before anything is touched", async () => {
    const made = await bench.container.create(config);
    const before = JSON.stringify(bench.guest(601));
    await expect(bench.container.destroy(made)).rejects.toThrow(/Container is protected[\s\S]*protection = true/);
    expect(JSON.stringify(bench.guest(601))).toBe(before);
    const free = await bench.container.update(made, { ...config, protection: false });
    await bench.container.destroy(free);
    expect(bench.has(601)).toBe(false);
  });

  test("set by another user stops it, too", async () => {
    const made = await bench.container.create({ ...config, protection: null } as Input);
    bench.guest(601).config["protection"] = "1";
    await bench.configure();
    await expect(bench.container.destroy(await bench.container.refresh(made))).rejects.toThrow(/protected/);
    expect(bench.has(601)).toBe(true);
  });
});
