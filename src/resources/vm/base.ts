import type { GuestBase } from "../guest/base.ts";
import { vmCalls } from "./calls.ts";

export const vmBase: GuestBase = {
  noun: "VM",
  title: "VM",
  type: "qemu",
  resource: "proxmox_vm",
  subcategory: "Virtual machines",
  calls: vmCalls,
};
