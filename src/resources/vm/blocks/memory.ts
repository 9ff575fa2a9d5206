import { bool, group, inherits, int, mebibytes, oneOf, size } from "#kit";

/** Server side: qemu-server `src/PVE/QemuServer/Memory.pm`. */
export const memory = {
  memory: group(
    {
      size: inherits(size({ multipleOf: "M", min: "16M" }), "memory/current", "Memory, such as `8G`.", {
        as: mebibytes,
      }),
      balloon: inherits(
        size({ multipleOf: "M" }),
        "balloon",
        "What the guest keeps at least when the host is short of memory; `0` removes the balloon device.",
        { as: mebibytes },
      ),
      shares: inherits(int({ min: 0, max: 50_000 }), "shares", "Weight against other guests when memory is short."),
      hugepages: inherits(oneOf(["any", "2", "1024"]), "hugepages", "Size of huge pages in MiB. Needs `root@pam`."),
      keep_hugepages: inherits(bool(), "keephugepages", "Whether huge pages outlive the guest. Needs `root@pam`."),
      ksm: inherits(bool(), "allow-ksm", "Whether pages may be shared with other guests."),
    },
    "Memory.",
  ),
} as const;
