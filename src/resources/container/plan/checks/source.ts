import { alternatives, type Session } from "#kit";
import type { Source } from "../../../guest/lifecycle/source.ts";
import type { Change } from "../../../guest/plan/checks/change.ts";
import { ifAllowed } from "../../../guest/plan/checks/facts.ts";
import type { ContainerPlan } from "../../contexts.ts";
import { families, isHostPath, volumeAt } from "../../slots.ts";

/** What keeps a container from being made from its source (pve-container: src/PVE/API2/LXC.pm, `clone_vm`). */
export async function checkSource(context: ContainerPlan, api: Session, { source }: Change): Promise<void> {
  const { config, prior, report } = context;
  const { clone, image } = config;
  if (prior === null && clone === null && image === null && config.restore === null) {
    report.error(
      null,
      "Source needed",
      "Say what the container is made from: `image` (a template file), `clone` (another container) or `restore` (a backup).",
    );
    return;
  }
  if (!source || !clone || clone.snapshot === undefined || clone.full === undefined || clone.storage === undefined)
    return;
  if (clone.snapshot && !(await hasSnapshot(context, api, source, clone.snapshot))) return;
  checkPrivileged(context, source);
  checkBindMounts(context, api, source);
  if (isLinkedClone(context, source)) await checkLinked(context, api, source);
  else if (source.isRunning && !clone.snapshot) {
    report.error(
      "clone.template",
      "Source is running",
      `Container ${source.vmid} runs, and Proxmox VE copies a running container from a snapshot only. Stop it, or set \`clone.snapshot\`.`,
    );
  }
}

/** What PVE does to a template unless `full` or `storage` is given. */
export function isLinkedClone({ config: { clone } }: ContainerPlan, source: Source | undefined): boolean {
  if (clone?.full === false) return true;
  return clone?.full === null && source?.config.isTemplate === true && !clone.storage;
}

async function hasSnapshot({ report }: ContainerPlan, api: Session, source: Source, name: string): Promise<boolean> {
  const snapshots = await ifAllowed(api.containerSnapshots.list(source));
  if (snapshots === null || snapshots.some((one) => one.name === name)) return snapshots !== null;
  const names = snapshots.map((one) => one.name);
  const detail = `Container ${source.vmid} has no snapshot \`${name}\`. ${alternatives(name, names)}`;
  report.error("clone.snapshot", "No such snapshot", detail);
  return false;
}

function checkPrivileged({ config, report }: ContainerPlan, { vmid, config: { options } }: Source): void {
  const isUnprivileged = options["unprivileged"] === "1";
  if (typeof config.unprivileged !== "boolean" || config.unprivileged === isUnprivileged) return;
  report.error(
    "unprivileged",
    "Fixed when it was made",
    `Container ${vmid} is ${isUnprivileged ? "unprivileged" : "privileged"}, and so is every clone of it. Remove the line, or make the container from an image.`,
  );
}

function checkBindMounts({ kind, report }: ContainerPlan, api: Session, source: Source): void {
  const draft = kind.draft(api, source.config.options);
  const slot = draft.slots(families.volumes).find((one) => isHostPath(volumeAt(draft, one)));
  if (slot === undefined) return;
  const detail = `\`${slot}\` of container ${source.vmid} is \`${volumeAt(draft, slot)}\` of the host, and Proxmox VE clones no container with such a mount. Remove it there.`;
  report.error("clone.template", "Source cannot be cloned", detail);
}

async function checkLinked({ config, report }: ContainerPlan, api: Session, source: Source): Promise<void> {
  const { snapshot } = config.clone ?? {};
  const request = { feature: "clone", ...(snapshot && { snapname: snapshot }) } as const;
  const answer = await ifAllowed(api.lxc.hasFeature(source, request));
  if (answer === null || answer.hasFeature) return;
  report.error(
    config.clone?.full === false ? "clone.full" : "clone.template",
    "Linked clone not possible",
    `Container ${source.vmid} has volumes that no clone can be linked to. Set \`clone.full = true\` to copy them${source.config.isTemplate ? "" : ", or clone a template"}.`,
  );
}
