import { afterAll, beforeAll, expect, test } from "vitest";
import { RightsBench, withoutEach } from "../vm/rights-bench.ts";
import { invoke } from "../vm/streams.ts";
import { seed } from "./suite.ts";

let bench: RightsBench;
let archive: string;

beforeAll(async () => {
  bench = await RightsBench.open({ seed });
  await invoke(bench.provider, "proxmox_backup", { vmids: [301], storage: "nas" });
  archive = bench.simulator.sim.world.volumes.find(({ content }) => content === "backup")?.volid ?? "";
});
afterAll(() => bench.close());

const config = (vmid: number) => ({
  name: `copy-${vmid}`,
  vmid,
  node: "pve1",
  restore: { archive, unique: true, storage: "ceph" },
});
const least = (vmid: number) => ({
  [`/vms/${vmid}`]: "VM.Allocate VM.Audit VM.Config.Options VM.PowerMgmt",
  "/vms/301": "VM.Backup",
  "/storage/nas": "Datastore.AllocateSpace",
  "/storage/ceph": "Datastore.AllocateSpace",
  "/sdn/zones/localnetwork/vmbr0/20": "SDN.Use",
});

test("a restore takes these privileges, and no others", async () => {
  const vm = await bench.poor(least(510));
  await vm.destroy(await vm.create(config(510)));
});

test.each(withoutEach(least(511)))("without $privilege on $path the plan refuses it", async ({ left, path }) => {
  const vm = await bench.poor(left);
  const refused = vm.plan(null, config(511));
  await expect(refused).rejects.toThrow(/Privileges missing|No such storage/);
  await expect(refused).rejects.toThrow(path);
});
