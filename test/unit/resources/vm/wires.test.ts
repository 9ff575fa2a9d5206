import { describe, expect, test } from "vitest";
import { ConfigDraft, type Members, parseWired, patchWired, type RawConfig, wiresOf } from "#kit";
import { codecOf } from "#pve";
import { slotMaps } from "../../../../src/resources/guest/observe.ts";
import { settings } from "../../../../src/resources/vm/attributes.ts";
import { requestOptions } from "../../../../src/simulator/qemu/config/options.ts";

const draftOf = (config: RawConfig) => new ConfigDraft(config, { codecOf });

/** The result of `desired` for a configuration. */
function patched(config: RawConfig, desired: Members) {
  const draft = draftOf(config);
  patchWired(settings, desired, draft);
  return draft.patch;
}

describe("the wires of a VM", () => {
  test("lead to sub-keys only where the option is packed", () => {
    const wrong = wiresOf(settings).filter(({ wire }) => {
      const [option = "", key] = wire.replace("{slot}", "scsi0").replace("{n}", "0").split("/");
      const codec = codecOf(option);
      return key !== undefined && (codec === null || !("from" in codec));
    });
    expect(wrong).toEqual([]);
  });

  test("have as many slots as PVE", () => {
    for (const [name, { slots }] of slotMaps(settings)) {
      for (const [family, highest] of Object.entries(slots?.families ?? {})) {
        expect(requestOptions, name).toHaveProperty(`${family}${highest}`);
        expect(requestOptions, name).not.toHaveProperty(`${family}${(highest ?? 0) + 1}`);
      }
    }
  });

  test("read nothing from an empty configuration, and write nothing", () => {
    const found = parseWired(settings, draftOf({}));
    expect(Object.entries(found).filter(([, value]) => value !== null)).toEqual([["template", false]]);
    expect(patched({}, found)).toEqual({ set: {}, delete: [] });
  });

  const patches: [string, RawConfig, Members, RawConfig, string[]][] = [
    [
      "an undefined value stays",
      { cores: "2", sockets: "1" },
      { cpu: { cores: 4, sockets: undefined } },
      { cores: 4 },
      [],
    ],
    ["a new card gets a model", {}, { networks: { net0: { bridge: "vmbr0" } } }, { net0: "virtio,bridge=vmbr0" }, []],
    ["VLAN 0 is no VLAN", { net0: "virtio=A,tag=5" }, { networks: { net0: { vlan: 0 } } }, { net0: "virtio=A" }, []],
    [
      "an address by DHCP has no gateway",
      { net0: "virtio=A", ipconfig0: "ip=10.0.0.5/24,gw=10.0.0.1" },
      { networks: { net0: { ipv4: { address: "dhcp" } } } },
      { ipconfig0: "ip=dhcp" },
      [],
    ],
    [
      "a new disk is allocated",
      {},
      { disks: { scsi1: { storage: "a1", size: "1.5G", ssd: true } } },
      { scsi1: "a1:1.5,ssd=1" },
      [],
    ],
    [
      "an image is imported",
      {},
      { disks: { scsi1: { storage: "a1", import_from: "b1:import/x.qcow2", size: "9G" } } },
      { scsi1: "a1:0,import-from=b1:import/x.qcow2" },
      [],
    ],
    [
      "a mapping replaces an address",
      { hostpci0: "0000:01:00.0,pcie=1" },
      { pci: { hostpci0: { mapping: "gpu" } } },
      { hostpci0: "pcie=1,mapping=gpu" },
      [],
    ],
    [
      "one limit replaces two",
      { scsi0: "a1:v,mbps_rd=5" },
      { disks: { scsi0: { limits: { mbps: 9 } } } },
      { scsi0: "a1:v,mbps=9" },
      [],
    ],
    [
      "cloud-init gets a drive on the storage of the first disk",
      { scsi0: "a1:v,size=1G" },
      { cloud_init: { user: "ops" } },
      { ciuser: "ops", ide2: "a1:cloudinit,media=cdrom" },
      [],
    ],
    [
      "an order replaces legacy boot letters",
      { boot: "cdn", bootdisk: "scsi0" },
      { boot_order: ["net0"] },
      { boot: "order=net0" },
      ["bootdisk"],
    ],
    ["no hotplug is written as 0", {}, { hotplug: [] }, { hotplug: "0" }, []],
    [
      "texts that are not plain are encoded, together with the plain ones",
      { smbios1: "uuid=u,serial=plain" },
      { smbios: { product: "Über" } },
      { smbios1: `uuid=u,serial=${btoa("plain")},product=w5xiZXI=,base64=1` },
      [],
    ],
  ];
  test.each(patches)("%s", (_, config, desired, set, removed) => {
    expect(patched(config, desired)).toEqual({ set, delete: removed });
  });
});
