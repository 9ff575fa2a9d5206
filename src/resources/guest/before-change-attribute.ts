import { type Attributes, bool, int, nested } from "#kit";

/** What is done before a guest is changed. `more` is what only one kind has. */
export const beforeChange = <const M extends Attributes>(noun: string, more: M) =>
  ({
    before_change: {
      type: nested({
        snapshot: {
          type: bool(),
          mode: "required",
          doc: `Whether a snapshot is taken before an apply changes the settings, the disks or the node of the ${noun}. It is named by the time, such as \`tf-before-20260101-120000\`.`,
        },
        keep: {
          type: int({ min: 1, max: 100 }),
          mode: "optional",
          doc: "How many of these snapshots are kept: after a successful change the oldest ones are removed, and no others. Default: 3.",
        },
        ...more,
      }),
      mode: "optional",
      local: true,
      doc: `What is done before the ${noun} is changed. The plan announces it, and refuses a change that a snapshot would prevent. Changes that Proxmox VE does not see, and those of power, pool and HA alone, take no snapshot. To go back, use the action \`${noun === "VM" ? "proxmox_vm_rollback" : "proxmox_container_rollback"}\`, or Rollback in the web interface.`,
    },
  }) as const;
