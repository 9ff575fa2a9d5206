import { guestList } from "./bpg/guest-lists.ts";
import { bpgShapes } from "./bpg/others.ts";
import type { Shape } from "./shape.ts";
import type { Entry } from "./tables.ts";
import { telmateShapes } from "./telmate/others.ts";

const shapes = { bpg: bpgShapes, telmate: telmateShapes };
const none: Shape = {};

const gone: Shape = { isDropped: true };

const dataShapes: Readonly<Record<string, Shape>> = {
  vms: guestList,
  containers: guestList,
  hagroup: gone,
  hagroups: gone,
};

export const shapeOf = ({ peer, kind, name }: Entry): Shape =>
  (kind === "data" ? dataShapes[name] : shapes[peer][name]) ?? none;
