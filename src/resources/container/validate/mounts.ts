import type { Members } from "#kit";
import type { ContainerValidate } from "../contexts.ts";

type Mount = Exclude<NonNullable<ContainerValidate["config"]["mounts"]>[string], undefined>;

/** Members that only a mount point has. */
const ofMountPoints = ["path", "backup", "keep_attributes"] as const;

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/** Checks each mount alone, and against the others. */
export function checkMounts({ config, report }: ContainerValidate): void {
  const paths = new Map<string, string>();
  // A copy is what its source is.
  const isUnprivileged = config.unprivileged === true || (config.unprivileged === null && Boolean(config.image));
  for (const [slot, mount] of Object.entries(config.mounts ?? {})) {
    if (!mount) continue;
    if (slot === "rootfs") checkRoot(report, mount);
    checkOrigin(report, slot, mount);
    if (mount.quota === true && isUnprivileged) {
      const detail = "User quotas work in privileged containers only. Remove `quota`, or set `unprivileged = false`.";
      report.error(["mounts", slot, "quota"], "Not in an unprivileged container", detail);
    }
    checkIdMap(report, slot, mount.id_map);
    const path = mount.path?.replace(/\/+$/, "");
    const other = path ? paths.get(path) : undefined;
    if (path && other !== undefined) {
      report.error(
        ["mounts", slot, "path"],
        "Path used twice",
        `\`${other}\` is mounted on \`${path}\` already. Choose another path.`,
      );
    }
    if (path) paths.set(path, slot);
  }
}

function checkRoot(report: ContainerValidate["report"], mount: Mount): void {
  for (const member of ofMountPoints) {
    if (!isGiven(mount[member])) continue;
    report.error(
      ["mounts", "rootfs", member],
      "Not for the root file system",
      `\`${member}\` is for mount points (\`mp0\` …) only. Remove it.`,
    );
  }
}

/** A volume that exists, a path of the host, or a new volume on a storage. */
function checkOrigin(report: ContainerValidate["report"], slot: string, mount: Mount): void {
  const path = (member: string) => ["mounts", slot, member];
  if (mount.host_path && (mount.volume || mount.storage || mount.size)) {
    const other = mount.volume ? "volume" : mount.storage ? "storage" : "size";
    report.error(
      path(other),
      "Two origins",
      `\`host_path\` mounts a path of the host, which has no \`${other}\`. Remove one of them.`,
    );
  }
  if (mount.volume && mount.storage && !mount.volume.startsWith(`${mount.storage}:`)) {
    report.error(path("storage"), "Another storage", `\`${mount.volume}\` is not on \`${mount.storage}\`.`);
  }
  if (mount.volume && !/^[A-Za-z][\w.-]*:[^\s:]+$/.test(mount.volume)) {
    const cure = mount.volume.startsWith("/")
      ? `Write \`host_path = "${mount.volume}"\`.`
      : "Write it as `storage:…`, such as `local-lvm:vm-101-disk-1`.";
    report.error(path("volume"), "Not a volume", `\`${mount.volume}\` is not a volume ID. ${cure}`);
  }
}

/** Ranges must not overlap, in the container or on the host (pve-container: src/PVE/LXC/Config.pm, `parse_idmap`). */
function checkIdMap(
  report: ContainerValidate["report"],
  slot: string,
  entries: readonly (string | undefined)[] | null | undefined,
): void {
  const path = ["mounts", slot, "id_map"];
  const known = (entries ?? []).filter((entry): entry is string => entry !== undefined);
  if (known.includes("passthrough") && known.length > 1) {
    report.error(path, "Contradictory map", "`passthrough` maps everything: it cannot have other entries beside it.");
    return;
  }
  const ranges = known.flatMap((entry) => {
    const [, kind, inside, outside, count] = /^([ug]):(\d+):(\d+):(\d+)$/.exec(entry) ?? [];
    return kind === undefined
      ? []
      : [{ entry, kind, inside: Number(inside), outside: Number(outside), count: Number(count) }];
  });
  for (const [index, one] of ranges.entries()) {
    const other = ranges.slice(0, index).find((before) => before.kind === one.kind && overlap(before, one));
    if (other)
      report.error(
        path,
        "Contradictory map",
        `\`${one.entry}\` and \`${other.entry}\` map the same ids. Make their ranges distinct.`,
      );
  }
}

interface Range extends Members {
  readonly inside: number;
  readonly outside: number;
  readonly count: number;
}

const overlap = (a: Range, b: Range): boolean =>
  (a.inside < b.inside + b.count && b.inside < a.inside + a.count) ||
  (a.outside < b.outside + b.count && b.outside < a.outside + a.count);
