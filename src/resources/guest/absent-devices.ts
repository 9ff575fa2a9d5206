import {
  type ConfigDraft,
  type Families,
  isSlot,
  type Members,
  type Report,
  set,
  string,
  type WiredAttribute,
} from "#kit";

interface Devices {
  /** Slots of devices without data: a volume is detached by its own map. */
  readonly families: Families;
  readonly example: string;
  removeSlot(draft: ConfigDraft, slot: string): void;
}

/** Devices that a guest must not have: a map of slots leaves alone what it does not mention, also what came with a clone. */
export const absentDevices = ({ families, example, removeSlot }: Devices) =>
  ({
    absent_devices: {
      type: set(
        string({
          check: (text) => (isSlot(text, families) ? undefined : `Must be a slot of a device, such as \`${example}\`.`),
        }),
      ),
      mode: "optional",
      undo: "ignore",
      doc: `Slots of devices that it must not have, such as \`${example}\`: one that came with the clone source, or that others add, is removed. Disks are not among them. Conflicts with the same slot in its map.`,
      custom: {
        parse: () => null,
        patch(draft: ConfigDraft, value: unknown) {
          const present = ((value ?? []) as readonly string[]).filter((slot) => draft.has(slot));
          for (const slot of present) removeSlot(draft, slot);
        },
      },
    },
  }) as const;

/** Of the slots that should be empty, those that are. */
export function emptySlots(draft: ConfigDraft, { absent_devices: wanted }: Members): unknown {
  return Array.isArray(wanted) ? wanted.filter((slot: string) => !draft.has(slot)) : null;
}

interface Validate {
  readonly config: object;
  readonly report: Pick<Report<"absent_devices">, "error">;
}

/** A slot cannot be empty and have a device. */
export function checkAbsent({ config, report }: Validate, settings: Readonly<Record<string, WiredAttribute>>): void {
  const { absent_devices: absent, ...given } = config as Members;
  if (!Array.isArray(absent)) return;
  for (const name of Object.keys(settings).filter((one) => settings[one]?.slots !== undefined)) {
    const both = absent.filter((slot) => typeof slot === "string" && (given[name] as Members | null)?.[slot]);
    for (const slot of both) {
      report.error("absent_devices", "Device is wanted and absent", `\`${slot}\` is in \`${name}\`, too.`);
    }
  }
}
