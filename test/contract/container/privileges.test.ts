import { afterAll, beforeAll, expect, test } from "vitest";
import { RightsBench, withoutEach } from "../vm/rights-bench.ts";
import { seed } from "./suite.ts";

let bench: RightsBench;

beforeAll(async () => {
  bench = await RightsBench.open({ seed });
});
afterAll(() => bench.close());

const type = "proxmox_container";
const config = { name: "copy", vmid: 670, power: "stopped", clone: { template: "9100" } };
const least = {
  "/vms/9100": "VM.Audit VM.Clone",
  "/vms/670": "VM.Allocate VM.Audit VM.Config.Network VM.Config.Options",
  "/storage/local-zfs": "Datastore.AllocateSpace",
  "/sdn/zones/localnetwork/vmbr0": "SDN.Use",
};

test("a clone takes these privileges, and no others", async () => {
  const container = await bench.poor(least, { type });
  await container.destroy(await container.create(config));
});

test.each(withoutEach(least))("without $privilege on $path the plan refuses it", async ({ path, privilege, left }) => {
  const container = await bench.poor(left, { type });
  await expect(container.plan(null, config)).rejects.toThrow(new RegExp(`^ *${path}: .*${privilege}`, "m"));
});

test("of a source that is hidden, both privileges are missing on its own path", async () => {
  const { "/vms/9100": _, ...rest } = least;
  const container = await bench.poor(rest, { type });
  await expect(container.plan(null, config)).rejects.toThrow(/^ *\/vms\/9100: VM\.Audit [^\n]*, VM\.Clone /m);
});
