import { bpgShapes } from "./bpg/others.ts";
import type { Shape } from "./shape.ts";
import type { Entry } from "./tables.ts";
import { telmateShapes } from "./telmate/others.ts";

const shapes = { bpg: bpgShapes, telmate: telmateShapes };
const none: Shape = {};

export const shapeOf = ({ peer, kind, name }: Entry): Shape => (kind === "data" ? none : (shapes[peer][name] ?? none));
