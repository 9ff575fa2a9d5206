import { bytesOf, type ConfigDraft, inherits, type Members, oneOf, size, string } from "#kit";
import { formatOf, isAllocated, storageOf } from "../../guest/volume.ts";

const known = (read: (file: string) => unknown) => ({
  parse: (file: unknown) => (isAllocated(String(file)) ? read(String(file)) : undefined),
});

/** Where a drive's data lies: the same for disks, the EFI disk and the TPM's state. Changed by calls of their own. */
export const volume = {
  storage: inherits(string(), "{slot}/file", "Storage the volume lies on. Another one moves it, live if possible.", {
    as: { parse: (file) => storageOf(String(file)) },
    keep: { unless: ["volume"] },
    undo: "to_value",
    refers: "storage",
  }),
  format: inherits(oneOf(["raw", "qcow2", "vmdk"]), "{slot}/file", "Image format, where the storage offers a choice.", {
    as: known(formatOf),
    keep: { unless: ["storage", "volume"] },
    assigned: true,
    undo: "to_value",
  }),
  volume: inherits(
    string(),
    "{slot}/file",
    "The volume. Give it to attach one that exists; a slot that comes back gets its former volume automatically.",
    {
      as: { ...known((file) => file), print: (file) => file },
      // The size of another volume is another one.
      clears: ["{slot}/size"],
      keep: { unless: ["storage", "format"] },
      assigned: true,
      undo: "never",
    },
  ),
  size: inherits(size({ multipleOf: "K", min: "1K" }), "{slot}/file", "Size, such as `32G`. It can only grow.", {
    as: {
      parse: (file, sibling) => (isAllocated(String(file)) ? (sibling("size") ?? undefined) : undefined),
    },
    keep: { unless: ["volume"] },
    undo: "never",
  }),
} as const;

/** `<storage>:<GiB>` allocates, `<storage>:0,import-from=` copies, a volume's id attaches it. */
export function newVolume(draft: ConfigDraft, slot: string, desired: Members): void {
  const { storage, format, volume: attached, import_from: source, size: wanted } = desired;
  const write = (key: string, value: unknown) => draft.write({ option: slot, key }, value ?? null);
  if (typeof attached === "string") {
    write("file", attached);
    return;
  }
  const bytes = source ? 0 : (bytesOf(String(wanted ?? "1G")) ?? 0);
  write("file", `${String(storage)}:${gibibytes(bytes)}`);
  write("format", format);
  write("import-from", source);
}

/** PVE takes no exponent; 20 digits hold every multiple of 1 KiB exactly. */
const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(20).replace(/\.?0+$/, "");
