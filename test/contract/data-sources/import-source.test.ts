import { afterAll, beforeAll, expect, test } from "vitest";
import { LookupBench } from "./lookup-bench.ts";

const ovf = `<Envelope><References><File ovf:href="d.qcow2" ovf:id="f1"/></References>
<DiskSection><Disk ovf:capacity="3" ovf:capacityAllocationUnits="byte * 2^30" ovf:diskId="d1" ovf:fileRef="f1"/></DiskSection>
<VirtualSystem ovf:id="my vm"><OperatingSystemSection ovf:id="94"/><VirtualHardwareSection>
<Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>20</rasd:ResourceType></Item>
<Item><rasd:AddressOnParent>2</rasd:AddressOnParent><rasd:HostResource>ovf:/disk/d1</rasd:HostResource><rasd:Parent>1</rasd:Parent><rasd:ResourceType>17</rasd:ResourceType></Item>
</VirtualHardwareSection></VirtualSystem></Envelope>`;

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open();
  const volume = { content: "import" as const, format: "ova", size: 1024, ctime: 0, node: "pve1" };
  bench.simulator.sim.world.volumes.push({
    ...volume,
    volid: "local:import/appliance.ova",
    ova: { ovf, files: [{ name: "d.qcow2", size: 1024 }] },
  });
});
afterAll(() => bench.close());

const look = async (config: Record<string, string>) => (await bench.lookUp("proxmox_import_source", config)).found;

test("an OVA file is described", async () => {
  const found = await look({ volume: "local:import/appliance.ova", node: "pve1" });
  expect(found).toMatchObject({
    type: "vm",
    name: "my-vm",
    options: { name: "my-vm", ostype: "l26", boot: "order=sata2" },
    disks: { sata2: { volume_id: "local:import/appliance.ova/d.qcow2", size_bytes: 3 * 1024 ** 3 } },
    networks: {},
    warnings: [{ type: "ova-needs-extracting", key: null, value: null }],
  });
});

test.each([
  [{ volume: "nope:import/a.ova" }, "Storage `nope` does not exist"],
  [{ volume: "appliance.ova" }, "Must be a volume ID"],
  [{ volume: "local:iso/a.iso", node: "pve1" }, "invalid content type 'iso'"],
  [{ volume: "local:import/a.ova", node: "pve9" }, "Node `pve9` does not exist"],
])("%j is refused", async (config, message) => {
  await expect(look(config)).rejects.toThrow(message);
});
