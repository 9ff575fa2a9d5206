import { string } from "#kit";

/** The node that settings belong to. */
export const node = {
  type: string(),
  mode: "required",
  wire: "node",
  refers: "node",
  replace: true,
  doc: "Name of the node.",
} as const;
