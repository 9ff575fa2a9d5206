/**
 * How far a task is, by the last lines of its log that say so: `transferred 3.2 GiB of 32.0 GiB (10.00%)` (qemu-server:
 * src/PVE/QemuServer/BlockJob.pm and QemuImage.pm), `INFO:  12% (3.9 GiB of 32.0 GiB) in 9s` (pve-manager: PVE/VZDump/QemuServer.pm),
 * `progress 35% (read …` (a restore), `32768K .......... 5% 12.3M 30s` (a download). Undefined if no line has a percentage.
 */
export function percentIn(lines: readonly string[]): number | undefined {
  for (const line of lines.toReversed()) {
    const found = progressForms.map((form) => form.exec(line)?.[1]).find((text) => text !== undefined);
    const percent = Number(found);
    if (found !== undefined && percent <= 100) return percent;
  }
  return undefined;
}

const progressForms: readonly RegExp[] = [
  /\btransferred .* \((\d{1,3}(?:\.\d+)?)%\)/,
  /^INFO: +(\d{1,3})% \(/,
  /^progress (\d{1,3})% \(/,
  /^ *\d+[KM] [. ]+ +(\d{1,3})% /,
];
