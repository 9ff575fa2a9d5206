import { bool, group, inherits, matches, set, string } from "#kit";

const fileSystem = matches(/^[a-zA-Z0-9_]+$/, "the type of a file system such as `nfs`");

/** Server side: pve-container `src/PVE/LXC/Config.pm`, `$features_desc`. */
export const features = {
  features: group(
    {
      nesting: inherits(bool(), "features/nesting", "Whether containers can run inside; what systemd of today needs."),
      fuse: inherits(bool(), "features/fuse", "Whether FUSE file systems are allowed. Needs `root@pam`."),
      keyctl: inherits(
        bool(),
        "features/keyctl",
        "Whether unprivileged containers may use `keyctl()`, as Docker needs. Needs `root@pam`.",
      ),
      mknod: inherits(bool(), "features/mknod", "Whether device nodes may be made. Needs `root@pam`."),
      mount: inherits(
        set(string({ check: fileSystem })),
        "features/mount",
        "Types of file systems that may be mounted, such as `nfs`. Needs `root@pam`.",
      ),
      force_rw_sys: inherits(bool(), "features/force_rw_sys", "Whether `/sys` is writable. Needs `root@pam`."),
    },
    "What the container may do. In privileged containers, all of them need `root@pam`.",
  ),
} as const;
