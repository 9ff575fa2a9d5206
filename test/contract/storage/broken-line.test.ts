import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { attribute, ResourceBench } from "../resource-bench.ts";

const mebibyte = 2 ** 20;

let folder: string;
let line: Server;
let bench: ResourceBench;
/** How often the connection still breaks, and after how many bytes. */
const faults = { left: 0, afterBytes: 2 * mebibyte, broken: 0 };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "line-"));
  const simulator = await startSimulator({ speed: 200 });
  const { hostname, port } = new URL(simulator.url);
  line = createServer((near) => {
    const far = connect(Number(port), hostname);
    let passed = 0;
    near.on("data", (chunk) => {
      passed += chunk.length;
      if (near.destroyed || faults.left === 0 || passed < faults.afterBytes) return;
      faults.left -= 1;
      faults.broken += 1;
      near.resetAndDestroy();
      far.destroy();
    });
    near.pipe(far).pipe(near);
    for (const end of [near, far]) end.on("error", () => end.destroy());
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(line.address() as AddressInfo).port}`;
  bench = new ResourceBench(Object.create(simulator, { url: { value: url } }) as Simulator, {});
  await bench.restart();
});

afterAll(async () => {
  line.close();
  await bench.close();
  rmSync(folder, { recursive: true });
});

const volume = (name: string) => bench.simulator.sim.world.volumes.find(({ volid }) => volid === `nas:iso/${name}`);

function upload(name: string) {
  const path = join(folder, name);
  writeFileSync(path, Buffer.alloc(8 * mebibyte, name));
  return { storage: "nas", content: "iso", source: path };
}

test("an upload whose connection breaks in the middle is sent again, and arrives once", async () => {
  faults.left = 1;
  const made = await bench.resource("proxmox_file").create(upload("again.iso"));
  expect(faults.broken).toBe(1);
  expect(attribute(made, "size_bytes")).toBe(8 * mebibyte);
  expect(volume("again.iso")?.size).toBe(8 * mebibyte);
});

test("an upload whose connection always breaks fails, and leaves nothing", async () => {
  Object.assign(faults, { left: Number.POSITIVE_INFINITY, broken: 0 });
  const refused = bench.resource("proxmox_file").create(upload("never.iso"));
  await expect(refused).rejects.toThrow(/Unable to create file nas:iso\/never.iso/);
  await expect(refused).rejects.toMatchObject({ remains: null });
  expect(faults.broken).toBeGreaterThanOrEqual(3);
  expect(volume("never.iso")).toBeUndefined();
});
