import type { OvaArchive } from "../core/world/storage.ts";
import { readTar, type TarMember } from "./tar.ts";

// OVF descriptions of virtual machines: pve-storage `src/PVE/GuestImport/OVF.pm`.

/** Operating systems by their number in CIM; all others are `other`. */
const systems: readonly [type: string, ...ids: number[]][] = [
  ["winxp", 18],
  ["solaris", 29, 81],
  ["l26", 36, 79, 80, 82, 83, 84, 85, 87, 89, 90, 91, 92, 93, 94, 95, 96, 99, 100, 101, 106, 107, 108, 109],
  ["l24", 97, 98],
  ["w2k", 58],
  ["wxp", 67, 71, 72, 75],
  ["w2k3", 69, 70],
  ["wvista", 73, 74],
  ["w2k8", 76, 77],
  ["win7", 103, 105],
  ["win8", 111, 112, 113, 114, 115, 117, 118],
  ["win10", 116, 119, 120, 121],
  ["win11", 122, 123],
];

const resource = { processor: "3", memory: "4", ide: "5", scsi: "6", nic: "10", disk: "17", sata: "20" } as const;
const buses: Readonly<Record<string, string>> = {
  [resource.ide]: "ide",
  [resource.scsi]: "scsi",
  [resource.sata]: "sata",
};

/** The text of an element with that name, in any namespace; empty if there is none. */
function text(xml: string, name: string): string {
  return new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([^<]*)</`).exec(xml)?.[1]?.trim() ?? "";
}

function attribute(tag: string, name: string): string {
  return new RegExp(`(?:\\w+:)?${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
}

const tags = (xml: string, name: string) => xml.match(new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?/?>`, "g")) ?? [];

function capacity(tag: string): number | undefined {
  const [, base, exponent] =
    /^\s*byte\s*\*\s*(\d+)\s*\^\s*(\d+)\s*$/.exec(attribute(tag, "capacityAllocationUnits")) ?? [];
  return base === undefined ? undefined : Number(attribute(tag, "capacity")) * Number(base) ** Number(exponent);
}

interface OvfDisk {
  readonly file: string;
  readonly address: string;
  readonly size: number | undefined;
}

export interface Ovf {
  /** Options for the new VM, numbers as text. */
  readonly options: Readonly<Record<string, string>>;
  readonly disks: readonly OvfDisk[];
  readonly nets: readonly string[];
}

/** Disks are described by four elements: the drive, its controller, the disk and the file. */
function readDisks(xml: string, items: readonly string[]): OvfDisk[] {
  const drives = items.filter((item) => text(item, "ResourceType") === resource.disk);
  return drives.flatMap((item) => {
    const [, id] = /^(?:ovf:)?\/[\w.~-]+\/([\w.~-]+)$/.exec(text(item, "HostResource")) ?? [];
    const disk = tags(xml, "Disk").find((tag) => attribute(tag, "diskId") === id) ?? "";
    const file = tags(xml, "File").find((tag) => attribute(tag, "id") === attribute(disk, "fileRef")) ?? "";
    const controller = items.find((candidate) => text(candidate, "InstanceID") === text(item, "Parent")) ?? "";
    const bus = buses[text(controller, "ResourceType")];
    const href = attribute(file, "href");
    return id === undefined || bus === undefined || href === ""
      ? []
      : [{ file: href, address: `${bus}${text(item, "AddressOnParent")}`, size: capacity(disk) }];
  });
}

export function parseOvf(xml: string): Ovf {
  const items = xml.match(/<(?:\w+:)?Item(?:\s[^>]*)?>[\s\S]*?<\/(?:\w+:)?Item>/g) ?? [];
  const quantity = (type: string) =>
    text(items.find((item) => text(item, "ResourceType") === type) ?? "", "VirtualQuantity");
  const [system = ""] = tags(xml, "VirtualSystem");
  const name = (text(xml, "Name") || attribute(system, "id")).replaceAll(/\s+/g, "-").replaceAll(/[^a-zA-Z0-9.-]/g, "");
  const osId = Number(attribute(tags(xml, "OperatingSystemSection")[0] ?? "", "id"));
  const isEfi = /vmw:key="firmware"[^>]*vmw:value="efi"/.test(xml);
  const disks = readDisks(xml, items);
  const models = ["e1000", "e1000e", "vmxnet3"];
  const nets = items
    .filter((item) => text(item, "ResourceType") === resource.nic)
    .map((item) => text(item, "ResourceSubType").toLowerCase())
    .map((model) => (models.includes(model) ? model : "e1000"));
  return {
    options: {
      ...(name !== "" && { name }),
      cores: quantity(resource.processor),
      memory: quantity(resource.memory),
      ostype: systems.find(([, ...ids]) => ids.includes(osId))?.[0] ?? "other",
      ...(isEfi && { bios: "ovmf" }),
      ...(disks.length > 0 && { boot: `order=${disks.map(({ address }) => address).join(";")}` }),
    },
    disks,
    nets,
  };
}

/** The contents of an OVA archive, as far as they are in its first bytes: by the standard the description is first. */
export function readOva(head: Buffer, diskSize: (member: TarMember) => number | undefined): OvaArchive {
  const members = readTar(head);
  const ovf = members.find(({ name }) => name.endsWith(".ovf"))?.body.toString("utf8");
  const described = ovf === undefined ? [] : parseOvf(ovf).disks;
  return {
    ...(ovf !== undefined && { ovf }),
    files: members.map((member) => {
      const size = diskSize(member) ?? described.find(({ file }) => file === member.name)?.size;
      return { name: member.name, size: member.size, ...(size !== undefined && { virtualSize: size }) };
    }),
  };
}
