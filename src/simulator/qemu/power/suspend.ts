import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die } from "../../core/kernel/failure.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { boolean } from "../../core/schema/schema.ts";
import { node, skipLock, storageId, vmid } from "../../core/schema/standard-options.ts";
import type { Section } from "../../core/world/guest.ts";
import type { World } from "../../core/world/world.ts";
import { isHaManaged } from "../../guests/ha.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { getStorage, isShared } from "../../storage/storages.ts";
import { allocateDisk } from "../../storage/vdisk.ts";
import { findVolumeId } from "../../storage/volume-name.ts";
import { drivesOf, isCdrom } from "../config/drive.ts";
import { runningMachine } from "../config/machine.ts";
import { memoryMiB } from "../config/memory.ts";
import { isTrue } from "../config/perl.ts";
import { checkNonMigratable } from "../migration/non-migratable.ts";
import { checkLock, getVm, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { checkRunning, endProcess } from "./run-state.ts";

const MiB = 2 ** 20;

/** `find_vmstate_storage`: the configured storage, otherwise one of the VM's own, shared and file-based ones first. */
function stateStorage(world: World, config: Section): string {
  if (isTrue(config["vmstatestorage"])) {
    return config["vmstatestorage"];
  }
  const used = drivesOf(config)
    .filter(([, drive]) => !isCdrom(drive))
    .flatMap(([, drive]) => findVolumeId(drive.file)?.storage ?? []);
  const storages = [...new Set(used)].sort().map((id) => getStorage(world, id));
  const pick = (shared: boolean) => {
    const candidates = storages.filter((storage) => isShared(storage) === shared);
    return candidates.findLast(({ options }) => options["path"] !== undefined) ?? candidates[0];
  };
  return (pick(true) ?? pick(false))?.storage ?? "local";
}

export interface SavedState {
  readonly vmstate: string;
  readonly runningmachine: string;
  readonly runningcpu: string;
}

/** `__snapshot_save_vmstate`: a volume for twice the memory and the state of the devices. */
export async function saveState(
  process: Process,
  id: number,
  config: Section,
  { name, storage = stateStorage(process.sim.world, config) }: { name: string; storage?: string | undefined },
): Promise<SavedState> {
  const { world } = process.sim;
  const extension = getStorage(world, storage).options["path"] === undefined ? "" : ".raw";
  const vmstate = await allocateDisk(process, {
    storage,
    vmid: id,
    format: "raw",
    name: `vm-${id}-state-${name}${extension}`,
    size: (memoryMiB(config["memory"]) * 2 + 500) * MiB,
  });
  const machine = runningMachine(config["machine"], world.cluster.qemuVersion);
  return { vmstate, runningmachine: machine, runningcpu: "kvm64,enforce,+kvm_pv_eoi,+kvm_pv_unhalt,+lahf_lm,+sep" };
}

/** `vm_suspend` in qemu-server `src/PVE/QemuServer/RunState.pm`. */
export async function suspendVm(
  task: Task,
  id: number,
  options: { todisk: boolean; storage?: string | undefined; skip: boolean },
) {
  await withConfigLock(task, id, async () => {
    const conf = loadConfig(task, id);
    const isBackup = conf.config["lock"] === "backup";
    if (!options.skip && !isBackup) {
      checkLock(conf);
    }
    if (isBackup && options.todisk) {
      die("cannot suspend to disk during backup");
    }
    checkNonMigratable(conf.config, options.todisk);
    const { run } = getVm(task, id);
    if (!options.todisk) {
      if (run !== undefined) {
        run.paused = true;
      }
      return;
    }
    const day = new Date(task.sim.clock.now() * 1000).toISOString().slice(0, 10);
    const state = await saveState(task, id, conf.config, { name: `suspend-${day}`, storage: options.storage });
    Object.assign(conf.config, state, { lock: "suspending" });
    saveConfig(task, id, conf);
  });
  if (options.todisk) {
    await finishSuspend(task, id);
  }
}

async function finishSuspend(task: Task, id: number): Promise<void> {
  await task.sleep(1);
  task.print("State saved, quitting");
  await withConfigLock(task, id, () => {
    const conf = loadConfig(task, id);
    if (conf.config["lock"] !== "suspending") {
      die("lock changed unexpectedly");
    }
    endProcess(getVm(task, id));
    conf.config["lock"] = "suspended";
    saveConfig(task, id, conf);
  });
}

function suspendRequest(call: Call, id: number): string {
  const { caller, given, world } = call;
  requireRootFor(caller, "skiplock", given["skiplock"] === "1");
  if (!checkRunning(call, id)) {
    die(`VM ${id} not running`);
  }
  const todisk = given["todisk"] === "1";
  if (todisk && isHaManaged(world, id)) {
    die("Cannot suspend HA managed VM to disk");
  }
  if (todisk) {
    caller.checkVm(id, undefined, ["VM.Config.Disk"]);
    const { config } = getVm(call, id);
    if (Object.keys(config).some((key) => /^hostpci\d+/.test(key))) {
      const reason = "which lack the possibility to save/restore their internal state";
      die(`cannot suspend VM to disk due to passed-through PCI device(s), ${reason}`);
    }
    caller.check(`/storage/${given["statestorage"] ?? stateStorage(world, config)}`, ["Datastore.AllocateSpace"]);
  }
  const options = { todisk, storage: given["statestorage"], skip: given["skiplock"] === "1" };
  return call.worker(todisk ? "qmsuspend" : "qmpause", String(id), (task) => suspendVm(task, id, options));
}

export const suspendEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/status/suspend",
    ...onGuest("VM.PowerMgmt"),
    parameters: {
      node,
      vmid,
      skiplock: skipLock,
      todisk: boolean({ optional: true, default: 0 }),
      statestorage: { ...storageId, optional: true, requires: "todisk" },
    },
    handler: (call) => suspendRequest(call, call.params.vmid),
  }),
];
