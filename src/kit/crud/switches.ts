import { bool } from "#framework";

/** `enabled`, for an option of PVE's that says the opposite: left out, the object is enabled. */
export const disabled = (wire: string) =>
  ({
    type: bool(),
    mode: "optional_computed",
    keep: true,
    wire,
    as: { parse: (raw: unknown) => String(raw) !== "1", print: (on: unknown) => (on ? null : true) },
    absent: true,
  }) as const;
