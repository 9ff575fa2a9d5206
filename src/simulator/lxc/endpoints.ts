import { cloneEndpoint } from "./clone.ts";
import { createEndpoint } from "./create.ts";
import { destroyEndpoint } from "./destroy.ts";
import { containerPowerEndpoints } from "./power.ts";
import { containerReadEndpoints } from "./read.ts";
import { updateEndpoint } from "./update.ts";
import { containerVolumeEndpoints } from "./volumes.ts";

export const lxcEndpoints = [
  createEndpoint,
  ...containerReadEndpoints,
  updateEndpoint,
  cloneEndpoint,
  destroyEndpoint,
  ...containerPowerEndpoints,
  ...containerVolumeEndpoints,
];
