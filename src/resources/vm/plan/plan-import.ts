import {
  alternatives,
  checkPrivileges,
  isPveError,
  type Need,
  patchWired,
  type Session,
  sizeOf,
  storagePlaces,
} from "#kit";
import { volumesOn } from "../../guest/plan/checks/facts.ts";
import { checkStorage } from "../../guest/plan/checks/storage.ts";
import { guardArchivedName } from "../../guest/plan/guards.ts";
import { createNeeds } from "../../guest/plan/needs/guest-needs.ts";
import { onStorage } from "../../guest/plan/needs/need.ts";
import { planInherited, predict } from "../../guest/plan/plan-copy.ts";
import { planNewOutputs } from "../../guest/plan/plan-outputs.ts";
import { checkChangePrivileges } from "../../guest/plan/privileges.ts";
import { storageOf } from "../../guest/volume.ts";
import { settings } from "../attributes.ts";
import type { VmPlan } from "../contexts.ts";
import { type ImportableVm, importedConfig, importedVolume, importRequest, readImportable } from "../import.ts";
import { vmPrivileges } from "../privileges.ts";

/** The plan of a VM that is imported from a file or another host. Returns whether it is one. */
export async function planImport(context: VmPlan, api: Session): Promise<boolean> {
  const { config, report } = context;
  if (config.import === null) return false;
  const source = config.import && importedVolume(config.import);
  if (!config.import || source === undefined) return true;
  const path = ["import", source.member];
  const needs = [onStorage(vmPrivileges.useImage, storageOf(source.volume) ?? "", path)];
  if (!(await checkPrivileges({ report, api, needs }))) return true;
  const node = await placeImport(context, api, source.volume, path);
  const vm = node === null ? null : await describe(context, api, { node, volume: source.volume, path });
  if (vm !== null) await planDescribed(context, api, vm, path);
  return true;
}

async function planDescribed(context: VmPlan, api: Session, vm: ImportableVm, path: readonly string[]): Promise<void> {
  const { config, kind, planned } = context;
  reportWarnings(context, vm, path);
  const base = importedConfig(vm, config);
  const [before, after, request] = [api.draft(base), api.draft(base), api.draft({})];
  for (const [slot, { bytes }] of Object.entries(vm.disks))
    if (bytes !== null) before.write({ option: slot, key: "size" }, sizeOf(bytes));
  for (const [option, line] of Object.entries(importRequest(vm, config))) request.set(option, line);
  await guardArchivedName(context, api, after);
  for (const draft of [after, request]) patchWired(settings, kind.plan.wanted(context), draft);
  if (config.import?.storage) {
    const use = {
      path: ["import", "storage"],
      storage: config.import.storage,
      content: "images",
      node: planned.node,
    } as const;
    await checkStorage(context, api, use);
  }
  const space = await checkExtraction(context, api, vm, path);
  const dataNeeds = await kind.plan.predictData(context, api, after);
  await kind.plan.check(context, api, { node: context.planned.node, before, after }, []);
  const needs = [...createNeeds(context), ...space, ...dataNeeds];
  await checkChangePrivileges(context, api, { before: api.draft({}), after: request, from: "nothing", needs });
  if (config.import?.storage !== undefined && config.import?.bridge !== undefined) predict(context, before, after);
  planInherited(context, after, after);
  planNewOutputs(context, after);
}

/** The node that reads the file. Null: there is none, or it is not known yet. */
async function placeImport(
  context: VmPlan,
  api: Session,
  volume: string,
  path: readonly string[],
): Promise<string | null> {
  const { config, report } = context;
  if (config.node === undefined) return null;
  const storage = storageOf(volume) ?? "";
  const { isOnline } = await api.inventory.snapshot();
  const places = (await storagePlaces(api, storage)).map(({ node }) => node).filter(isOnline);
  const [only, ...others] = places;
  const node = config.node ?? (others.length === 0 ? only : undefined);
  const use = { path, storage, content: "import", node } as const;
  if (!(await checkStorage(context, api, use)) && (report.failed || api.planned.has("storage", storage))) return null;
  if (node === undefined) {
    report.error("node", "Node needed", `Choose the node of the VM: ${places.join(", ")}.`);
    return null;
  }
  if (config.node === null) context.set("node", node);
  return node;
}

interface Place {
  readonly node: string;
  readonly volume: string;
  readonly path: readonly string[];
}

async function describe({ report }: VmPlan, api: Session, { node, volume, path }: Place): Promise<ImportableVm | null> {
  const has = (all: readonly { readonly volid: string }[] | null) =>
    all?.some(({ volid }) => volid === volume) ?? false;
  if (api.planned.has("file", volume)) return null;
  const volumes = await volumesOn.showing(api, [node, storageOf(volume) ?? "", "import"], has);
  if (volumes !== null && !has(volumes)) {
    const names = volumes.map(({ volid }) => volid).filter((name) => /\.(ova|ovf|vmx)$/.test(name));
    report.error(path, "No such file", `\`${volume}\` does not exist on ${node}. ${alternatives(volume, names)}`);
    return null;
  }
  try {
    return await readImportable(api, node, volume);
  } catch (reason) {
    if (!isPveError(reason) || ["unreachable", "timeout"].includes(reason.kind)) throw reason;
    report.error(
      path,
      "Cannot be imported",
      `Proxmox VE finds no VM in \`${volume}\`: ${reason.message}. Check that it is an OVA or OVF file, or a VM on an ESXi host; a disk image is imported by \`disks.SLOT.import_from\`.`,
    );
    return null;
  }
}

/** Storages on which files can be extracted (qemu-server: src/PVE/API2/Qemu.pm, `check_storage_access`). */
const fileBased = ["dir", "nfs", "cifs", "cephfs", "btrfs"];

/** Disks in an archive are extracted to a storage with files and images first. Returns what that requires. */
async function checkExtraction(
  { config, planned, report }: VmPlan,
  api: Session,
  vm: ImportableVm,
  path: readonly string[],
): Promise<Need[]> {
  const packed = Object.values(vm.disks).find(({ volume }) => /\.ova\//.test(volume ?? ""))?.volume;
  const given = config.import?.working_storage;
  const storage = given ?? storageOf(packed ?? "");
  if (!packed || given === undefined || storage === null) return [];
  const place = given === null ? path : ["import", "working_storage"];
  const { storages } = await api.inventory.snapshot();
  const here = storages.filter(({ node }) => node === planned.node);
  const suits = (one: (typeof here)[number]) =>
    fileBased.includes(String(one.plugintype)) && (one.content?.includes("images") ?? true);
  const found = here.find((one) => one.storage === storage);
  if (found === undefined || suits(found)) return [onStorage(vmPrivileges.allocateSpace, storage, place)];
  const names = here.filter(suits).map((one) => one.storage);
  report.error(
    place,
    "No place to extract disks",
    `The disks in the archive are extracted to \`${storage}\` first, which must be a storage of files with content \`images\`. Set \`import.working_storage\` to one that is. ${alternatives("", names)}`,
  );
  return [];
}

/** What PVE says about a VM that it imports (pve-storage: src/PVE/Storage/ESXiPlugin.pm, src/PVE/GuestImport/OVF.pm). */
const causes: Readonly<Record<string, string>> = {
  "cdrom-image-ignored": "has a CD image, which is not imported",
  "efi-state-lost": "has settings of its firmware, which are not imported: its boot entries may have to be made anew",
  "guest-is-running": "runs on its host; stop it there, since its disks change while they are read",
  "nvme-unsupported": "has a disk on an NVMe controller, which becomes a SCSI disk",
  "ova-needs-extracting":
    "is in an archive, from which its disks are extracted first: that takes as much space again on the storage of the file",
  "serial-port-socket-only": "has a serial port, which becomes a socket",
};

function reportWarnings({ report }: VmPlan, { warnings }: ImportableVm, path: readonly string[]): void {
  if (warnings.length === 0) return;
  const said = warnings.map(
    ({ type, key }) => `The VM ${causes[type] ?? `causes the warning \`${type}\``}${key ? ` (\`${key}\`)` : ""}.`,
  );
  report.warning(path, "Not all of it is imported as it is", said.join(" "));
}
