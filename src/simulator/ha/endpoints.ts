import { haGroupEndpoints } from "./groups.ts";
import { haResourceEndpoints } from "./resources.ts";
import { haRuleEndpoints } from "./rules.ts";
import { haStatusEndpoints } from "./status.ts";

export const haEndpoints = [...haStatusEndpoints, ...haResourceEndpoints, ...haRuleEndpoints, ...haGroupEndpoints];
