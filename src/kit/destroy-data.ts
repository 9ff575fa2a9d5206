import type { ConditionalReplacement } from "#framework";

/** Of what an object with data is made with: the plan refuses a change until the data was given up. */
export const afterDestroyData = {
  when: "if `destroy_data = true` was applied before; otherwise the plan refuses it",
} as const satisfies ConditionalReplacement;
