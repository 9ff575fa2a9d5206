import { defineListResource } from "#kit";
import { guestList } from "../guest/data/list.ts";
import { containerBase } from "./base.ts";
import { container } from "./container.ts";

/** `list "proxmox_container"` for `terraform query`. */
export const listContainers = defineListResource({
  resource: container,
  doc: "Containers of the cluster, to be queried and imported.",
  ...guestList(containerBase),
});
