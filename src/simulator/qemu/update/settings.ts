import type { Settings } from "../disks/drive-checks.ts";

/** The highest weight of cgroup v2 (`clamp_cpu_shares` of pve-common `src/PVE/CGroup.pm`). */
const maxCpuUnits = 10_000;

/**
 * The configuration options of a request as texts, without the parameters of the call itself. `cdrom` is an alias of
 * `ide2`.
 */
export function settingsOf(
  params: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, string>>,
  controls: readonly string[],
): Settings {
  // A JSON null is a parameter without a text; it fails when the configuration is written.
  const names = Object.keys(params).filter((name) => !controls.includes(name));
  const settings: Settings = Object.fromEntries(names.map((name) => [name, given[name]]));
  const { cdrom, cpuunits } = settings;
  if (cpuunits !== undefined && Number(cpuunits) >= maxCpuUnits) {
    settings["cpuunits"] = String(maxCpuUnits);
  }
  if (cdrom !== undefined && cdrom !== "") {
    settings["ide2"] = cdrom.includes("media=") ? cdrom : `${cdrom},media=cdrom`;
    delete settings["cdrom"];
  }
  return settings;
}
