import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ManagedResource, unknown } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "file-"));
  bench = await ResourceBench.open();
});

afterEach(() => bench.simulator.faults.clear());

afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});

const files = (): ManagedResource => bench.resource("proxmox_file");
const volumes = () => bench.simulator.sim.world.volumes;
const onStorage = (volid: string) => volumes().find((volume) => volume.volid === volid);

function callsTo(endpoint: string): number {
  const { calls } = bench.simulator.sim.log.summary() as { calls: { endpoint: string; count: number }[] };
  return calls.find((call) => call.endpoint === endpoint)?.count ?? 0;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function local(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A file on pve1's own storage. */
const iso = (source: string, more: object = {}) => ({
  storage: "local",
  node: "pve1",
  content: "iso",
  source,
  ...more,
});

describe("a file", () => {
  test("is uploaded, and deleted with its removal", async () => {
    const made = await files().create(iso(local("a.iso", "first")));
    expect(attribute(made, "volume_id")).toBe("local:iso/a.iso");
    expect(attribute(made, "sha256")).toBe(sha256("first"));
    expect(onStorage("local:iso/a.iso")).toMatchObject({ size: 5, node: "pve1" });
    await files().destroy(made);
    expect(onStorage("local:iso/a.iso")).toBeUndefined();
  });

  test("shows in the plan what will be uploaded", async () => {
    const { planned } = await files().plan(null, iso(local("b.iso", "seen")));
    expect(planned).toMatchObject({ volume_id: "local:iso/b.iso", sha256: sha256("seen"), name: "b.iso" });
  });

  test("is uploaded again in place when the local one changes, and not otherwise", async () => {
    const path = local("c.iso", "before");
    const made = await files().create(iso(path));
    utimesSync(path, new Date(), new Date()); // a new time is no change
    expect((await files().plan(await files().refresh(made), iso(path))).action).toBe("no-op");
    writeFileSync(path, "behind"); // the same length
    const plan = await files().plan(await files().refresh(made), iso(path));
    expect(plan.action).toBe("update");
    const changed = await files().apply(plan);
    expect(attribute(changed, "sha256")).toBe(sha256("behind"));
    expect(onStorage("local:iso/c.iso")?.checksums?.["sha256"]).toBe(sha256("behind"));
  });

  test("that another client has changed is uploaded again", async () => {
    const path = local("d.iso", "mine");
    const made = await files().create(iso(path));
    const volume = onStorage("local:iso/d.iso");
    if (volume) volume.size = 999;
    const drifted = await files().refresh(made);
    expect(attribute(drifted, "size_bytes")).toBe(999);
    const mended = await files().update(drifted, iso(path));
    expect(attribute(mended, "size_bytes")).toBe(4);
    expect(onStorage("local:iso/d.iso")?.size).toBe(4);
  });

  test("that another client has removed is uploaded again", async () => {
    const path = local("e.iso", "mine");
    const made = await files().create(iso(path));
    volumes().splice(
      volumes().findIndex(({ volid }) => volid === "local:iso/e.iso"),
      1,
    );
    expect(await files().find(made)).toBeNull();
    await files().create(iso(path));
  });

  test("may be text with its own name", async () => {
    const made = await files().create({
      storage: "nas",
      content: "iso",
      name: "seed.iso",
      text: "grüße",
    });
    expect(attribute(made, "size_bytes")).toBe(7);
    expect(attribute(made, "node")).toBe("pve1"); // shared: any node will do
    const moved = await files().plan(await files().refresh(made), {
      storage: "nas",
      node: "pve2",
      content: "iso",
      name: "seed.iso",
      text: "grüße",
    });
    expect(moved.action).toBe("no-op");
  });

  test("of another name, storage or node is another file", async () => {
    const path = local("f.iso", "one");
    const made = await files().create(iso(path));
    for (const more of [{ name: "g.iso" }, { storage: "nas" }, { node: "pve2" }]) {
      expect((await files().plan(made, iso(path, more))).action).toBe("replace");
    }
    await files().update(made, iso(path, { name: "g.iso" }));
    expect(onStorage("local:iso/f.iso")).toBeUndefined();
    expect(onStorage("local:iso/g.iso")).toBeDefined();
  });

  test("is looked up together with the others of the same refresh", async () => {
    const config = (name: string) => ({ storage: "nas", content: "iso", name, text: name });
    const names = ["one.iso", "two.iso", "three.iso", "four.iso"];
    const made = await Promise.all(names.map((name) => files().create(config(name))));
    bench.simulator.sim.log.clear();
    await Promise.all(made.map((instance) => files().refresh(instance)));
    expect(callsTo("GET /nodes/{node}/storage/{storage}/content")).toBeLessThan(names.length);
  });

  test("is planned before its content is known", async () => {
    const config = { storage: "local", node: "pve1", content: "iso", name: "later.iso" };
    const made = await files().create({ ...config, text: "known" }, { ...config, text: unknown });
    expect(attribute(made, "sha256")).toBe(sha256("known"));
  });

  test("is imported by its volume ID, and identified by its size", async () => {
    const path = local("h.iso", "adopted");
    const made = await files().create(iso(path));
    await expect(files().import({ id: "local:iso/nowhere.iso" })).rejects.toThrow(
      "There is no `local:iso/nowhere.iso`",
    );
    await expect(files().import({ id: "h.iso" })).rejects.toThrow("is not a volume ID");
    for (const id of ["local:iso/h.iso", "pve1/local:iso/h.iso"]) {
      const imported = await files().import({ id });
      expect(attribute(imported, "size_bytes")).toBe(7);
      expect(attribute(imported, "sha256")).toBeNull();
      const before = onStorage("local:iso/h.iso")?.ctime;
      const adopted = await files().update(imported, iso(path));
      expect(adopted.state).toEqual(made.state);
      expect(onStorage("local:iso/h.iso")?.ctime).toBe(before);
    }
  });
});

describe("an existing file", () => {
  test("is kept as it is after an import without source and text, as a generated configuration is", async () => {
    const made = await files().create(iso(local("generated.iso", "content")));
    const config = { storage: "local", node: "pve1", content: "iso", name: "generated.iso" };
    const imported = await files().import({ id: "pve1/local:iso/generated.iso" });
    await files().expectSettled(imported, config);
    await expect(files().plan(null, { ...config, name: "new.iso" })).rejects.toThrow("Content needed");
    await files().destroy(made);
  });

  test("is not overwritten, and the plan says how to import it", async () => {
    const path = local("taken.iso", "new");
    volumes().push({ volid: "local:iso/taken.iso", content: "iso", format: "iso", size: 9, node: "pve1", ctime: 1 });
    const refused = files().plan(null, iso(path));
    await expect(refused).rejects.toThrow(/File local:iso\/taken\.iso exists already/);
    await expect(refused).rejects.toThrow('id = "pve1/local:iso/taken.iso"');
    await files().create(iso(path, { overwrite: true }));
    expect(onStorage("local:iso/taken.iso")?.size).toBe(3);
  });

  test("does not block its own successor", async () => {
    const path = local("tainted.iso", "old");
    const made = await files().create(iso(path));
    await bench.restart();
    await files().refresh(made); // as Terraform does before it plans a tainted object as if it were new
    expect((await files().plan(null, iso(path))).action).toBe("create");
  });

  test("is not overwritten by one that is created at the same time", async () => {
    const config = { storage: "local", node: "pve1", content: "iso", name: "race.iso" };
    const plans = await Promise.all(["one", "two"].map((text) => files().plan(null, { ...config, text })));
    const applied = await Promise.allSettled(plans.map((plan) => files().apply(plan)));
    expect(applied.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("is refused while planning:", () => {
  test.each([
    ["a missing local file", { source: "/nowhere/x.iso" }, /`\/nowhere\/x.iso` cannot be read: there is no such file/],
    ["a folder", { source: tmpdir(), name: "x.iso" }, /is not a file/],
    ["an unknown storage", { storage: "tape" }, /Storage `tape` does not exist on pve1\. Available: `ceph`/],
    ["an unknown node", { node: "pve9" }, /Node `pve9` does not exist\. Available: `pve1`, `pve2`, `pve3`/],
    [
      "a storage that does not accept it",
      { storage: "ceph" },
      /set up for `images`, `rootdir`, not for `iso`.*`local`, `nas`/,
    ],
    ["no node where there are several", { node: null }, /Say on which `node` the file belongs: `pve1`, `pve2`, `pve3`/],
    ["snippets", { content: "snippets", name: "user.yaml" }, /Snippets cannot be brought to a storage/],
    [
      "an extension that does not fit",
      { name: "x.qcow2" },
      /is named with `.iso` or `.img` at the end, and `x.qcow2` is not/,
    ],
    ["a name that Proxmox VE would change", { name: "my file.iso" }, /Write `my_file.iso`/],
    ["two contents", { text: "x" }, /Give `source` or `text`, not both/],
    ["no content", { source: null }, /Give the path of a local file/],
    ["text without a name", { source: null, text: "x" }, /Text has no name of its own/],
  ])("%s", async (_, more, message) => {
    await expect(files().plan(null, iso(local("fine.iso", "x"), more))).rejects.toThrow(message);
  });
});

describe("in spite of", () => {
  const upload = "POST /nodes/{node}/storage/{storage}/upload";

  test.each([
    ["a response that is lost after the work", { do: "answer", call: upload, status: 596, after: 1 } as const],
    ["a connection that is reset after the work", { do: "reset", call: upload, after: 1 } as const],
    ["a connection that is reset before it", { do: "reset", call: upload } as const],
    ["a proxy that cannot reach the daemon", { do: "answer", call: upload, status: 595 } as const],
  ])("%s, the file exists once", async (title, fault) => {
    bench.simulator.faults.order(fault);
    const name = `${title.replaceAll(/\W/g, "-")}.iso`;
    const made = await files().create(iso(local(name, "sent")));
    expect(attribute(made, "sha256")).toBe(sha256("sent"));
    expect(onStorage(`local:iso/${name}`)?.size).toBe(4);
  });

  test("a lost response that cannot be proved, the file is in the state", async () => {
    bench.simulator.faults.order({ do: "answer", call: upload, status: 596, after: 1 });
    bench.simulator.faults.order({ do: "answer", call: "GET /nodes/{node}/tasks", status: 500, times: 0 });
    const failed = files().create(iso(local("unproved.iso", "x")));
    await expect(failed).rejects.toThrow(/file local:iso\/unproved.iso is made, so it is in the state/);
    await expect(failed).rejects.toMatchObject({ remains: { state: { name: "unproved.iso" } } });
    bench.simulator.faults.clear();
  });

  test("a lost response to its removal, it is deleted", async () => {
    const made = await files().create(iso(local("lost.iso", "x")));
    const call = "DELETE /nodes/{node}/storage/{storage}/content/{volume}";
    bench.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
    await files().destroy(made);
    expect(onStorage("local:iso/lost.iso")).toBeUndefined();
  });

  test("an offline node, its files keep their last state", async () => {
    const path = local("away.iso", "x");
    const made = await files().create(iso(path, { node: "pve3" }));
    const shared = await files().create({ storage: "nas", node: "pve3", content: "iso", source: path });
    bench.simulator.faults.order({ do: "offline", node: "pve3" });
    await bench.restart();
    expect((await files().refresh(made)).state).toEqual(made.state);
    expect((await files().refresh(shared)).state).toEqual(shared.state);
  });
});

test("an upload that fails leaves nothing in the state, and reports the reason", async () => {
  bench.simulator.faults.order({ do: "fail", task: "imgcopy", text: "import failed: no space left on device" });
  const refused = files().create(iso(local("full.iso", "x")));
  await expect(refused).rejects.toThrow(/Unable to create file local:iso\/full.iso[\s\S]*no space left on device/);
  await expect(refused).rejects.toMatchObject({ remains: null });
});

test("a provider that is killed half-way leaves a file that the next plan reports", async () => {
  const path = local("killed.iso", "x".repeat(1000));
  bench.simulator.faults.order({ do: "slow", task: "imgcopy", seconds: 200 });
  const config = iso(path);
  const dying = files().apply(await files().plan(null, config));
  const { tasks } = bench.simulator.sim.world;
  await expect.poll(() => tasks.some(({ upid, exitstatus }) => upid.includes(":imgcopy:") && !exitstatus)).toBe(true);
  bench.provider.process.kill("SIGKILL");
  await expect(dying).rejects.toThrow();
  await bench.restart();
  await expect.poll(() => onStorage("local:iso/killed.iso"), { timeout: 10_000 }).toBeDefined();
  await expect(files().plan(null, config)).rejects.toThrow(/maybe left by an interrupted run/);
  await files().update(await files().import({ id: "local:iso/killed.iso" }), config);
});

test("a large file is sent piece by piece", async () => {
  const path = join(folder, "large.iso");
  writeFileSync(path, "");
  truncateSync(path, 300 * 2 ** 20);
  await bench.restart();
  const plan = await files().plan(null, iso(path));
  const { pid = 0 } = bench.provider.process;
  const before = residentBytes(pid);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, 20);
  const made = await files().apply(plan);
  clearInterval(timer);
  expect(attribute(made, "size_bytes")).toBe(300 * 2 ** 20);
  expect((peak - before) / 2 ** 20).toBeLessThan(60);
}, 120_000);

/** The memory of the process. */
function residentBytes(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
