import type { Part } from "../part.ts";
import { access } from "./access.ts";
import { containers } from "./containers.ts";
import { disks } from "./disks.ts";
import { firewall } from "./firewall.ts";
import { interfaces } from "./interfaces.ts";
import { sdn } from "./sdn.ts";
import { vms } from "./vms.ts";

/** What a life may be composed of. */
export const allParts: readonly Part[] = [vms, containers, disks, sdn, interfaces, firewall, access];
