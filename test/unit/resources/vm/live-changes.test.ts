import { describe, expect, it } from "vitest";
import { ConfigDraft } from "#kit";
import * as pve from "#pve";
import { takesEffectLive } from "../../../../src/resources/vm/live-changes.ts";

type Config = Record<string, string | number>;

const base: Config = {
  agent: "enabled=1",
  boot: "order=scsi0",
  memory: 2048,
  net0: "virtio=BC:24:11:00:00:01,bridge=vmbr0",
  ostype: "l26",
  scsi0: "local-lvm:vm-100-disk-0,size=10G",
  scsi1: "local-lvm:vm-100-disk-1,size=10G",
  ide2: "local:iso/a.iso,media=cdrom",
};

/** Whether a running VM applies the new value of the option; null removes it. */
function isLive(option: string, value: string | number | null, more: Config = {}): boolean {
  const running = new ConfigDraft({ ...base, ...more }, pve);
  const after = new ConfigDraft({ ...base, ...more }, pve);
  after.set(option, value);
  return takesEffectLive(option, { running, after });
}

describe("a running VM", () => {
  it.each<[string, string | number | null, Config?]>([
    ["name", "other"],
    ["sshkeys", "x"],
    ["cpulimit", 2],
    ["net0", "virtio=BC:24:11:00:00:01,bridge=vmbr1,tag=7"],
    ["net0", "virtio=BC:24:11:00:00:01,bridge=vmbr1,queues=0", { hotplug: "0" }],
    ["net0", "e1000=BC:24:11:00:00:01,bridge=vmbr0"],
    ["net1", "virtio,bridge=vmbr0"],
    ["scsi2", "local-lvm:4"],
    ["scsi1", null],
    ["scsi1", "local-lvm:vm-100-disk-1,size=10G,mbps=5", { hotplug: "0" }],
    ["ide2", "none,media=cdrom", { hotplug: "0" }],
    ["agent", "enabled=1,fstrim_cloned_disks=1"],
    ["balloon", 512],
    ["usb0", "spice"],
    ["memory", 4096, { hotplug: "memory" }],
    ["vcpus", 2, { hotplug: "cpu" }],
    ["hotplug", "disk"],
  ])("applies %s = %s at once", (option, value, more) => {
    expect(isLive(option, value, more)).toBe(true);
  });

  it.each<[string, string | number | null, Config?]>([
    ["cores", 4],
    ["memory", 4096],
    ["vcpus", 2],
    ["net0", "e1000=BC:24:11:00:00:01,bridge=vmbr0", { hotplug: "disk" }],
    ["net0", "virtio=BC:24:11:00:00:01,bridge=vmbr0,queues=2", { hotplug: "0" }],
    ["net1", "virtio,bridge=vmbr0", { hotplug: "0" }],
    ["scsi2", "local-lvm:4", { hotplug: "network" }],
    ["sata0", "local-lvm:4"],
    ["scsi0", null],
    ["scsi1", "local-lvm:vm-100-disk-1,size=10G,ssd=1"],
    ["ide2", null],
    ["ide0", "local-lvm:cloudinit,media=cdrom"],
    ["efidisk0", "local-lvm:1"],
    ["tpmstate0", "local-lvm:1"],
    ["agent", "enabled=0"],
    ["balloon", 0],
    ["usb0", "spice", { ostype: "other" }],
    ["hotplug", "disk,memory"],
    ["boot", "order=scsi1"],
    ["serial0", "socket"],
  ])("keeps its value until it is restarted: %s = %s", (option, value, more) => {
    expect(isLive(option, value, more)).toBe(false);
  });
});
