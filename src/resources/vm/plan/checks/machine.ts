import { alternatives, type Session } from "#kit";
import { type Change, isPlaced, willRun } from "../../../guest/plan/checks/change.ts";
import type { VmPlan } from "../../contexts.ts";
import { machineTypesOn } from "./facts.ts";

interface Version {
  readonly family: string;
  readonly numbers: readonly number[];
}

/** `pc-q35-9.2+pve1`: a machine of version 9.2, first revision. */
function versionOf(type: string): Version | null {
  const [, family, major, minor, revision] = /^(.+?)-(\d+)\.(\d+)(?:\.\d+)?(?:\+pve(\d+))?(?:\.pxe)?$/.exec(type) ?? [];
  if (family === undefined) return null;
  return { family: family === "pc" ? "pc-i440fx" : family, numbers: [major, minor, revision ?? 0].map(Number) };
}

const isNewer = (a: readonly number[], b: readonly number[]): boolean => {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
};

/** A node cannot start a machine newer than its QEMU (qemu-server: src/PVE/QemuServer.pm, `config_to_command`). */
export async function checkMachine(context: VmPlan, api: Session, change: Change): Promise<void> {
  const { config, report } = context;
  const { node, before } = change;
  const type = config.machine?.type;
  const version = type ? versionOf(type) : null;
  const isPresent = before.read({ option: "machine", key: "type" }) === type && !isPlaced(context, change);
  if (!type || version === null || node === undefined || isPresent || !willRun(context)) return;
  const known = ((await machineTypesOn(api, node)) ?? []).flatMap(({ id }) => {
    const parsed = versionOf(id);
    return parsed?.family === version.family ? [{ id, numbers: parsed.numbers }] : [];
  });
  if (known.length === 0 || known.some(({ numbers }) => !isNewer(version.numbers, numbers))) return;
  report.error(
    ["machine", "type"],
    "Machine type not available",
    `QEMU on ${node} is too old for the machine type \`${type}\`. Use an older one, or the unversioned \`${version.family.includes("q35") ? "q35" : "pc"}\`. ${alternatives(
      "",
      known.slice(0, 5).map(({ id }) => id),
    )}`,
  );
}
