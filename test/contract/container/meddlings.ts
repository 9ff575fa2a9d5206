import { callsOfOthers, type Meddling, others } from "../transitions/other-users.ts";
import { meddlingsAround } from "../transitions/surroundings.ts";
import type { Bench } from "../vm/suite.ts";

const points = ["mp0", "mp3", "mp12"];
const { ask, set, remove } = callsOfOthers("lxc");

const ownVolume = (bench: Bench, vmid: number, slots: readonly string[]) => {
  const { config, pending } = bench.guest(vmid);
  return slots.find((slot) => config[slot]?.includes(":") && !(slot in pending.set));
};

/** What others do to a container between two applies. */
export const meddlings = {
  nothing: () => {},
  "a setting is changed": (bench, vmid) => set(bench, vmid, { cpuunits: "77", swap: "128" }),
  "a setting is left pending": (bench, vmid) =>
    set(bench, vmid, { timezone: bench.guest(vmid).config["timezone"] === "UTC" ? "Asia/Tokyo" : "UTC" }),
  "a setting is removed, or its removal left pending": (bench, vmid) =>
    remove(bench, vmid, ["timezone", "nameserver", "cmode", "tty", "cpulimit", "cores", "debug"]),
  "a mount is changed, or its change left pending": (bench, vmid) => {
    const slot = ownVolume(bench, vmid, [...points, "rootfs"]);
    const line = bench.guest(vmid).config[slot ?? ""];
    return slot && line && set(bench, vmid, { [slot]: `${line.replaceAll(/,(ro|mountoptions)=[^,]+/g, "")},ro=1` });
  },
  "the guest stops": (bench, vmid) => {
    bench.guest(vmid).run = undefined;
  },
  "the container is started": (bench, vmid) => ask(bench, vmid, "POST", "status/start"),
  "the guest ignores the signal to shut down": (bench, vmid) => {
    bench.guest(vmid).behaviour.acpi = false;
  },
  "a snapshot is taken": (bench, vmid) => ask(bench, vmid, "POST", "snapshot", { snapname: `at${Date.now()}` }),
  "a mount is detached, or its removal left pending": (bench, vmid) => remove(bench, vmid, points),
  "a volume is grown": (bench, vmid) => {
    const disk = ownVolume(bench, vmid, [...points, "rootfs"]);
    return disk && ask(bench, vmid, "PUT", "resize", { disk, size: "+1G" });
  },
  "a volume is moved": (bench, vmid) => {
    const volume = ownVolume(bench, vmid, [...points, "rootfs"]);
    const from = bench.guest(vmid).config[volume ?? ""]?.split(":")[0] ?? "";
    return volume && ask(bench, vmid, "POST", "move_volume", { volume, storage: others[from] ?? "nas", delete: "1" });
  },
  // The second one of a running container waits for a restart.
  "a new volume is mounted, or a second one requested": (bench, vmid) =>
    set(bench, vmid, { mp7: "local-lvm:1,mp=/by-hand" }),
  "a new volume is requested in the place of one": (bench, vmid) => {
    const slot = ownVolume(bench, vmid, points);
    const path = /mp=[^,]+/.exec(bench.guest(vmid).config[slot ?? ""] ?? "")?.[0];
    return slot && path && set(bench, vmid, { [slot]: `nas:2,${path}` });
  },
  "unused volumes are removed": (bench, vmid) => {
    const unused = Object.keys(bench.guest(vmid).config).filter((option) => option.startsWith("unused"));
    return unused.length > 0 && set(bench, vmid, { delete: unused.join() });
  },
  "a card is added": (bench, vmid) => set(bench, vmid, { net5: "name=eth5,bridge=vmbr1" }),
  "a card is removed": (bench, vmid) => remove(bench, vmid, ["net1", "net0"]),
  "notes and tags are changed": (bench, vmid) => set(bench, vmid, { description: "by hand \n", tags: "hand;made" }),
  ...meddlingsAround("lxc"),
  "the container is migrated": (bench, vmid) => {
    const target = bench.guest(vmid).node === "pve2" ? "pve3" : "pve2";
    return ask(bench, vmid, "POST", "migrate", { target, restart: "1" });
  },
  "the source is changed": (bench) => {
    for (const vmid of [9100, 9101, 9102]) {
      const { config } = bench.guest(vmid);
      Object.assign(config, { cores: "6", description: "another one", tags: "renewed", swap: "64" });
      delete config["timezone"];
    }
  },
} as const satisfies Record<string, Meddling>;

export type MeddlingName = keyof typeof meddlings;

/** After these the container can still become what its source makes. */
export const isHarmless = (name: string): boolean =>
  /^(nothing|the guest|the container is started|the source)/.test(name);
