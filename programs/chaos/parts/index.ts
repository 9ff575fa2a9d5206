import { Dice } from "../dice.ts";
import type { Part } from "../part.ts";
import { access } from "./access.ts";
import { containers } from "./containers.ts";
import { disks } from "./disks.ts";
import { firewall } from "./firewall.ts";
import { interfaces } from "./interfaces.ts";
import { sdn } from "./sdn.ts";
import { stacks } from "./stacks.ts";
import { vms } from "./vms.ts";

/** What a life may be composed of. */
export const allParts: readonly Part[] = [vms, containers, disks, sdn, interfaces, firewall, access, stacks];

/** Three kinds of objects in one life: as many as its few faults can disturb. */
export function mixtureOf(seed: number): readonly Part[] {
  const dice = new Dice(seed);
  const left = [...allParts];
  const drawn = [1, 2, 3].flatMap(() => left.splice(dice.int(0, left.length - 1), 1));
  return allParts.filter((part) => drawn.includes(part));
}
