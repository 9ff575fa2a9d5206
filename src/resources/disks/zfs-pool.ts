import { bpg, int, list, nested, nullable, number, oneOf, string } from "#kit";
import { defineDiskUse } from "./define-disk-use.ts";
import type { Values } from "./kind.ts";

/** The fewest disks of each level (pve-storage: src/PVE/API2/Disks/ZFS.pm). */
const fewest = {
  single: 1,
  mirror: 2,
  raid10: 4,
  raidz: 3,
  raidz2: 4,
  raidz3: 5,
  draid: 3,
  draid2: 4,
  draid3: 5,
} as const;

type Level = keyof typeof fewest;

const devicesOf = (values: Values): readonly string[] | undefined => {
  const devices = (values["devices"] ?? undefined) as readonly (string | undefined)[] | undefined;
  return devices?.includes(undefined) ? undefined : (devices as readonly string[] | undefined);
};

/** `proxmox_node_zfs_pool`. Server side: pve-storage `src/PVE/API2/Disks/ZFS.pm`. */
export const nodeZfsPool = defineDiskUse({
  type: "proxmox_node_zfs_pool",
  use: "zfs",
  task: "zfs",
  noun: "ZFS pool",
  doc: "A ZFS pool on disks of a node. The disks must be unused: the plan refuses any other. Needs `Sys.Modify` and `Sys.Audit` on `/`.",
  nameDoc: "Name of the pool.",
  attributes: {
    devices: {
      type: list(string(), { min: 1 }),
      mode: "required",
      local: true,
      doc: "Paths of the disks; `/dev/disk/by-id/…` stays the same when disks are added. `data.proxmox_node_disks` lists them.",
    },
    raid_level: {
      type: oneOf(Object.keys(fewest) as [Level, ...Level[]]),
      mode: "required",
      local: true,
      doc: "How the disks are combined: `single` (one disk), `mirror` (2 or more), `raid10` (4 or more, in pairs), `raidz` (3 or more), `raidz2` (4), `raidz3` (5), `draid` (3), `draid2` (4), `draid3` (5).",
    },
    ashift: {
      type: int({ min: 9, max: 16 }),
      mode: "optional",
      local: true,
      doc: "Size of sectors as a power of two. Left out: 12, which is 4096 bytes.",
    },
    compression: {
      type: oneOf(["on", "off", "gzip", "lz4", "lzjb", "zle", "zstd"]),
      mode: "optional",
      local: true,
      doc: "Compression of the data. Left out: `on`.",
    },
    draid: {
      type: nested({
        data: { type: int({ min: 1 }), mode: "required", doc: "Data disks in each group." },
        spares: { type: int({ min: 0 }), mode: "required", doc: "Spare disks." },
      }),
      mode: "optional",
      local: true,
      doc: "Layout of `draid`, `draid2` and `draid3`. Left out: as ZFS chooses.",
    },
    size_bytes: { type: nullable(number()), mode: "computed", keep: true, volatile: true, doc: "Its size." },
    health: {
      type: nullable(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      doc: "Its health, such as `ONLINE` or `DEGRADED`.",
    },
  },
  disksOf: devicesOf,
  disksAttribute: "devices",
  // Its `cleanup_disks` stays behind: whether data is destroyed is said anew.
  movedFrom: [
    bpg("node_disk_zfs", {
      node: "node_name",
      name: "name",
      devices: "devices",
      raid_level: "raidlevel",
      ashift: "ashift",
      compression: "compression",
      "draid.data": "draid_config.data",
      "draid.spares": "draid_config.spares",
    }),
  ],

  validate(values, report) {
    const [level, devices] = [values["raid_level"] as Level | undefined, devicesOf(values)];
    if (level !== undefined && values["draid"] && !level.startsWith("draid")) {
      report.error(
        ["draid"],
        "Only for dRAID",
        `\`draid\` is the layout of dRAID, and \`raid_level\` is \`${level}\`.`,
      );
    }
    if (level === undefined || devices === undefined) return;
    const count = devices.length;
    const isWrong =
      (level === "single" && count !== 1) || (level === "raid10" && count % 2 !== 0) || count < fewest[level];
    if (!isWrong) return;
    const wanted = { single: "exactly one disk", raid10: "an even number of disks, at least 4" } as Partial<
      Record<Level, string>
    >;
    const detail = `\`${level}\` takes ${wanted[level] ?? `at least ${fewest[level]} disks`}, and there are ${count}.`;
    report.error(["devices"], "Number of disks", detail);
  },
  request(values) {
    const draid = values["draid"] as { data: number; spares: number } | null;
    return {
      devices: (devicesOf(values) ?? []).join(","),
      raidlevel: String(values["raid_level"]),
      ...(values["ashift"] ? { ashift: Number(values["ashift"]) } : {}),
      ...(values["compression"] ? { compression: String(values["compression"]) } : {}),
      ...(draid && { "draid-config": `data=${draid.data},spares=${draid.spares}` }),
    };
  },
  async find(api, node, name, signal) {
    const found = (await api.nodeDisks.listZfsPools(node, { signal })).find((pool) => pool.name === name);
    return found === undefined ? null : { size_bytes: found.size ?? null, health: found.health ?? null };
  },
  isUsedBy: ({ type, pool }, name) => type === "zfspool" && (pool === name || String(pool).startsWith(`${name}/`)),
});
