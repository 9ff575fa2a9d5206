import { expect, test } from "vitest";
import { type WiredAttribute, wiresOf } from "#kit";
import { settings } from "../../../../src/resources/vm/attributes.ts";
import { requestOptions } from "../../../../src/simulator/qemu/config/options.ts";

/** Options without an attribute, and the reason. */
const leftOut: readonly (readonly [RegExp, string])[] = [
  [/^(autostart|smp)$/, "PVE ignores it"],
  [/^(boot\/legacy|bootdisk)$/, "the old form of `boot_order`, which replaces it"],
  [/^cdrom\//, "another name of `ide2`"],
  [/^lock$/, "not a setting: PVE locks"],
  [/^unused0\//, "not a setting: shown by `unused_disks`"],
  [/^cpu\/reported-model$/, "for custom processor models only"],
  [/^startup$|^template$|^smbios1\/base64$/, "written by hand, with attributes of their own"],
  [/\/(format|size|import-from)$/, "written by hand when the volume is made, moved or grown"],
  [/\/media$/, "follows from the map that contains the drive"],
  [/\/bps(_rd|_wr)?$/, "`mbps` in a smaller unit"],
];

/** Settings of disks are in one map for all buses; validation checks which bus has which setting. */
const disksOfOtherBuses = /^(ide|sata|scsi|virtio)0\//;

const isLeftOut = (place: string) => leftOut.some(([pattern]) => pattern.test(place));

/** `scsi7` represents all of its kind; `smbios1` is a name. */
const kindOf = (option: string) => (option === "smbios1" ? option : option.replace(/\d+$/, "0"));

/** Every option of PVE, with every sub-key where it is packed: `cores`, `net0/bridge`. */
const known = Object.entries(requestOptions).flatMap(([option, schema]) => {
  const { format } = schema as { format?: { properties?: Record<string, { alias?: string }> } };
  const keys = Object.entries(format?.properties ?? {}).flatMap(([key, { alias }]) =>
    alias === undefined ? [key] : [],
  );
  return keys.length === 0 ? [kindOf(option)] : keys.map((key) => `${kindOf(option)}/${key}`);
});

/** Every option that an attribute writes to. */
const said = (Object.entries(settings) as [string, WiredAttribute][]).flatMap(([name, attribute]) => {
  const families = Object.keys(attribute.slots?.families ?? {});
  const wires = wiresOf({ [name]: attribute }).map(({ wire }) => wire.replace("{n}", "0"));
  if (families.length === 0) return wires;
  return families.flatMap((family) => [`${family}0`, ...wires.map((wire) => wire.replace("{slot}", `${family}0`))]);
});

test("every setting of PVE has an attribute, or a reason why not", () => {
  expect([...new Set(known)].filter((place) => !said.includes(place) && !isLeftOut(place))).toEqual([]);
});

test("every exception is an option of PVE", () => {
  expect(leftOut.filter(([pattern]) => !known.some((place) => pattern.test(place)))).toEqual([]);
});

test("every attribute writes to an option of PVE", () => {
  const isKnown = (place: string) =>
    known.some((one) => one === place || one.startsWith(`${place}/`) || one === place.split("/")[0]);
  expect([...new Set(said)].filter((place) => !isKnown(place) && !disksOfOtherBuses.test(place))).toEqual([]);
});
