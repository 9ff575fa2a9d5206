import { callsOfOthers, type Meddling, others } from "../transitions/other-users.ts";
import { meddlingsAround } from "../transitions/surroundings.ts";
import type { Bench } from "./suite.ts";

const disks = ["scsi3", "virtio1", "sata2"];
const { ask, set, remove } = callsOfOthers("qemu");

const cloudInitSlot = (bench: Bench, vmid: number) =>
  Object.entries(bench.guest(vmid).config).find(([, line]) => /cloudinit|cloud-init-/.test(line))?.[0];

/** A disk without a pending change, which would name the volume that the disk had before (`move_vm_disk` of PVE). */
const ownDisk = (bench: Bench, vmid: number, slots: readonly string[]) => {
  const { config, pending } = bench.guest(vmid);
  return slots.find((slot) => slot in config && !(slot in pending.set));
};

/** What others do to a VM between two applies. */
export const meddlings = {
  nothing: () => {},
  "a setting is changed, or left pending": (bench, vmid) =>
    set(bench, vmid, { sockets: bench.guest(vmid).config["sockets"] === "2" ? "1" : "2" }),
  "a setting is removed, or its removal left pending": (bench, vmid) =>
    remove(bench, vmid, ["acpi", "tablet", "localtime", "numa", "agent", "vga"]),
  "a drive is changed, or its change left pending": (bench, vmid) => {
    const line = bench.guest(vmid).config["scsi0"];
    return line && set(bench, vmid, { scsi0: `${line.replaceAll(/,(backup|cache)=\w+/g, "")},backup=0,cache=unsafe` });
  },
  "the guest stops": (bench, vmid) => {
    bench.guest(vmid).run = undefined;
  },
  "the VM is started": (bench, vmid) => ask(bench, vmid, "POST", "status/start"),
  "the guest agent is silent": (bench, vmid) => {
    bench.guest(vmid).behaviour.agent = false;
  },
  "the guest agent answers": (bench, vmid) => {
    bench.guest(vmid).behaviour.agent = true;
  },
  "the guest ignores ACPI": (bench, vmid) => {
    Object.assign(bench.guest(vmid).behaviour, { acpi: false, agent: false });
  },
  "a snapshot is taken": (bench, vmid) => ask(bench, vmid, "POST", "snapshot", { snapname: `at${Date.now()}` }),
  "a disk is detached": (bench, vmid) => remove(bench, vmid, disks),
  "a disk is grown": (bench, vmid) => {
    const disk = ownDisk(bench, vmid, [...disks, "scsi0"]);
    return disk && ask(bench, vmid, "PUT", "resize", { disk, size: "+1G" });
  },
  "a disk is moved": (bench, vmid) => {
    const disk = ownDisk(bench, vmid, ["virtio1", "scsi3", "scsi0"]);
    const from = bench.guest(vmid).config[disk ?? ""]?.split(":")[0] ?? "";
    return disk && ask(bench, vmid, "POST", "move_disk", { disk, storage: others[from] ?? "nas", delete: "1" });
  },
  "a disk is added": (bench, vmid) => set(bench, vmid, { scsi7: "local-lvm:1" }),
  "unused volumes are removed": (bench, vmid) => {
    const unused = Object.keys(bench.guest(vmid).config).filter((option) => option.startsWith("unused"));
    return unused.length > 0 && set(bench, vmid, { delete: unused.join() });
  },
  "a disc is put in": (bench, vmid) => set(bench, vmid, { ide0: "local:iso/rescue.iso,media=cdrom" }),
  "a disc takes the place of the cloud-init drive": (bench, vmid) => {
    const slot = cloudInitSlot(bench, vmid);
    return slot && set(bench, vmid, { [slot]: "local:iso/rescue.iso,media=cdrom" });
  },
  "the cloud-init drive is removed": (bench, vmid) => remove(bench, vmid, [cloudInitSlot(bench, vmid) ?? ""]),
  "a card is added": (bench, vmid) => set(bench, vmid, { net5: "virtio,bridge=vmbr1" }),
  "a card is removed": (bench, vmid) => remove(bench, vmid, ["net1", "net0"]),
  "notes and tags are changed": (bench, vmid) => set(bench, vmid, { description: "by hand \n", tags: "hand;made" }),
  "the VM is migrated": (bench, vmid) => {
    const target = bench.guest(vmid).node === "pve2" ? "pve3" : "pve2";
    return ask(bench, vmid, "POST", "migrate", { target, online: "1", "with-local-disks": "1" });
  },
  ...meddlingsAround("qemu"),
  "the template is changed": (bench) => {
    for (const guest of Object.values(bench.simulator.sim.world.guests)) {
      if (guest.config["template"] !== "1") continue;
      Object.assign(guest.config, { cores: "6", description: "another one", tags: "renewed", balloon: "512" });
      delete guest.config["vga"];
    }
  },
} as const satisfies Record<string, Meddling>;

export type MeddlingName = keyof typeof meddlings;

/** After these the VM can still become a plain clone of its template again. */
export const isHarmless = (name: string): boolean => /^(nothing|the guest|the VM is started|the template)/.test(name);
