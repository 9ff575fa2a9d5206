import { defineListResource } from "#kit";
import { guestList } from "../guest/data/list.ts";
import { vmBase } from "./base.ts";
import { vm } from "./vm.ts";

/** `list "proxmox_vm"` for `terraform query`. */
export const listVms = defineListResource({
  resource: vm,
  doc: "Virtual machines of the cluster, to be queried and imported.",
  ...guestList(vmBase),
});
