import { bool, group, inherits, type Members, oneOf } from "#kit";
import { newVolume, volume } from "./volume.ts";

const { storage, format, volume: volid } = volume;
const slot = "efidisk0";
const at = <T extends { readonly wire: string }>(attribute: T) => ({
  ...attribute,
  wire: attribute.wire.replace("{slot}", slot),
});

/** Server side: qemu-server `src/PVE/QemuServer/OVMF.pm`. */
export const efiDisk = {
  efi_disk: group(
    {
      storage: at(storage),
      format: at(format),
      volume: at(volid),
      type: inherits(oneOf(["2m", "4m"]), "efidisk0/efitype", "Size of the firmware. It cannot be changed later.", {
        undo: "never",
      }),
      pre_enrolled_keys: inherits(bool(), "efidisk0/pre-enrolled-keys", "Whether Secure Boot starts with keys.", {
        undo: "never",
      }),
      ms_cert: inherits(
        oneOf(["2011", "2023", "2023w", "2023k"]),
        "efidisk0/ms-cert",
        "Which Microsoft certificates are enrolled; PVE notes the newest it has.",
        { assigned: true, undo: "never" },
      ),
    },
    'Where the firmware keeps its settings, for `bios = "ovmf"`.',
    {
      custom: {
        patch(draft, desired) {
          if (desired === null) draft.set(slot, null);
          else if (!isVolumeThere(draft.raw(slot))) newVolume(draft, slot, desired as Members);
        },
      },
    },
  ),
} as const;

/** The settings are written before the volume, so a line may be there without one. */
const isVolumeThere = (line: string | number | null): boolean => /(^|file=)[^,=]+:/.test(String(line ?? ""));
