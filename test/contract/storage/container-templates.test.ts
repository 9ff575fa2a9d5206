import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ManagedResource } from "../../harness/index.ts";
import { LookupBench } from "../data-sources/lookup-bench.ts";
import { attribute } from "../resource-bench.ts";

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open();
});
afterEach(() => bench.simulator.faults.clear());
afterAll(() => bench.close());

const templates = (): ManagedResource => bench.resource("proxmox_container_template");
const images = (): ManagedResource => bench.resource("proxmox_oci_image");
const onStorage = (volid: string) => bench.simulator.sim.world.volumes.find((volume) => volume.volid === volid);
const debian = { storage: "local", node: "pve1", name: "debian-13-standard" };
const file = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst";

describe("a container template", () => {
  test("is the newest one of its name, known in the plan, and deleted with its removal", async () => {
    const plan = await templates().plan(null, debian);
    expect(attribute({ state: plan.planned } as never, "volume_id")).toBe(file);
    const made = await templates().apply(plan);
    expect(attribute(made, "version")).toBe("13.1-2");
    expect(attribute(made, "volume_id")).toBe(file);
    expect((await templates().plan(made, debian)).action).toBe("no-op");
    expect((await templates().plan(made, { ...debian, version: "13.1-2" })).action).toBe("no-op");
    await templates().destroy(made);
    expect(onStorage(file)).toBeUndefined();
  });

  test("of an unknown name is an error in the plan that names similar ones", async () => {
    await expect(templates().plan(null, { ...debian, name: "debian-14-standard" })).rejects.toThrow(
      /No such container template.*debian-13-standard/s,
    );
  });

  test("on a missing node, or on none, is an error in the plan that names the nodes", async () => {
    const missing = templates().plan(null, { ...debian, node: "pve7" });
    await expect(missing).rejects.toThrow(
      /^(?!.*hostname lookup)(?!.*No such node.*No such node).*No such node.*pve1/s,
    );
    await expect(templates().plan(null, { ...debian, node: "" })).rejects.toThrow("Must not be empty");
  });

  test("of a version that is no longer offered is an error in the plan that names the offered one", async () => {
    await expect(templates().plan(null, { ...debian, version: "13.0-1" })).rejects.toThrow(/No such version.*13\.1-2/s);
  });

  test("that exists is not overwritten, but can be imported with an empty plan after it", async () => {
    const made = await templates().create(debian);
    await bench.restart();
    await expect(templates().plan(null, debian)).rejects.toThrow("import {");
    const imported = await templates().import({ id: `pve1/${file}` });
    expect((await templates().plan(imported, debian)).action).toBe("no-op");
    await expect(templates().import({ id: "nas:iso/debian-13.iso" })).rejects.toThrow();
    await templates().destroy(made);
  });

  test("of another name replaces the file", async () => {
    const made = await templates().create(debian);
    const plan = await templates().plan(made, { ...debian, name: "debian-12-standard" });
    expect(plan.action).toBe("replace");
    const replaced = await templates().apply(plan);
    expect(attribute(replaced, "version")).toBe("12.12-1");
    await templates().destroy(replaced);
  });

  test("whose answer is lost is found", async () => {
    bench.simulator.faults.order({ do: "reset", call: "POST /nodes/{node}/aplinfo", after: 1 });
    const made = await templates().create(debian);
    expect(attribute(made, "volume_id")).toBe(file);
    await templates().destroy(made);
  });
});

describe("an OCI image", () => {
  const nginx = { storage: "local", node: "pve1", reference: "docker.io/library/nginx:1.29" };

  test("is pulled under a name made of its reference, known in the plan", async () => {
    const plan = await images().plan(null, nginx);
    expect(attribute({ state: plan.planned } as never, "volume_id")).toBe("local:vztmpl/nginx_1.29.tar");
    const made = await images().apply(plan);
    expect(attribute(made, "volume_id")).toBe("local:vztmpl/nginx_1.29.tar");
    expect(onStorage("local:vztmpl/nginx_1.29.tar")?.oci).toBeDefined();
    expect((await images().plan(made, nginx)).action).toBe("no-op");
    expect((await images().plan(made, { ...nginx, reference: "docker.io/library/nginx:1.30" })).action).toBe("replace");
    await images().destroy(made);
    expect(onStorage("local:vztmpl/nginx_1.29.tar")).toBeUndefined();
  });

  test("whose file exists is an error in the plan, with the import block, unless it may be overwritten", async () => {
    const made = await images().create(nginx);
    await bench.restart();
    await expect(images().plan(null, nginx)).rejects.toThrow(/nginx_1\.29\.tar.*import \{/s);
    await bench.restart();
    const { warnings } = await images().plan(null, { ...nginx, overwrite: true });
    expect(warnings.map(({ summary }) => summary)).toContain("A file is overwritten");
    await bench.restart();
    await images().destroy(made);
  });

  test("has the given name", async () => {
    const made = await images().create({ ...nginx, name: "web.tar" });
    expect(attribute(made, "volume_id")).toBe("local:vztmpl/web.tar");
    const imported = await images().import({ id: "pve1/local:vztmpl/web.tar" });
    expect((await images().plan(imported, { ...nginx, name: "web.tar" })).action).not.toBe("replace");
    await images().destroy(made);
  });

  test.each([
    ["a reference without a tag", { reference: "docker.io/library/nginx" }, "a reference with a tag"],
    ["a name that PVE would change", { name: "web server.tar" }, "Name does not fit"],
    ["a compressed name", { name: "web.tar.gz" }, "stores images as `.tar`: write `web.tar`"],
    ["a name without an ending", { name: "web" }, "stores images as `.tar`: write `web.tar`"],
    ["an ending alone", { name: ".tar" }, "write `image.tar`"],
  ])("with %s is refused in the plan", async (_, more, message) => {
    await expect(images().plan(null, { ...nginx, ...more })).rejects.toThrow(message);
  });
});

describe("proxmox_container_templates", () => {
  test("lists what is offered, by name and section", async () => {
    const { found } = await bench.lookUp("proxmox_container_templates", { name: "debian-*", section: "system" });
    expect(found["versions"]).toEqual({ "debian-12-standard": "12.12-1", "debian-13-standard": "13.1-2" });
    expect(found["templates"]).toHaveLength(2);
    const none = await bench.lookUp("proxmox_container_templates", { section: "mail" });
    expect(none.found["templates"]).toEqual([]);
  });
});
