import { alternatives, type Session } from "#kit";
import type { Source } from "../../../guest/lifecycle/source.ts";
import type { Change } from "../../../guest/plan/checks/change.ts";
import { fileOf, isCdrom, isCloudInit } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";
import { families } from "../../slots.ts";
import { canClone, snapshotsOf } from "./facts.ts";

/** What keeps the source from being cloned this way (qemu-server: src/PVE/API2/Qemu.pm, `clone_vm`). */
export async function checkSource(context: VmPlan, api: Session, { source }: Change): Promise<void> {
  const { clone } = context.config;
  if (!source || !clone || clone.snapshot === undefined || clone.full === undefined || clone.storage === undefined)
    return;
  if (clone.snapshot && !(await hasSnapshot(context, api, source, clone.snapshot))) return;
  if (isLinkedClone(context, source)) await checkLinked(context, api, source);
  else await checkCopied(context, api, source);
}

/** What PVE does to a template by default. */
export function isLinkedClone({ config: { clone } }: VmPlan, source: Source | undefined): boolean {
  if (clone?.full === false) return true;
  return clone?.full === null && source?.config.isTemplate === true && !clone.storage && !clone.format;
}

async function hasSnapshot({ report }: VmPlan, api: Session, source: Source, name: string): Promise<boolean> {
  const isThere = (all: readonly { readonly name: string }[] | null) => all?.some((one) => one.name === name) ?? false;
  const snapshots = await snapshotsOf.showing(api, [source.node, String(source.vmid)], isThere);
  if (snapshots === null) return false;
  const names = snapshots.map((snapshot) => snapshot.name);
  if (names.includes(name)) return true;
  report.error(
    "clone.snapshot",
    "No such snapshot",
    `VM ${source.vmid} has no snapshot \`${name}\`. ${alternatives(name, names)}`,
  );
  return false;
}

const disksOf = (api: Session, { config }: Source): string[] => {
  const draft = api.draft(config.options);
  const slots = draft.slots(families.volumes);
  return slots
    .filter((slot) => slot !== "tpmstate0" && !isCdrom(draft, slot) && !isCloudInit(draft, slot))
    .map((slot) => fileOf(draft, slot));
};

const isBase = (file: string): boolean => /[:/]base-\d+-/.test(file);

/** Only base images of a template can be linked to, and on some storages snapshots. */
async function checkLinked({ config, report }: VmPlan, api: Session, source: Source): Promise<void> {
  const snapshot = config.clone?.snapshot ?? "";
  if (snapshot === "" && source.config.isTemplate && disksOf(api, source).every(isBase)) return;
  const answer = await canClone(api, source.node, String(source.vmid), "clone", snapshot);
  if (answer === null || answer.hasFeature) return;
  const what = source.config.isTemplate ? `Template ${source.vmid}` : `VM ${source.vmid}, which is no template,`;
  const of = snapshot === "" ? "" : ` at snapshot \`${snapshot}\``;
  report.error(
    config.clone?.full === false ? "clone.full" : "clone.template",
    "Linked clone not possible",
    `${what} has disks that no clone can be linked to${of}. Set \`clone.full = true\` to copy them${source.config.isTemplate ? "" : ", or clone a template"}.`,
  );
}

async function checkCopied({ config, report }: VmPlan, api: Session, source: Source): Promise<void> {
  const snapshot = config.clone?.snapshot ?? "";
  if (snapshot === "") {
    if (!source.isRunning || !("tpmstate0" in source.config.options)) return;
    report.error(
      "clone.template",
      "Source is running",
      `VM ${source.vmid} has a TPM, whose state cannot be copied while the VM runs. Stop it, or clone one of its snapshots.`,
    );
    return;
  }
  const answer = await canClone(api, source.node, String(source.vmid), "copy", snapshot);
  if (answer === null || answer.hasFeature) return;
  report.error(
    "clone.snapshot",
    "Snapshot cannot be copied",
    `The storage of VM ${source.vmid} cannot copy a disk as it was at snapshot \`${snapshot}\`. Clone its present state, or make a linked clone.`,
  );
}
