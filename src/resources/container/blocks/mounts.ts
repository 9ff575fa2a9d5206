import {
  bool,
  bytesOf,
  type ConfigDraft,
  inherits,
  list,
  type Members,
  matches,
  oneOf,
  set,
  size,
  slotted,
  string,
} from "#kit";
import { isAllocated, storageOf } from "../../guest/volume.ts";
import { families, isHostPath, volumeAt } from "../slots.ts";
import { hostPath, mountPath } from "../validate/paths.ts";

const known = (read: (volume: string) => unknown) => ({
  parse(volume: unknown) {
    const text = String(volume);
    if (isHostPath(text)) return null;
    return isAllocated(text) ? read(text) : undefined;
  },
});

const idMap = matches(/^(passthrough|[ug]:\d+:\d+:[1-9]\d*)$/, "`passthrough`, or an entry such as `u:1000:1000:1`");

/** `<storage>:<GiB>` allocates; a volume's id, or a path of the host, is attached. */
function newMount(draft: ConfigDraft, slot: string, desired: Members): void {
  const { storage, volume, host_path: path, size: wanted } = desired;
  const existing = volume ?? path;
  const gibibytes = (bytesOf(String(wanted ?? "4G")) ?? 0) / 2 ** 30;
  draft.write({ option: slot, key: "volume" }, existing ?? `${String(storage)}:${gibibytes}`);
}

/** Three members are stored in one place, so that none of them is written alone. */
function attach(draft: ConfigDraft, desired: unknown): void {
  for (const [slot, mount] of Object.entries((desired ?? {}) as Readonly<Record<string, Members | null>>)) {
    const wanted = mount?.["volume"] || mount?.["host_path"];
    if (typeof wanted !== "string" || !draft.has(slot) || volumeAt(draft, slot) === wanted) continue;
    draft.write({ option: slot, key: "volume" }, wanted);
    // The size of another volume is another one; PVE writes it into the line.
    draft.write({ option: slot, key: "size" }, null);
  }
}

/** Server side: pve-container `src/PVE/LXC/Config.pm`, `$rootfs_desc` and `$mp_desc`. */
export const mounts = {
  mounts: {
    ...slotted(
      { families: families.volumes, needsSetting: true, begin: newMount },
      {
        storage: inherits(
          string(),
          "{slot}/volume",
          "Storage of the volume. Another one moves it, which needs a stopped container.",
          {
            as: known(storageOf),
            keep: { unless: ["volume", "host_path"] },
            undo: "to_value",
            refers: "storage",
          },
        ),
        volume: inherits(
          string(),
          "{slot}/volume",
          "The volume. Give it to mount one that exists; a slot that comes back gets the volume it had automatically.",
          {
            as: known((volume) => volume),
            keep: { unless: ["storage", "host_path"] },
            assigned: true,
            undo: "never",
          },
        ),
        host_path: inherits(
          string({ check: hostPath }),
          "{slot}/volume",
          "Directory of the host to mount (a bind mount), or a block device below `/dev`. Never deleted. Needs `root@pam`.",
          {
            as: { parse: (volume) => (isHostPath(String(volume)) ? volume : null) },
            keep: { unless: ["storage", "volume"] },
            undo: "never",
          },
        ),
        size: inherits(size({ multipleOf: "M", min: "1M" }), "{slot}/volume", "Size, such as `8G`. It can only grow.", {
          as: {
            parse(volume, sibling) {
              const text = String(volume);
              if (isHostPath(text)) return null;
              return isAllocated(text) ? (sibling("size") ?? undefined) : undefined;
            },
          },
          keep: { unless: ["volume", "host_path"] },
          undo: "never",
        }),
        path: inherits(
          string({ check: mountPath }),
          "{slot}/mp",
          "Path in the container, such as `/var/lib/data`; not for `rootfs`.",
          {
            undo: "to_value",
          },
        ),
        on_remove: {
          type: oneOf(["detach", "delete"]),
          mode: "optional",
          local: true,
          doc: "What becomes of the data when the slot leaves the map: `detach` (default) keeps it as an unused volume. Directories of the host are never touched.",
        },
        read_only: inherits(bool(), "{slot}/ro", "Whether it is mounted for reading only."),
        backup: inherits(bool(), "{slot}/backup", "Whether backups contain it; `rootfs` is always in them."),
        replicate: inherits(bool(), "{slot}/replicate", "Whether replication jobs copy it."),
        shared: inherits(bool(), "{slot}/shared", "Whether it is there on every node, though PVE cannot know."),
        quota: inherits(bool(), "{slot}/quota", "Whether user quotas are enabled; only in privileged containers."),
        acl: inherits(
          bool(),
          "{slot}/acl",
          "Whether access control lists are enabled; the file system's own default when not given.",
        ),
        options: inherits(
          set(oneOf(["discard", "lazytime", "noatime", "nodev", "noexec", "nosuid"])),
          "{slot}/mountoptions",
          "Mount options.",
        ),
        keep_attributes: inherits(
          bool(),
          "{slot}/keepattrs",
          "Whether owner and mode of the directory it is mounted on are kept.",
        ),
        id_map: inherits(
          list(string({ check: idMap })),
          "{slot}/idmap",
          "Users and groups of the container and of the host that are the same here: entries `u:CONTAINER:HOST:COUNT` and `g:…`, or `passthrough` alone.",
        ),
      },
      "The root file system (`rootfs`) and mount points (`mp0` to `mp255`) by slot. A slot that is not mentioned is left alone, one that came with the clone is patched, a new one is created.",
    ),
    custom: { patch: attach },
  },
} as const;
