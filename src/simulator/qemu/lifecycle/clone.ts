import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { dnsNameFormat } from "../../core/schema/network-formats.ts";
import { parsePropertyString, printPropertyString } from "../../core/schema/property-string.ts";
import { integer, string } from "../../core/schema/schema.ts";
import type { Section } from "../../core/world/guest.ts";
import { getSnapshot, newGuest } from "../../core/world/guest.ts";
import { copyGuestFirewall, removeGuestFirewall } from "../../firewall/files.ts";
import { cloneParameters, mayClone } from "../../guests/clone.ts";
import { randomMac } from "../../guests/mac-address.ts";
import { failureReason } from "../../guests/migration-log.ts";
import { addGuestToPool, checkPoolExists } from "../../pools/membership.ts";
import { getImage } from "../../storage/images.ts";
import { getEnabledStorage, getStorage, holds, isShared } from "../../storage/storages.ts";
import { parseVolumeId } from "../../storage/volume-name.ts";
import { hasFeature } from "../../storage/volumes.ts";
import { smbios1Format } from "../config/device-formats.ts";
import {
  type Drive,
  drivesOf,
  isCdrom,
  isCloudInit,
  isOrdinaryCdrom,
  parseDrive,
  printDrive,
} from "../config/drive.ts";
import { parseNet, printNet } from "../config/net.ts";
import { isDriveSlot } from "../config/options.ts";
import { isTrue } from "../config/perl.ts";
import { cloneDrive } from "../disks/clone-drive.ts";
import { freeQuietly } from "../disks/create-disks.ts";
import { efiVarsSize } from "../disks/efi-vars.ts";
import { checkRunning } from "../power/run-state.ts";
import { checkBridgeAccess } from "../update/bridge-access.ts";
import { checkCpuModelAccess, checkMappingAccess } from "../update/device-privileges.ts";
import { checkLock, findVm, getVm, isTemplate, saveConfig, withConfigLock } from "../vm.ts";

// `clone_vm` in qemu-server `src/PVE/API2/Qemu.pm`.

interface CloneRequest {
  readonly vmid: number;
  readonly newid: number;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly pool: string | undefined;
  readonly snapshot: string | undefined;
  readonly storage: string | undefined;
  readonly format: string | undefined;
  readonly full: boolean | undefined;
  /** If it is another node. */
  readonly target: string | undefined;
  readonly bandwidth: number | undefined;
  /** Whether the source was running at the time of the request. */
  readonly running: boolean;
}

interface ClonePlan {
  readonly source: Section;
  /** The new configuration without its drives. */
  readonly config: Section;
  readonly drives: readonly { readonly slot: string; readonly drive: Drive; readonly full: boolean }[];
  /** The values from which the source's cloud-init drive was generated; copied to the clone. */
  readonly cloudinit: Section;
  /** Pending changes of the source, which are not part of the clone. */
  readonly discarded: readonly string[];
}

/** Options about the source's history, not its hardware. */
const notCopied = new Set([
  ...["parent", "snaptime", "vmstate", "snapstate", "runningcpu", "runningmachine", "running-nets-host-mtu"],
]);

/** Seconds for which a clone is only a reserved VMID. */
const activationSeconds = 0.1;

/** All checks are made before the task starts and again in the task. */
function planClone(process: Process, request: CloneRequest): ClonePlan {
  const { world } = process.sim;
  if (request.pool !== undefined) {
    checkPoolExists(world, request.pool);
  }
  if (request.target !== undefined && world.nodes[request.target] === undefined) {
    die(`no such cluster node '${request.target}'`);
  }
  checkTargetStorage(process, request);
  const guest = getVm(process, request.vmid);
  checkLock(guest);
  if (checkRunning(process, request.vmid) !== request.running) {
    die("unexpected state change");
  }
  const source = request.snapshot === undefined ? guest.config : getSnapshot(guest, request.snapshot);
  const full = request.full ?? !isTemplate(guest);
  if (!full && request.storage !== undefined) {
    die("parameter 'storage' not allowed for linked clones");
  }
  if (!full && request.format !== undefined) {
    die("parameter 'format' not allowed for linked clones");
  }
  checkSourceAccess(process, source, request);
  if (findVm(world, request.newid, process.node) !== undefined) {
    die(`unable to create VM ${request.newid}: config file already exists`);
  }
  const { set, delete: remove } = guest.pending;
  const isCurrent = request.snapshot === undefined;
  return {
    source,
    ...copyOptions(process, source, { ...request, full }),
    cloudinit: isCurrent ? guest.cloudinit : {},
    discarded: isCurrent ? [...Object.keys(set), ...(Object.keys(remove).length > 0 ? ["delete"] : [])] : [],
  };
}

function checkTargetStorage(process: Process, { storage, target }: CloneRequest): void {
  if (!isTrue(storage)) {
    return;
  }
  const { world } = process.sim;
  const config = getEnabledStorage(world, storage, process.node);
  if (!holds(config, "images")) {
    paramError({ storage: `storage '${storage}' does not support vm images` });
  }
  if (target !== undefined) {
    getEnabledStorage(world, storage, target);
    if (!isShared(config)) {
      die(`can't clone to non-shared storage '${storage}'`);
    }
  }
}

/**
 * Checks space on every storage, and the source's networks and mappings; a clone to another node requires shared
 * storages.
 */
function checkSourceAccess(process: Process, source: Section, { storage, target }: CloneRequest): void {
  const { caller, sim } = process;
  let isSharedVm = true;
  for (const [, drive] of drivesOf(source)) {
    if (drive.file === "none") {
      continue;
    }
    if (isCdrom(drive) && drive.file === "cdrom") {
      caller.check("/", ["Sys.Console"]);
      continue;
    }
    const { storage: present } = parseVolumeId(drive.file);
    isSharedVm &&= isShared(getStorage(sim.world, present));
    if (!isCdrom(drive)) {
      caller.check(`/storage/${storage ?? present}`, ["Datastore.AllocateSpace"]);
    }
  }
  if (source["vmstatestorage"] !== undefined) {
    caller.check(`/storage/${source["vmstatestorage"]}`, ["Datastore.AllocateSpace"]);
  }
  checkMappingAccess(caller, source);
  checkBridgeAccess(process, source);
  checkCpuModelAccess(caller, source["cpu"]);
  if (target !== undefined && !isSharedVm) {
    die(`can't clone VM to node '${target}' (VM uses local storage)`);
  }
}

function copyOptions(
  process: Process,
  source: Section,
  request: CloneRequest & { full: boolean },
): Pick<ClonePlan, "config" | "drives"> {
  const config: Section = { lock: "clone" };
  const drives: { slot: string; drive: Drive; full: boolean }[] = [];
  for (const [option, value] of Object.entries(source).sort()) {
    if (notCopied.has(option) || /^unused\d+$/.test(option)) {
      continue;
    }
    if (option === "tpmstate0" && request.full && request.running && request.snapshot === undefined) {
      die("cannot clone TPM state while VM is running");
    }
    const drive = isDriveSlot(option) ? parseDrive(option, value) : undefined;
    if (drive !== undefined && !isOrdinaryCdrom(drive)) {
      const full = request.full || isCloudInit(drive) || option === "tpmstate0";
      requireFeature(process, option, drive, { full, snapshot: request.snapshot });
      drives.push({ slot: option, drive, full });
    } else {
      config[option] = /^net\d+$/.test(option)
        ? printNet({ ...parseNet(value), macaddr: randomMac(process.sim) })
        : value;
    }
  }
  return { config, drives };
}

function requireFeature(
  process: Process,
  slot: string,
  { file }: Drive,
  { full, snapshot }: { full: boolean; snapshot: string | undefined },
): void {
  if (!hasFeature(process.sim.world, full ? "copy" : "clone", file, snapshot)) {
    const subject = `${snapshot === undefined ? "" : " a snapshot of"} '${file}' (${slot})`;
    die(`${full ? "Full" : "Linked"} clone feature is not supported for${subject}`);
  }
}

/** Sets the options that make the clone a separate machine. */
function giveIdentity(process: Process, plan: ClonePlan, request: CloneRequest): void {
  const { config, source } = plan;
  const { random } = process.sim;
  const smbios = isTrue(config["smbios1"]) ? parsePropertyString(smbios1Format, config["smbios1"]) : {};
  config["smbios1"] = printPropertyString(smbios1Format, { ...smbios, uuid: random.uuid() });
  if (isTrue(config["vmgenid"])) {
    config["vmgenid"] = random.uuid();
  }
  delete config["template"];
  config["name"] = isTrue(request.name) ? request.name : `Copy-of-VM-${source["name"] ?? request.vmid}`;
  if (isTrue(request.description)) {
    config["description"] = request.description;
  }
}

async function clone(task: Task, request: CloneRequest): Promise<void> {
  const { world } = task.sim;
  const { newid, vmid: id } = request;
  const plan = planClone(task, request);
  task.print(`creating a clone of VM ${id} with ID ${newid}`);
  giveIdentity(task, plan, request);
  if (world.guests[newid] !== undefined) {
    const file = `/etc/pve/nodes/${task.node}/qemu-server/${newid}.conf`;
    die(`close (rename) atomic file '${file}' failed: File exists`);
  }
  const stub = { description: " qmclone temporary file", lock: "clone" };
  world.guests[newid] = newGuest("qemu", newid, task.node, stub);
  copyGuestFirewall(world, id, newid);
  const created: string[] = [];
  try {
    await task.sleep(activationSeconds);
    await copyDrives(task, request, plan, created);
    await finish(task, request, plan);
  } catch (thrown) {
    await task.sleep(1, "uninterruptible");
    await freeQuietly(task, created);
    removeGuestFirewall(world, newid);
    delete world.guests[newid];
    die(`clone failed: ${failureReason(thrown)}`);
  }
}

async function copyDrives(task: Task, request: CloneRequest, plan: ClonePlan, created: string[]): Promise<void> {
  const { snapshot, newid, storage, format, bandwidth, running } = request;
  for (const { drive } of plan.drives.filter(({ drive: candidate }) => !isCloudInit(candidate))) {
    getImage(task.sim.world, drive.file, task.node);
  }
  const efiDrive = plan.drives.find(({ slot }) => slot === "efidisk0")?.drive;
  const efiSize = efiVarsSize(plan.source["arch"] ?? "x86_64", efiDrive);
  for (const { slot, drive, full } of plan.drives) {
    const source = { drive, vmid: request.vmid, slot, running, snapshot };
    const target = { vmid: newid, slot, storage, format, efiSize, bandwidth };
    plan.config[slot] = printDrive(await cloneDrive(task, source, target, { full, created }));
    writeConfig(task, newid, plan);
  }
}

function writeConfig(task: Task, newid: number, { config, cloudinit }: Pick<ClonePlan, "config" | "cloudinit">): void {
  saveConfig(task, newid, { config, pending: { set: {}, delete: {} }, cloudinit, snapshots: {} });
}

/** The clone is unlocked first, then moved to its node, and then added to its pool. */
async function finish(task: Task, { newid, target, pool }: CloneRequest, plan: ClonePlan): Promise<void> {
  const { lock: _lock, ...config } = plan.config;
  if (plan.discarded.length > 0) {
    task.print(`found pending changes for '${plan.discarded.join(",")}', discarding for clone`);
  }
  writeConfig(task, newid, { ...plan, config });
  const guest = getVm(task, newid);
  if (target !== undefined) {
    guest.node = target;
  }
  if (pool !== undefined) {
    await addGuestToPool(task, newid, pool);
  }
}

/** Source and target are locked for the whole duration; a stopped source can be cloned several times at once. */
function cloneInWorker(task: Task, request: CloneRequest): Promise<void> {
  const withTarget = () => withConfigLock(task, request.newid, () => clone(task, request), { seconds: 1 });
  return withConfigLock(task, request.vmid, withTarget, { seconds: 1, shared: !request.running });
}

function readRequest(call: Call, id: number): CloneRequest {
  const { given } = call;
  const target = given["target"];
  return {
    vmid: id,
    newid: Number(given["newid"]),
    name: given["name"],
    description: given["description"],
    pool: given["pool"],
    snapshot: isTrue(given["snapname"]) ? given["snapname"] : undefined,
    storage: given["storage"],
    format: given["format"],
    full: given["full"] === undefined ? undefined : given["full"] === "1",
    target: target === call.node || target === "localhost" || !isTrue(target) ? undefined : target,
    bandwidth: given["bwlimit"] === undefined ? undefined : Number(given["bwlimit"]),
    running: checkRunning(call, id),
  };
}

export const cloneEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/clone",
    protected: true,
    proxyTo: "node",
    permissions: mayClone,
    parameters: {
      ...cloneParameters,
      name: string({ optional: true, format: dnsNameFormat }),
      format: string({ optional: true, enum: ["raw", "qcow2", "vmdk"] }),
      bwlimit: integer({ optional: true, minimum: 0, default: "clone limit from datacenter or storage config" }),
    },
    handler: (call) => {
      const request = readRequest(call, call.params.vmid);
      planClone(call, request);
      return call.worker("qmclone", String(request.vmid), (task) => cloneInWorker(task, request));
    },
  }),
];
