import type { Attributes, ConfigDraft, Members } from "#kit";
import { describeGrace, stopGrace } from "../../guest/grace.ts";
import type { PlanSteps } from "../../guest/kind.ts";
import { planGateways } from "../../guest/plan/plan-addresses.ts";
import { warnOfReplacement } from "../../guest/plan/plan-replacement.ts";
import { attributes } from "../attributes.ts";
import type { ContainerPlan, ContainerState } from "../contexts.ts";
import { requestsIn } from "../requests.ts";
import { checkChange } from "./checks.ts";
import { changeNeeds } from "./needs/change-needs.ts";
import { privilegeOfOption } from "./needs/option-privileges.ts";
import { refuseReserved } from "./reserved.ts";

/** The steps of a plan that only containers have. */
export const containerPlanSteps: PlanSteps = {
  planSource: async () => false,
  begin(context) {
    planFixed(context as ContainerPlan);
    announceRequests(context as ContainerPlan);
    announcePath(context as ContainerPlan);
  },
  adjust: planGateways,
  checkFixed: (context, prior) => announceMigration(context as ContainerPlan, prior as ContainerState),
  wanted: ({ planned }) => planned as Members,
  past: (_, prior) => prior as Members,
  adjustDraft: () => {},
  planDisplaced: () => {},
  predictData: async () => [],
  check: (context, api, change) => checkChange(context as ContainerPlan, api, change),
  privilegeOf: privilegeOfOption,
  needsOf: (context, change, zones) => changeNeeds(context as ContainerPlan, change, zones),
  refuseReserved: (context, api, change) => refuseReserved(context as ContainerPlan, api, change),
  unpredictable: (context) => unpredictable(context as ContainerPlan),
  afterFill(context, after) {
    planManagedCards(context as ContainerPlan, after);
    warnOfPrivileges(context as ContainerPlan);
  },
};

/** What is read only at creation: another value means another container, or no change at all. */
function planFixed(context: ContainerPlan): void {
  const { config, prior, report } = context;
  if (prior === null) return;
  const { unprivileged } = config;
  if (typeof unprivileged === "boolean" && unprivileged !== prior.unprivileged) {
    const [was, is] = unprivileged ? ["privileged", "unprivileged"] : ["unprivileged", "privileged"];
    context.replace("unprivileged", `The container is ${was} and is to be ${is}: Proxmox VE fixes that at creation.`);
    warnOfReplacement(context, prior);
  }
  for (const name of onceGiven) {
    const [before, after] = [prior[name], config[name]].map((value) => JSON.stringify(value ?? null));
    if (config[name] === undefined || before === after || before === "null") continue;
    const kept = `Container ${prior.vmid} keeps the \`${name}\` that it was made with: Proxmox VE cannot change them.`;
    report.warning([name], "Used at creation only", `${kept} Change them in the container.`);
  }
}

/** What a container keeps as it was made with it, and Terraform can compare: secrets are not stored. */
const onceGiven = Object.entries<Attributes[string]>(attributes)
  .filter(([, { onlyAtCreation, writeOnly }]) => onlyAtCreation && !writeOnly)
  .map(([name]) => name as keyof ContainerPlan["config"] & keyof ContainerState);

/** Another user has requested new volumes, of which the refresh has read. */
function announceRequests({ api, prior, changes, report }: ContainerPlan): void {
  const { node, vmid } = prior ?? {};
  const config = api && node !== undefined && vmid !== undefined ? api.lxc.knownConfig({ node, vmid }) : undefined;
  for (const slot of api && config ? requestsIn(api, config.options) : []) {
    const now = prior?.mounts?.[slot]?.volume ?? "its volume";
    const requested = `Another user has requested \`${config?.options[slot]}\` for \`${slot}\` of container ${vmid}.`;
    if (changes.size > 0) {
      const then = "This apply takes that back, and no new volume is made.";
      report.warning(["mounts", slot], "The request for a new volume is taken back", `${requested} ${then}`);
    } else {
      const then = `At its next start, Proxmox VE mounts a new volume in the place of ${now}. Take that back with \`pct set ${vmid} --revert ${slot}\`; the next change by Terraform does so, too.`;
      report.warning(["mounts", slot], "A new volume is requested", `${requested} ${then}`);
    }
  }
}

/** Terraform shows what the state has and the configuration has not as removed. */
function announcePath({ config, prior, report }: ContainerPlan): void {
  const path = prior?.env?.["PATH"];
  if (path === undefined || !config.env || "PATH" in config.env) return;
  const detail = `Container ${prior?.vmid} keeps \`PATH = "${path}"\`, by which its programs are found, although \`env\` does not contain it and the plan shows it as removed. To change it, write \`PATH\` in \`env\`.`;
  report.warning(["env"], "The search path stays", detail);
}

/** There is no live migration of containers. */
function announceMigration({ planned, report }: ContainerPlan, prior: ContainerState): void {
  const isMoved = planned.node !== undefined && prior.node !== undefined && planned.node !== prior.node;
  if (!isMoved || prior.status !== "running" || planned.status !== "running") return;
  report.warning(
    "node",
    "The container will be restarted",
    `Container ${prior.vmid} is shut down on ${prior.node}, moved to ${planned.node} and started there: Proxmox VE cannot move a running container. The guest ${describeGrace(stopGrace(planned))}.`,
  );
}

/** An OCI image is a plain tar archive; it sets the process, its environment and the console. */
const mayBeOci = ({ config }: ContainerPlan): boolean =>
  config.image !== null && (config.image?.volume === undefined || config.image.volume.endsWith(".tar"));

/** Attributes of a new container that follow from its image. */
function unpredictable(context: ContainerPlan): string[] {
  const { config } = context;
  if (config.clone || config.restore) return [];
  return [
    ...(config.name === null ? ["name"] : []),
    "architecture",
    "os_type",
    ...(mayBeOci(context) ? ["console", "entrypoint", "env"] : []),
  ];
}

/** An image is unpacked in the user namespace that only an unprivileged container has (pve-container: src/PVE/LXC/Create.pm). */
function warnOfPrivileges({ config, prior, report }: ContainerPlan): void {
  const { image, unprivileged } = config;
  if (prior !== null || unprivileged !== false || !image?.volume?.endsWith(".tar")) return;
  report.warning(
    "unprivileged",
    "An OCI image needs an unprivileged container",
    `Proxmox VE unpacks OCI images into unprivileged containers only. If \`${image.volume}\` is one, the apply fails: leave \`unprivileged\` out, or use a template of a whole system.`,
  );
}

/** In a container made from an OCI image, PVE has the host manage every card that does not say otherwise. */
function planManagedCards(context: ContainerPlan, after: ConfigDraft): void {
  const { config, prior } = context;
  if (prior !== null || !mayBeOci(context)) return;
  for (const slot of Object.keys(config.networks ?? {})) {
    if (config.networks?.[slot]?.host_managed === null && after.has(slot)) {
      context.setUnknown(["networks", slot, "host_managed"]);
    }
  }
}
