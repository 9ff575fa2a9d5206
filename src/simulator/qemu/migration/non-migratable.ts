import { die } from "../../core/kernel/failure.ts";
import type { Section } from "../../core/world/guest.ts";
import { isTrue } from "../config/perl.ts";

/** What prevents saving or migrating the state of a running VM. */
export function stateBlockers(config: Section): string[] {
  return [
    ...["amd-sev", "intel-tdx"].filter((key) => isTrue(config[key])),
    ...(Object.keys(config).some((key) => /^virtiofs\d+$/.test(key)) ? ["virtiofs"] : []),
  ];
}

/** `check_non_migratable_resources` in qemu-server `src/PVE/QemuMigrate/Helpers.pm`. */
export function checkNonMigratable(config: Section, withState: boolean): void {
  const blockers = withState ? stateBlockers(config) : [];
  if (blockers.length > 0) {
    die(`Cannot live-migrate, snapshot (with RAM), or hibernate a VM with: ${blockers.join(", ")}`);
  }
}
