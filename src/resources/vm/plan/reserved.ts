import { type ConfigDraft, pathOfOption, type Session } from "#kit";
import { attributes } from "../attributes.ts";
import type { VmPlan } from "../contexts.ts";
import { isVolumeSlot } from "../slots.ts";
import { privilegeOfOption } from "./needs/option-privileges.ts";

/** Devices of the host, and files that are on no storage (qemu-server: src/PVE/API2/Qemu.pm). */
const isOfHost = (option: string, line: string): boolean =>
  (/^hostpci\d+$/.test(option) && (!/mapping=/.test(line) || /romfile=/.test(line))) ||
  (/^usb\d+$/.test(option) && !/mapping=|spice/.test(line)) ||
  (/^serial\d+$/.test(option) && line !== "socket") ||
  (isVolumeSlot(option) && /^(file=)?\/|import-from=\//.test(line));

/**
 * Refuses what not even a token of root's may do: PVE compares the caller with `root@pam`, letter by letter. A clone
 * takes devices of its source along, so it is refused for theirs.
 */
export function refuseReserved(
  { report, prior, config }: VmPlan,
  { identity }: Session,
  { before, after }: { readonly before: ConfigDraft; readonly after: ConfigDraft },
): void {
  const isClone = prior === null && config.clone !== null;
  const touched = new Set([...Object.keys(after.patch.set), ...after.patch.delete]);
  const inherited = isClone ? Object.keys(before.config).filter((option) => /^(usb|hostpci)\d+$/.test(option)) : [];
  for (const option of new Set([...touched, ...inherited])) {
    const lines = [before, after].flatMap((draft) => draft.raw(option) ?? []);
    const isReserved = touched.has(option) && !isVolumeSlot(option) && privilegeOfOption(option) === null;
    if (!isReserved && !lines.some((line) => isOfHost(option, String(line)))) continue;
    const cure = /^(hostpci|usb)/.test(option)
      ? "Use a resource mapping, or log in as root@pam with a password."
      : "Log in as root@pam with a password.";
    report.error(
      touched.has(option) ? pathOfOption(attributes, option) : ["clone", "template"],
      "Reserved for root@pam",
      `Only root@pam may set ${touched.has(option) ? "this" : `\`${option}\`, which the clone would inherit`}, and ${identity} is not. ${cure}`,
    );
  }
}
