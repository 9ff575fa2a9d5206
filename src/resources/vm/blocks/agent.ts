import { bool, group, inherits, oneOf, parseDuration, string } from "#kit";

/** Server side: qemu-server `src/PVE/QemuServer/Agent.pm`. */
export const agent = {
  agent: group(
    {
      enabled: inherits(bool(), "agent/enabled", "Whether PVE talks to an agent in the guest.", {
        undo: "to_value",
      }),
      type: inherits(oneOf(["virtio", "isa"]), "agent/type", "How they talk."),
      trim: inherits(bool(), "agent/fstrim_cloned_disks", "Whether moved and cloned disks are trimmed."),
      freeze: inherits(bool(), "agent/freeze-fs", "Whether file systems are frozen for backups."),
      wait: {
        type: string({
          check: (text) => (parseDuration(text) === null ? "Must be a duration such as `2m`." : undefined),
        }),
        mode: "optional",
        local: true,
        doc: "How long to wait for an address after a start, such as `2m`. Not given: no waiting.",
      },
    },
    "The guest agent.",
  ),
} as const;
