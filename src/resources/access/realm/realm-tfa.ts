import { int, matches, nested, oneOf, type Report, string } from "#kit";
import { version } from "./directory-members.ts";

const word = matches(/^[^\s,=]+$/, "a text without blanks, commas and `=`");

/** PVE's `tfa` of a realm (pve-access-control: src/PVE/Auth/Plugin.pm, `pve-tfa-config`). */
export const realmTfa = {
  type: nested({
    type: {
      type: oneOf(["oath", "yubico"]),
      mode: "required",
      wire: "tfa/type",
      doc: "`oath` (codes of an app) or `yubico` (a YubiKey).",
    },
    digits: {
      type: int({ min: 6, max: 8 }),
      mode: "optional",
      wire: "tfa/digits",
      doc: "How many digits a code has, for `oath`. Left out: 6.",
    },
    step: {
      type: int({ min: 10 }),
      mode: "optional",
      wire: "tfa/step",
      doc: "How many seconds a code is good for, for `oath`. Left out: 30.",
    },
    id: {
      type: string({ check: word }),
      mode: "optional",
      wire: "tfa/id",
      doc: "ID for the service of Yubico, for `yubico`, where it must be given.",
    },
    key: {
      type: string({ check: matches(/^[^\s,]+$/, "a key without blanks and commas") }),
      mode: "optional",
      writeOnly: { trigger: "key_version" },
      sensitive: true,
      wire: "tfa/key",
      doc: "Key for the service of Yubico, for `yubico`, where it must be given; never stored. It is sent when the realm is created and when `key_version` changes.",
    },
    key_version: version("key"),
    url: {
      type: string({ check: matches(/^https?:\/\/[^\s,]+$/, "an address that begins with `https://`") }),
      mode: "optional",
      wire: "tfa/url",
      doc: "Address of another service than Yubico's own, for `yubico`.",
    },
  }),
  mode: "optional",
  doc: "Second factor that every user of the realm must have; not for `openid`, whose provider asks for it itself. Left out: none is demanded.",
} as const;

type Tfa = Readonly<Record<string, string | number | null | undefined>>;

/** The most that PVE keeps. */
const longest = 128;

/** What belongs to the other type, what is missing, and what is too long as one line. */
export function validateTfa(tfa: Tfa | null | undefined, report: Pick<Report, "error">): void {
  const type = tfa?.["type"];
  if (!tfa || typeof type !== "string") return;
  const [foreign, needed] =
    type === "oath"
      ? [["id", "key", "url"], []]
      : [
          ["digits", "step"],
          ["id", "key"],
        ];
  for (const name of foreign) {
    if (tfa[name] === null) continue;
    report.error(`tfa.${name}`, "Not for this type", `A second factor of type \`${type}\` does not take \`${name}\`.`);
  }
  for (const name of needed) {
    if (tfa[name] !== null) continue;
    report.error("tfa", "Argument needed", `A second factor of type \`${type}\` needs \`${name}\`.`);
  }
  const parts = Object.entries(tfa).filter(([name, value]) => name !== "key_version" && value !== null);
  const length = parts.map(([name, value]) => `${name}=${value}`).join(",").length;
  if (length <= longest || parts.some(([, value]) => value === undefined)) return;
  const detail = `Proxmox VE keeps the settings of a second factor in one line of at most ${longest} characters, and these take ${length}.`;
  report.error("tfa", "Settings too long", detail);
}
