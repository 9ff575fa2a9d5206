import { endpoint } from "../../core/kernel/endpoint.ts";
import { die } from "../../core/kernel/failure.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process } from "../../core/kernel/process.ts";
import { string } from "../../core/schema/schema.ts";
import { node, skipLock, vmid } from "../../core/schema/standard-options.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { getVm, withConfigLock } from "../vm.ts";

// QEMU's own console. The simulated processes have none: an allowed command does nothing.

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Harmless commands. */
const freeCommands = words("? help info");

/** Commands that require the privilege to modify the whole system (qemu-server `src/PVE/API2/Qemu/HMPPerms.pm`). */
const modifyingCommands = words(`
  announce_self backup_cancel balloon block_job_cancel block_job_complete block_job_pause block_job_resume
  block_job_set_speed block_resize block_set_io_throttle boot_set c calc_dirty_rate cancel_vcpu_dirty_limit
  chardev-send-break closefd commit cont cpu delvm eject exit_preconfig expire_password getfd gpa2hpa gpa2hva gva2gpa i
  loadvm log migrate_cancel migrate_continue migrate_pause migrate_set_capability migrate_set_parameter
  migrate_start_postcopy mouse_button mouse_move mouse_set one-insn-per-tb p print q qemu-io qom-get qom-list quit
  replay_break replay_delete_break replay_seek ringbuf_read ringbuf_write s savevm sendkey set_link set_password
  set_vcpu_dirty_limit snapshot_blkdev_internal snapshot_delete_blkdev_internal stop stopcapture sum sync-profile
  system_powerdown system_reset system_wakeup trace-event x x_colo_lost_heartbeat xp
`);

const rootCommands = words(`
  backup block_stream change chardev-add chardev-change chardev-remove client_migrate_info device_add device_del drive_add
  drive_backup drive_del drive_mirror dump-guest-memory dumpdtb gdbserver hostfwd_add hostfwd_remove logfile mce memsave
  migrate migrate_incoming migrate_recover nbd_server_add nbd_server_remove nbd_server_start nbd_server_stop netdev_add
  netdev_del nmi o object_add object_del pcie_aer_inject_error pmemsave qom-set savevm-end savevm-start screendump
  snapshot_blkdev watchdog_action wavcapture xen-event-inject xen-event-list
`);

function checkCommand({ caller }: Process, command: string): void {
  if (command === "" || command === "0") {
    die("no command specified");
  }
  const [, name] = /^\s*(\S+)/.exec(command) ?? die(`unexpected command '${command}'`);
  if (name === undefined || caller.isRoot || freeCommands.has(name)) {
    return;
  }
  if (modifyingCommands.has(name)) {
    caller.check("/", ["Sys.Modify"]);
  } else if (rootCommands.has(name)) {
    die(`root-only command '${name}'`);
  } else {
    die(`command '${name}' non-existent or not assigned a required permission yet, limiting to root user`);
  }
}

export const monitorEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/monitor",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/vms/{vmid}", ["Sys.Audit", "Sys.Modify"], { any: true }] },
    parameters: { node, vmid, command: string() },
    handler: (call) => {
      const { vmid: id, command } = call.params;
      checkCommand(call, command);
      return getVm(call, id).run === undefined ? `ERROR: VM ${id} not running\n` : "";
    },
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/qemu/{vmid}/sendkey",
    ...onGuest("VM.Console"),
    parameters: { node, vmid, skiplock: skipLock, key: string() },
    handler: async (call) => {
      const { vmid: id, skiplock } = call.params;
      requireRootFor(call.caller, "skiplock", skiplock);
      await withConfigLock(call, id, () => {
        if (getVm(call, id).run === undefined) {
          die(`VM ${id} not running`);
        }
      });
      return null;
    },
  }),
];
