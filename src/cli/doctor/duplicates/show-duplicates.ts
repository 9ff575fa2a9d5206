import { sizeOf } from "#kit";
import { importBlock, resourceNames } from "../../../resources/functions/import-text.ts";
import { aligned } from "../../aligned.ts";
import type { Age } from "./age.ts";
import type { Disk, DuplicateVm, Group } from "./find-duplicates.ts";

/** Each group as a table, followed by the commands to keep or remove each VM. */
export function showDuplicates(groups: readonly Group[]): string {
  if (groups.length === 0) return "No two visible VMs share a name.\n";
  return `${groups.map(showGroup).join("\n")}\n${footnote}`;
}

const footnote = `VMs without VM.Audit are not visible and not counted. "made" is the age of the oldest disk. If the storage does not store it,
"by" is the time of the VM's first task; with a question mark it is the time in the configuration, which a clone
copies from its template.
`;

const head = ["VMID", "node", "status", "made", "disks", "tags", "pool", ""];

function showGroup({ name, vms }: Group): string {
  const rows = vms.map((vm) => [
    String(vm.vmid),
    vm.node,
    vm.uptime === undefined ? vm.status : `${vm.status} for ${duration(vm.uptime)}`,
    vm.made === undefined ? "?" : showAge(vm.made),
    vm.disks.map(showDisk).join(", ") || "none",
    vm.tags.join(" ") || "-",
    vm.pool ?? "-",
    remarks(vm).join(", "),
  ]);
  const [first] = vms;
  return [
    `"${name}" is the name of ${vms.length} VMs:`,
    "",
    indented(aligned([head, ...rows])),
    "",
    `  To keep ${first?.vmid}, import it into Terraform (any other in the same way):`,
    "",
    indented(first === undefined ? "" : keep(name, first), 4),
    "",
    "  To remove one with all its disks, which cannot be undone, on a node's command line:",
    "",
    indented(vms.map((vm) => remove(vm)).join("\n"), 4),
    "",
  ].join("\n");
}

/** The import block of a VM; the command `import` prints the smallest resource for it. */
export const keep = (name: string, { vmid }: DuplicateVm): string =>
  `${importBlock(`proxmox_vm.${resourceNames([{ vmid, name }]).get(vmid)}`, vmid)}# with its resource: terraform-provider-proxmox import --vmid ${vmid}`;

export function remove({ vmid, node, status, isProtected, isTemplate }: DuplicateVm): string {
  const steps = [
    ...(isProtected ? [`qm set ${vmid} --protection 0`] : []),
    ...(status === "stopped" || isTemplate ? [] : [`qm shutdown ${vmid} --forceStop 1`]),
    `qm destroy ${vmid} --purge`,
  ];
  return `ssh root@${node} '${steps.join(" && ")}'`;
}

const showAge = ({ at, evidence }: Age): string =>
  ({ disk: day(at), task: `by ${day(at)}`, meta: `${day(at)} ?` })[evidence];

function remarks(vm: DuplicateVm): string[] {
  return [
    ...(vm.isTemplate ? ["template"] : []),
    ...(vm.isUnfinished ? ["unfinished: the next apply resumes it"] : []),
    ...(vm.isProtected ? ["protected"] : []),
    ...(vm.lock === undefined ? [] : [`locked (${vm.lock})`]),
  ];
}

const showDisk = ({ slot, storage, bytes }: Disk): string =>
  `${slot} ${bytes === undefined ? "" : `${sizeOf(bytes)} `}on ${storage}`;

const day = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace("T", " ");

function duration(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
  ] as const;
  const [name, size] = units.find(([, length]) => seconds >= length) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${name}`;
}

const indented = (text: string, by = 2): string => text.replaceAll(/^(?=.)/gm, " ".repeat(by));
