import { group, inherits, int, oneOf } from "#kit";

/** Server side: qemu-server `src/PVE/QemuServer/RNG.pm`. */
export const rng = {
  rng: group(
    {
      source: inherits(oneOf(["/dev/urandom", "/dev/random", "/dev/hwrng"]), "rng0/source", "Where it comes from.", {
        undo: "to_value",
      }),
      max_bytes: inherits(int({ min: 0 }), "rng0/max_bytes", "Bytes per period; `0` is no limit."),
      period: inherits(int({ min: 0 }), "rng0/period", "Length of the period in milliseconds."),
    },
    "Randomness for the guest.",
  ),
} as const;
