import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

const ovf = `<Envelope><References><File ovf:href="d.qcow2" ovf:id="f1"/></References>
<DiskSection><Disk ovf:capacity="3" ovf:capacityAllocationUnits="byte * 2^30" ovf:diskId="d1" ovf:fileRef="f1"/></DiskSection>
<VirtualSystem ovf:id="appliance"><OperatingSystemSection ovf:id="94"/><VirtualHardwareSection>
<Item><rasd:InstanceID>2</rasd:InstanceID><rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>2</rasd:VirtualQuantity></Item>
<Item><rasd:InstanceID>3</rasd:InstanceID><rasd:ResourceType>4</rasd:ResourceType><rasd:VirtualQuantity>1024</rasd:VirtualQuantity></Item>
<Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>20</rasd:ResourceType></Item>
<Item><rasd:ResourceType>10</rasd:ResourceType><rasd:ResourceSubType>E1000</rasd:ResourceSubType></Item>
<Item><rasd:AddressOnParent>0</rasd:AddressOnParent><rasd:HostResource>ovf:/disk/d1</rasd:HostResource><rasd:Parent>1</rasd:Parent><rasd:ResourceType>17</rasd:ResourceType></Item>
</VirtualHardwareSection></VirtualSystem></Envelope>`;

const esxi = "esxi:ha-datacenter/datastore1/web/web.vmx";
const machine = {
  "create-args": { name: "web", cores: "4", memory: "2048", ostype: "l26", scsihw: "pvscsi", boot: "order=scsi0" },
  disks: { scsi0: { volid: "esxi:ha-datacenter/datastore1/web/web.vmdk", size: 2 * 1024 ** 3 } },
  net: { net0: { model: "vmxnet3", macaddr: "00:50:56:00:00:01" } },
  warnings: [{ type: "guest-is-running" }],
};

let bench: Bench;

beforeAll(async () => {
  const seed = defaultSeed() as { storages: object[] };
  const host = { storage: "esxi", type: "esxi", server: "192.0.2.220", username: "root", content: ["import"] };
  bench = await Bench.open({ seed: { ...seed, storages: [...seed.storages, host] } });
});
beforeEach(async () => {
  bench.simulator.faults.clear();
  bench.simulator.reset();
  const file = { content: "import" as const, size: 1024, ctime: 0 };
  bench.simulator.sim.world.volumes.push(
    {
      ...file,
      volid: "local:import/appliance.ova",
      node: "pve1",
      format: "ova",
      ova: { ovf, files: [{ name: "d.qcow2", size: 3 * 1024 ** 3 }] },
    },
    { ...file, volid: "local:import/disk.qcow2", node: "pve1", format: "qcow2" },
    { ...file, volid: esxi, node: undefined, format: "vmx", machine },
    {
      ...file,
      volid: "esxi:ha-datacenter/datastore1/web/web.vmdk",
      node: undefined,
      format: "vmdk",
      size: 2 * 1024 ** 3,
    },
  );
  await bench.configure();
});
afterAll(() => bench.close());

const imported = (more: Record<string, Input> = {}, source: Record<string, Input> = {}) => ({
  name: "taken-in",
  vmid: 601,
  node: "pve1",
  power: "stopped",
  import: {
    ova: "local:import/appliance.ova",
    storage: "local-lvm",
    bridge: "vmbr0",
    working_storage: "nas",
    ...source,
  },
  ...more,
});

describe("an imported VM", () => {
  test("has what the appliance says", async () => {
    const plan = await bench.vm.plan(null, imported());
    const at = (...path: string[]) => attribute({ state: plan.planned } as never, ...path);
    expect([at("cpu", "cores"), at("memory", "size"), at("boot_order")]).toEqual([2, "1G", ["sata0"]]);
    expect(at("inherited")).toEqual(["sata0", "net0"]);
    expect(at("disks", "sata0", "storage")).toBe("local-lvm");
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain("its disks are extracted first");
    await bench.configure();
    const made = await bench.vm.create(imported());
    expect(bench.config(601)).toMatchObject({
      name: "taken-in",
      cores: "2",
      memory: "1024",
      ostype: "l26",
      boot: "order=sata0",
      sata0: expect.stringMatching(/^local-lvm:vm-601-disk-0,size=3G/),
      net0: expect.stringMatching(/^e1000=BC:24:11:[0-9A-F:]+,bridge=vmbr0$/),
    });
    await bench.vm.destroy(made);
  });

  test("has what is configured over it, and goes back to the appliance's value without it", async () => {
    const config = imported({
      cpu: { cores: 1 },
      disks: { sata0: { size: "5G", storage: "ceph" } },
      networks: { net0: { model: "virtio", bridge: "vmbr1" } },
    });
    const made = await bench.vm.create(config);
    expect(bench.config(601)).toMatchObject({
      cores: "1",
      sata0: expect.stringMatching(/^ceph:vm-601-disk-0,size=5G/),
      net0: expect.stringMatching(/^virtio=BC:24:11:[0-9A-F:]+,bridge=vmbr1$/),
    });
    const { cpu: _, ...less } = config as Record<string, Input>;
    await bench.vm.update(made, less);
    expect(bench.config(601)["cores"]).toBe("2");
  });

  test("comes from an ESXi host as well, with its MAC address", async () => {
    const { name: _, ...config } = imported({}, { ova: null, esxi });
    const plan = await bench.vm.plan(null, config);
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain("runs on its host; stop it there");
    await bench.configure();
    await bench.vm.create(config);
    expect(bench.config(601)).toMatchObject({
      name: "web",
      cores: "4",
      scsihw: "pvscsi",
      scsi0: expect.stringMatching(/^local-lvm:vm-601-disk-0,size=2G/),
      net0: "vmxnet3=00:50:56:00:00:01,bridge=vmbr0",
    });
  });

  test("is found after the answer to the call was lost, and created once", async () => {
    bench.simulator.faults.order({ do: "reset", call: "POST /nodes/{node}/qemu", after: 1 });
    await bench.vm.create(imported());
    expect(bench.vmids().filter((vmid) => bench.config(vmid)["name"] === "taken-in")).toEqual([601]);
  });
});

test.each<[string, Record<string, Input>, string | RegExp]>([
  [
    "a file that does not exist",
    { import: { ova: "local:import/none.ova", storage: "local-lvm" } },
    /No such file[\s\S]*appliance.ova/,
  ],
  [
    "a disk image",
    { import: { ova: "local:import/disk.qcow2", storage: "local-lvm" } },
    /Cannot be imported[\s\S]*import_from/,
  ],
  ["what is no volume", { import: { ova: "appliance.ova", storage: "local-lvm" } }, "a volume ID such as"],
  [
    "both kinds",
    { import: { ova: "local:import/a.ova", esxi, storage: "local-lvm" } },
    "Exactly one of `ova` and `esxi`",
  ],
  ["neither kind", { import: { storage: "local-lvm" } }, "Exactly one of `ova` and `esxi`"],
  ["two sources", { clone: { template: "9000" } }, "there are `clone` and `import`"],
  [
    "a storage that takes no disks",
    { import: { ova: "local:import/appliance.ova", storage: "local", working_storage: "nas" } },
    "not for `images`",
  ],
  [
    "an archive that has no place to be extracted",
    { import: { ova: "local:import/appliance.ova", storage: "local-lvm" } },
    /No place to extract disks[\s\S]*`nas`/,
  ],
  ["a smaller disk", { disks: { sata0: { size: "1G" } } }, "Disks cannot shrink"],
  ["a name in use", { name: "ubuntu-24.04-cloud" }, "Name taken"],
])("the plan refuses %s", async (_, more, text) => {
  await expect(bench.vm.plan(null, imported(more))).rejects.toThrow(text);
  expect(bench.has(601)).toBe(false);
});
