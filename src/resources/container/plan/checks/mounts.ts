import { bytesOf, type ConfigDraft } from "#kit";
import { type Change, isKnown } from "../../../guest/plan/checks/change.ts";
import { isAllocated } from "../../../guest/volume.ts";
import type { ContainerPlan } from "../../contexts.ts";
import { families, isHostPath, isMountSlot, volumeAt } from "../../slots.ts";

/** A new mount must say where it is and how large; one that exists can only grow. */
export function checkMounts(context: ContainerPlan, { before, after }: Change): void {
  const { config, report, prior } = context;
  for (const [slot, mount] of Object.entries(config.mounts ?? {})) {
    if (!mount) continue;
    if (before.has(slot)) checkPresent(context, slot, before);
    else checkNew(context, slot);
    if (
      slot !== "rootfs" &&
      isKnown(context, ["mounts", slot, "path"]) &&
      after.read({ option: slot, key: "mp" }) === null
    ) {
      report.error(
        ["mounts", slot, "path"],
        "Path needed",
        `Say where \`${slot}\` is mounted in the container, such as \`/var/lib/data\`.`,
      );
    }
  }
  const isImage = prior === null && config.clone === null && config.restore === null;
  if (isImage && config.mounts !== undefined && !config.mounts?.["rootfs"]) {
    report.error(
      "mounts",
      "Root file system needed",
      'Say where the root file system is: `mounts = { rootfs = { storage = "local-lvm", size = "8G" } }`.',
    );
  }
  checkVolumes(context, after);
  checkProtected(context, before, after);
}

/** PVE stores a volume in two slots without an error; a file system that is mounted twice is damaged. */
function checkVolumes({ config, report }: ContainerPlan, after: ConfigDraft): void {
  const isVolume = (slot: string) => !isHostPath(volumeAt(after, slot)) && isAllocated(volumeAt(after, slot));
  const byVolume = Map.groupBy(after.slots(families.volumes).filter(isVolume), (slot) => volumeAt(after, slot));
  for (const [volume, slots] of byVolume) {
    const touched = slots.filter((slot) => slot in after.patch.set && config.mounts?.[slot]?.volume === volume);
    for (const slot of touched.filter((_, index) => slots.length > touched.length || index > 0)) {
      const holder = slots.find((other) => other !== slot && !touched.includes(other)) ?? touched[0];
      const detail = `\`${volume}\` is in \`${holder}\` already, and a volume can be in one slot only. Choose another volume, or write \`storage\` and \`size\` for a new one.`;
      report.error(["mounts", slot, "volume"], "Volume used twice", detail);
    }
  }
}

function checkPresent({ config, planned, report }: ContainerPlan, slot: string, before: ConfigDraft): void {
  const mount = config.mounts?.[slot];
  const now = before.read({ option: slot, key: "size" });
  const present = volumeAt(before, slot);
  const path = (member: string) => ["mounts", slot, member];
  // If the volume was grown outside of Terraform, the plan keeps its size.
  const size = mount?.size && (planned.mounts?.[slot]?.size ?? mount.size);
  const [wanted, current] = [size ? bytesOf(size) : null, typeof now === "string" ? bytesOf(now) : null];
  const isSame = mount?.volume === null || mount?.volume === present;
  if (isSame && wanted !== null && current !== null && wanted < current) {
    report.error(
      path("size"),
      "Disks cannot shrink",
      `\`${slot}\` is ${now} and cannot become ${mount?.size}. Make it at least ${now}.`,
    );
  }
  const isOther = (mount?.volume && mount.volume !== present) || (mount?.host_path && mount.host_path !== present);
  if (slot === "rootfs" && isOther) {
    report.error(
      path(mount?.volume ? "volume" : "host_path"),
      "Fixed when it was made",
      `The root file system is \`${present}\` and cannot be replaced by another one. Remove the line.`,
    );
  }
  if (isHostPath(present) && (mount?.storage || mount?.size) && !mount.volume) {
    report.error(
      path("storage"),
      "Two origins",
      `\`${slot}\` is \`${present}\` of the host. Use another slot for a new volume, and remove this one.`,
    );
  }
}

function checkNew({ config, planned, report }: ContainerPlan, slot: string): void {
  const mount = config.mounts?.[slot];
  const path = (member: string) => ["mounts", slot, member];
  // A slot that comes back may get the volume it had.
  if (!mount || mount.volume !== null || mount.host_path !== null || planned.mounts?.[slot]?.volume) return;
  if (mount.storage === null) {
    report.error(path("storage"), "Storage needed", `\`${slot}\` is a new volume: say which storage it is to be on.`);
  }
  if (mount.size === null) {
    report.error(path("size"), "Size needed", `\`${slot}\` is a new volume: say how large it is to be.`);
  }
}

/** PVE changes no mount of a protected container (pve-container: src/PVE/LXC/Config.pm, `update_pct_config`). */
function checkProtected({ report }: ContainerPlan, before: ConfigDraft, after: ConfigDraft): void {
  const isProtected = [before, after].every((draft) => Number(draft.raw("protection") ?? 0) === 1);
  const changed = Object.keys(after.patch.set).filter(isMountSlot);
  if (!isProtected || changed.length === 0) return;
  const slots = changed.map((slot) => `\`${slot}\``).join(", ");
  report.error(
    "protection",
    "Container is protected",
    `${slots} would change, which \`protection\` forbids. Set \`protection = false\` for this change, and again to true after it.`,
  );
}
