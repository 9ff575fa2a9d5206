import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecOf, optionCodecs, type PackedOption } from "../../../../src/pve/properties/option-codecs.ts";
import { type JsonObject, scenarios } from "../../../recordings/recording.ts";

const flag = fc.constantFrom("0", "1", "on", "off", "yes", "no", "true", "false");
const integer = fc.nat(65_520).map(String);
const decimal = fc.tuple(fc.nat(999), fc.constantFrom("", ".5", ".25", ".000")).map((parts) => parts.join(""));
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,12}$/);
const values = fc.array(name, { minLength: 1, maxLength: 4 }).map((items) => items.join(";"));
const volume = fc.constantFrom(
  "local-lvm:vm-100-disk-0",
  "data:9000/base-9000-disk-0.qcow2/101/vm-101-disk-0.qcow2",
  "local:iso/a b=c.iso",
  "none",
  "/dev/disk/by-id/ata-x",
);

/** Raw texts PVE accepts for some sub-keys of each option; `""` is the bare default value. */
const subKeys: Partial<Record<PackedOption, Record<string, fc.Arbitrary<string>>>> = {
  agent: { "": flag, "freeze-fs": flag, "guest-fsfreeze": flag, fstrim_cloned_disks: flag, type: name },
  boot: { "": fc.constantFrom("cdn", "n"), order: values },
  cicustom: { user: volume, network: volume, meta: volume, vendor: volume },
  cpu: { "": name, flags: values, hidden: flag, level: integer, "phys-bits": fc.constantFrom("host", "42") },
  efidisk: { "": volume, efitype: name, "ms-cert": name, "pre-enrolled-keys": flag, size: name },
  hostpci: { "": values, mapping: name, pcie: flag, rombar: flag, "x-vga": flag, mdev: name },
  ide: { "": volume, media: name, model: name, size: name, ssd: flag },
  ipconfig: { ip: name, gw: name, ip6: name, gw6: name },
  machine: { "": name, viommu: name, "enable-s3": flag, "aw-bits": integer },
  memory: { "": integer },
  meta: { "creation-qemu": name, ctime: integer },
  net: { bridge: name, firewall: flag, link_down: flag, mtu: integer, rate: decimal, tag: integer, trunks: values },
  numa: { cpus: values, hostnodes: values, memory: decimal, policy: name },
  rng: { "": name, max_bytes: integer, period: integer },
  sata: { "": volume, cache: name, ssd: flag, wwn: name },
  scsi: {
    "": volume,
    aio: name,
    discard: name,
    iothread: flag,
    mbps_rd: decimal,
    iops: integer,
    size: name,
    ssd: flag,
  },
  smbios: { uuid: name, base64: flag, manufacturer: fc.base64String({ minLength: 4, maxLength: 12 }) },
  startup: { "": integer, up: integer, down: integer },
  tpmstate: { "": volume, version: name, size: name },
  usb: { "": name, mapping: name, usb3: flag },
  vga: { "": name, memory: integer, clipboard: name },
  virtio: { "": volume, backup: flag, iothread: flag, size: name },
  virtiofs: { "": name, cache: name, "direct-io": flag, "expose-acl": flag },
  watchdog: { "": name, action: name },
};

/** A line with some known and some unknown sub-keys, in any order. */
function lines(option: PackedOption): fc.Arbitrary<string> {
  const known = Object.entries(subKeys[option] ?? {});
  const bare = known.filter(([key]) => key === "").map(([, raw]) => raw);
  const named = known.filter(([key]) => key !== "").map(([key, raw]) => raw.map((text) => `${key}=${text}`));
  const glued =
    option === "net"
      ? [fc.constantFrom("virtio=BC:24:11:0A:03:41", "e1000", "model=virtio,macaddr=02:00:00:00:00:01")]
      : [];
  const future = fc.nat(99).chain((n) => name.map((text) => `future-${n}=${text}`));
  return fc
    .tuple(
      bare.length + glued.length > 0
        ? fc.option(fc.oneof(...bare, ...glued), { nil: undefined })
        : fc.constant(undefined),
      fc.uniqueArray(fc.oneof(future, ...named), { selector: (part) => part.split("=")[0], maxLength: 8 }),
    )
    .map(([first, rest]) => [...(first === undefined ? [] : [first]), ...rest].join(","));
}

describe("property strings", () => {
  it.each(Object.keys(subKeys) as PackedOption[])("%s is printed as it was read", (option) => {
    fc.assert(
      fc.property(lines(option), (line) => {
        expect(String(optionCodecs[option].parse(line))).toBe(line);
      }),
    );
  });

  it("every packed option has its sub-keys tested, except the plain lists and the rarest", () => {
    const left = Object.keys(optionCodecs).filter((option) => !(option in subKeys));
    expect(left.sort()).toEqual([
      "amd-sev",
      "audio",
      "hotplug",
      "intel-tdx",
      "ivshmem",
      "nameserver",
      "spice_enhancements",
      "sshkeys",
      "tags",
      "unused",
    ]);
  });

  it("setting every value to itself changes no byte", () => {
    fc.assert(
      fc.property(lines("scsi"), (line) => {
        const drive = optionCodecs.scsi.parse(line);
        expect(String(drive.with(drive.values))).toBe(line);
      }),
    );
  });

  it("a changed sub-key leaves all others in place", () => {
    fc.assert(
      fc.property(lines("scsi"), fc.nat(1000), (line, iops) => {
        const before = optionCodecs.scsi.parse(line);
        const after = before.with({ iops });
        expect(after.values).toEqual({ ...before.values, iops });
        expect(after.unknown).toEqual(before.unknown);
        const others = (text: string) => text.split(",").filter((part) => part !== "" && !part.startsWith("iops="));
        expect(others(String(after))).toEqual(others(line));
      }),
    );
  });

  it("printed values are read back as the same values", () => {
    const drive = fc.record(
      { file: volume, size: name, iops: fc.nat(), ssd: fc.boolean(), mbps_rd: fc.nat(99), cache: name },
      { requiredKeys: ["file"] },
    );
    fc.assert(
      fc.property(drive, (values) => {
        expect(optionCodecs.scsi.parse(optionCodecs.scsi.print(values)).values).toEqual(values);
      }),
    );
  });
});

/** Every `key: value` of a VM config or its pending list in the recordings of PVE. */
function recordedOptions(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const note = (key: string, value: unknown) => {
    if (typeof value === "string") {
      found.set(key, (found.get(key) ?? new Set()).add(value));
    }
  };
  for (const { path = "", expect: answer } of [...scenarios().values()].flat()) {
    const data = (answer?.body as JsonObject | null | undefined)?.["data"];
    if (
      answer?.status !== 200 ||
      !/\/qemu\/\d+\/(?:config|pending|cloudinit)/.test(path) ||
      !data ||
      typeof data !== "object"
    ) {
      continue;
    }
    if (Array.isArray(data)) {
      for (const item of data as { key: string; value?: unknown; pending?: unknown }[]) {
        note(item.key, item.value);
        note(item.key, item.pending);
      }
    } else {
      for (const [key, value] of Object.entries(data)) {
        note(key, value);
      }
    }
  }
  return found;
}

describe("recorded configurations", () => {
  it("every recorded packed option is printed byte by byte", () => {
    const counts = new Map<string, number>();
    for (const [key, lines] of recordedOptions()) {
      const codec = codecOf(key);
      for (const line of codec === null ? [] : lines) {
        expect(String(codec?.parse(line)), key).toBe(line);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining(["scsi0", "net0", "ide2", "efidisk0", "boot", "tags", "sshkeys"]),
    );
    expect([...counts.values()].reduce((sum, n) => sum + n, 0)).toBeGreaterThan(120);
  });

  it("no sub-key in them is unknown to its codec", () => {
    for (const [key, lines] of recordedOptions()) {
      const codec = codecOf(key);
      for (const line of lines) {
        const parsed = codec?.parse(line);
        expect(parsed !== undefined && "unknown" in parsed ? parsed.unknown : {}, `${key}: ${line}`).toEqual({});
      }
    }
  });
});
