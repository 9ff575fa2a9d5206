import type { GuestBase } from "../guest/base.ts";
import { containerCalls } from "./calls.ts";

export const containerBase: GuestBase = {
  noun: "container",
  title: "Container",
  type: "lxc",
  resource: "proxmox_container",
  subcategory: "Containers",
  calls: containerCalls,
};
