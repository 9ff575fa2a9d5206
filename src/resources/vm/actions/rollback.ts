import { rollbackAction } from "../../guest/actions/rollback.ts";
import { vmBase } from "../base.ts";

/** `proxmox_vm_rollback`. Server side: qemu-server `src/PVE/API2/Qemu.pm`, `rollback`. */
export const rollbackVm = rollbackAction(vmBase);
