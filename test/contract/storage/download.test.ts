import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ManagedResource } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;
let web: Server;
let site: string;

/** Files of a web server that the simulated nodes can really reach. */
const pages: Record<string, string> = { "/one.iso": "one", "/two.iso": "two", "/mirror/one.iso": "one" };

beforeAll(async () => {
  web = createServer((request, response) => {
    const page = pages[(request.url ?? "").replace(/\?.*/, "")];
    response.writeHead(page === undefined ? 404 : 200).end(page);
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  bench = await ResourceBench.open();
});

afterEach(() => bench.simulator.faults.clear());

afterAll(async () => {
  web.close();
  await bench.close();
});

const downloads = (): ManagedResource => bench.resource("proxmox_download");
const volumes = () => bench.simulator.sim.world.volumes;
const onStorage = (volid: string) => volumes().find((volume) => volume.volid === volid);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const one = (more: object = {}) => ({
  storage: "local",
  node: "pve1",
  content: "iso",
  url: `${site}/one.iso`,
  ...more,
});

describe("a download", () => {
  test("is downloaded by the node with its checksum, and deleted with its removal", async () => {
    const made = await downloads().create(one({ checksum: `sha256:${sha256("one")}` }));
    expect(attribute(made, "volume_id")).toBe("local:iso/one.iso");
    expect(attribute(made, "size_bytes")).toBe(3);
    await downloads().destroy(made);
    expect(onStorage("local:iso/one.iso")).toBeUndefined();
  });

  test("is found on a storage whose list shows it late", async () => {
    // 400 seconds of the simulated cluster are 2 seconds of the provider.
    bench.simulator.faults.order({ do: "file_list_lag", storage: "local", seconds: 400 });
    const made = await downloads().create(one({ name: "late.iso" }));
    expect(attribute(made, "size_bytes")).toBe(3);
    await downloads().destroy(made);
  });

  test("with another checksum fails, names both and leaves nothing", async () => {
    const refused = downloads().create(one({ name: "wrong.iso", checksum: sha256("other") }));
    await expect(refused).rejects.toThrow(`got '${sha256("one")}' != expect '${sha256("other")}'`);
    await expect(refused).rejects.toMatchObject({ remains: null });
    expect(onStorage("local:iso/wrong.iso")).toBeUndefined();
  });

  test("of a missing address reports the server's response", async () => {
    await expect(downloads().create(one({ url: `${site}/three.iso` }))).rejects.toThrow("ERROR 404: Not Found");
  });

  test("from another address is not downloaded again, if its checksum stays", async () => {
    const checksum = sha256("one");
    const made = await downloads().create(one({ name: "pinned.iso", checksum }));
    const mirror = { name: "pinned.iso", url: `${site}/mirror/one.iso` };
    const spelled = `sha256:${checksum.toUpperCase()}`;
    expect((await downloads().plan(made, one({ ...mirror, checksum: spelled }))).action).toBe("update");
    const moved = await downloads().update(made, one({ ...mirror, checksum: spelled }));
    expect((await downloads().plan(moved, one({ ...mirror, checksum: sha256("two") }))).action).toBe("replace");
    await downloads().destroy(moved);
  });

  test("from another address is another file, without a checksum", async () => {
    const made = await downloads().create(one({ name: "loose.iso" }));
    const plan = await downloads().plan(made, one({ name: "loose.iso", url: `${site}/two.iso` }));
    expect(plan.action).toBe("replace");
    const replaced = await downloads().apply(plan);
    expect(onStorage("local:iso/loose.iso")?.checksums?.["sha256"]).toBe(sha256("two"));
    await downloads().destroy(replaced);
  });

  test("is checked when it gets a checksum later", async () => {
    const made = await downloads().create(one({ name: "later.iso" }));
    await expect(downloads().update(made, one({ name: "later.iso", checksum: sha256("two") }))).rejects.toThrow(
      "checksum mismatch",
    );
    const pinned = await downloads().update(made, one({ name: "later.iso", checksum: sha256("one") }));
    await downloads().update(pinned, one({ name: "later.iso" }));
  });

  test("that another client has changed is downloaded again", async () => {
    const made = await downloads().create(one({ name: "drift.iso" }));
    const volume = onStorage("local:iso/drift.iso");
    if (volume) volume.size = 999;
    const drifted = await downloads().refresh(made);
    const plan = await downloads().plan(drifted, one({ name: "drift.iso" }));
    expect(plan.action).toBe("replace");
    expect(attribute(await downloads().apply(plan), "size_bytes")).toBe(3);
  });

  test("is imported by its volume ID, and then left as it is", async () => {
    const made = await downloads().create(one({ name: "mine.iso", checksum: sha256("one") }));
    const imported = await downloads().import({ id: "local:iso/mine.iso" });
    const adopted = await downloads().update(imported, one({ name: "mine.iso", checksum: sha256("one") }));
    expect(adopted.state).toEqual(made.state);
  });

  test("of a cloud image is named after its address", async () => {
    const url = "https://cloud.example.com/images/debian-13.qcow2?sha=1";
    const made = await downloads().create({ storage: "nas", content: "import", url });
    expect(attribute(made, "volume_id")).toBe("nas:import/debian-13.qcow2");
    const packed = { storage: "nas", content: "iso", url: "https://example.com/talos.img.gz", compression: "gz" };
    expect((await downloads().plan(null, packed)).planned).toMatchObject({ name: "talos.img" });
  });
});

describe("an existing file", () => {
  test("is neither overwritten nor treated as the download, even with the right checksum", async () => {
    const config = one({ name: "taken.iso", checksum: sha256("one") });
    const checksums = { sha256: sha256("one") };
    const taken = { volid: "local:iso/taken.iso", content: "iso", format: "iso", size: 3, node: "pve1", ctime: 1 };
    volumes().push({ ...taken, checksums } as (typeof bench.simulator.sim.world.volumes)[number]);
    await expect(downloads().plan(null, config)).rejects.toThrow('id = "pve1/local:iso/taken.iso"');
    await downloads().create({ ...config, overwrite: true });
    expect(onStorage("local:iso/taken.iso")?.ctime).toBeGreaterThan(1);
  });

  test("since the plan is not overwritten either", async () => {
    const plan = await downloads().plan(null, one({ name: "beaten.iso" }));
    volumes().push({ ...(onStorage("local:iso/taken.iso") as object), volid: "local:iso/beaten.iso" } as never);
    await expect(downloads().apply(plan)).rejects.toThrow("exists already");
  });
});

describe("is refused while planning:", () => {
  test.each([
    ["an invalid address", { url: "ftp://example.com/x.iso" }, /begins with `https:\/\/` or `http:\/\/`/],
    ["an invalid checksum", { checksum: "sha256:abc" }, /hexadecimal digits/],
    ["an extension that does not fit", { url: "https://example.com/image.zip" }, /and `image.zip` is not/],
    [
      "decompression of unsupported content",
      { content: "import", name: "x.raw", compression: "gz" },
      /decompresses `iso` only/,
    ],
    ["a storage that does not accept it", { storage: "local-lvm" }, /not for `iso`/],
  ])("%s", async (_, more, message) => {
    await expect(downloads().plan(null, one({ name: null, ...more }))).rejects.toThrow(message);
  });
});

describe("in spite of", () => {
  const call = "POST /nodes/{node}/storage/{storage}/download-url";

  test.each([
    ["a lost response", { do: "answer", call, status: 596, after: 1 } as const],
    ["a reset connection", { do: "reset", call, after: 1 } as const],
  ])("%s, the file exists once", async (title, fault) => {
    bench.simulator.faults.order(fault);
    const name = `${title.replaceAll(" ", "-")}.iso`;
    await downloads().create(one({ name }));
    expect(onStorage(`local:iso/${name}`)).toBeDefined();
  });
});

test("a VM is created from an image that the same plan downloads", async () => {
  const image = { storage: "nas", content: "import", url: "https://cloud.example.com/golden.qcow2" };
  const vms = bench.resource("proxmox_vm");
  const vm = (source: string) => ({
    name: "golden",
    node: "pve1",
    power: "stopped",
    disks: { scsi0: { storage: "local-lvm", import_from: source, size: "10G" } },
  });
  const plans = { image: await downloads().plan(null, image), vm: await vms.plan(null, vm("nas:import/golden.qcow2")) };
  const made = await downloads().apply(plans.image);
  const instance = await vms.apply(plans.vm, vm(String(attribute(made, "volume_id"))));
  expect(attribute(instance, "disks", "scsi0", "size")).toBe("10G");
});
