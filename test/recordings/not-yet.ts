/** Scenarios in which the simulator still answers differently. The list only ever gets shorter. */
export const notYet: readonly string[] = [];
