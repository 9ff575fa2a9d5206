import { group, inherits, type Members, oneOf } from "#kit";
import { newVolume, volume } from "./volume.ts";

const { storage, format, volume: volid } = volume;
const slot = "tpmstate0";
const at = <T extends { readonly wire: string }>(attribute: T) => ({
  ...attribute,
  wire: attribute.wire.replace("{slot}", slot),
});

/** Server side: qemu-server `src/PVE/QemuServer/Drive.pm`. */
export const tpmState = {
  tpm_state: group(
    {
      storage: at(storage),
      format: at(format),
      volume: at(volid),
      version: inherits(
        oneOf(["v1.2", "v2.0"]),
        "tpmstate0/version",
        "Version of the TPM. It cannot be changed later.",
        { undo: "never" },
      ),
    },
    "A Trusted Platform Module.",
    {
      custom: {
        patch(draft, desired) {
          if (desired === null) draft.set(slot, null);
          else if (draft.read({ option: slot, key: "file" }) === null) newVolume(draft, slot, desired as Members);
        },
      },
    },
  ),
} as const;
