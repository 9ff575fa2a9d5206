import { alternatives, canAudit, type Session } from "#kit";
import {
  type Change,
  isKnown,
  isPlaced,
  isStarted,
  isTouched,
  sourceOf,
  willRun,
} from "../../../guest/plan/checks/change.ts";
import type { VmPlan } from "../../contexts.ts";
import { cpuFlagsOn, cpuModelsOn } from "./facts.ts";

/** Models that every PVE 9 node with an x86 processor has: not worth a question. */
const common = ["host", "max", "kvm64", "qemu64", "x86-64-v2", "x86-64-v2-AES", "x86-64-v3", "x86-64-v4"];

/** qemu-server: src/PVE/QemuServer/CPUConfig.pm, `validate_vm_cpu_conf`. */
export async function checkCpu(context: VmPlan, api: Session, change: Change): Promise<void> {
  await checkCores(context, api, change);
  if (change.node === undefined || context.config.cpu?.architecture === "aarch64") return;
  await checkModel(context, api, { ...change, node: change.node });
  await checkFlags(context, api, { ...change, node: change.node });
}

type Placed = Change & { readonly node: string };

async function checkModel({ config, report }: VmPlan, api: Session, { node, before }: Placed): Promise<void> {
  const type = config.cpu?.type;
  if (!type || common.includes(type) || before.read({ option: "cpu", key: "cputype" }) === type) return;
  const models = await cpuModelsOn.showing(api, [node], (all) => all?.some(({ name }) => name === type) ?? false);
  if (models === null || models.some(({ name }) => name === type)) return;
  const [, custom] = /^custom-(.+)$/.exec(type) ?? [];
  if (custom !== undefined && (await api.planned.includes("cpu_model", custom))) return;
  // Custom models are hidden from who may not use them.
  if (custom !== undefined && !(await canSeeModel(api, custom))) return;
  const names = models.map(({ name }) => name);
  const prefixed = names.includes(`custom-${type}`) ? ` Custom models are written \`custom-${type}\`.` : "";
  report.error(
    ["cpu", "type"],
    "No such CPU type",
    `CPU type \`${type}\` is neither built into QEMU on ${node} nor a custom model of the cluster.${prefixed} ${alternatives(type, names)}`,
  );
}

const canSeeModel = async (api: Session, name: string): Promise<boolean> =>
  (await canAudit(api, "/nodes", "Sys.Audit")) || canAudit(api, `/mapping/cpu/${name}`, "Mapping.Use");

async function checkFlags({ config, report }: VmPlan, api: Session, { node, before }: Placed): Promise<void> {
  const present = before.read({ option: "cpu", key: "flags" });
  const flags = (config.cpu?.flags ?? []).filter(
    (flag): flag is string => flag !== undefined && !(Array.isArray(present) && present.includes(flag)),
  );
  if (flags.length === 0) return;
  const allowed = (await cpuFlagsOn(api, node))?.map(({ name }) => name);
  const unknown = flags.find((flag) => allowed && !allowed.includes(flag.slice(1)));
  if (allowed === undefined || unknown === undefined) return;
  report.error(
    ["cpu", "flags"],
    "No such CPU flag",
    `A VM cannot set the flag \`${unknown.slice(1)}\`. ${alternatives(unknown.slice(1), allowed)} Other flags need a custom CPU model.`,
  );
}

/** A node starts no VM with more processors than it has itself (qemu-server: src/PVE/QemuServer.pm, `config_to_command`). */
async function checkCores(context: VmPlan, api: Session, change: Change): Promise<void> {
  const { report } = context;
  const { node, after } = change;
  const isJudged = isStarted(context) || isPlaced(context, change) || isTouched(context, change, /^(cores|sockets)$/);
  if (node === undefined || !willRun(context) || !isJudged || !isKnown(context, ["cpu", "cores"], ["cpu", "sockets"]))
    return;
  const [cores, sockets] = ["cores", "sockets"].map((option) => Number(after.raw(option) ?? 1));
  const wanted = (cores ?? 1) * (sockets ?? 1);
  const { nodes } = await api.inventory.snapshot();
  const available = nodes.get(node)?.maxcpu;
  if (!available || wanted <= available) return;
  const what = sockets === 1 ? `${cores} cores` : `${sockets} sockets of ${cores} cores`;
  const larger = [...nodes.values()].filter(({ maxcpu }) => (maxcpu ?? 0) >= wanted).map((one) => one.node);
  const elsewhere = larger.length > 0 ? ` Nodes that could: ${larger.join(", ")}.` : "";
  report.error(
    sourceOf(context, ["cpu", (sockets ?? 1) > 1 && context.config.cpu?.sockets ? "sockets" : "cores"]),
    "Too many cores",
    `The VM has ${what}, and ${node} starts no VM with more than the ${available} processors it has itself. Use at most ${available}.${elsewhere}`,
  );
}
