import { isIP } from "node:net";
import { number, string } from "#framework";
import { group, inherits } from "./inherits.ts";

/** A network in CIDR form. */
export function cidr(text: string): string | undefined {
  const [address = "", prefix = "", ...more] = text.split("/");
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isNetwork = more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
  return isNetwork ? undefined : 'Must be a network such as "10.0.0.0/24".';
}

/** Notes: PVE keeps them without line feeds at their end, and shows one. */
export const remark = string({
  check: (text) => (text.length > 65_536 ? "Must have at most 65536 characters." : undefined),
  same: (a, b) => a.trimEnd() === b.trimEnd(),
});

/** A place on the earth, as the cluster and nodes have one. */
export const location = (doc: string) =>
  group(
    {
      latitude: {
        type: number({ min: -90, max: 90 }),
        mode: "required",
        wire: "location/latitude",
        doc: "Degrees north of the equator.",
      },
      longitude: {
        type: number({ min: -180, max: 180 }),
        mode: "required",
        wire: "location/longitude",
        doc: "Degrees east of Greenwich.",
      },
      name: inherits(
        string({
          check: (text) =>
            /^[^,\n]{0,128}$/.test(text) ? undefined : "Must be one line without commas, up to 128 characters.",
        }),
        "location/name",
        "Name of the place.",
      ),
    },
    doc,
  );
