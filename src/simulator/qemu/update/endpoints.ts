import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process } from "../../core/kernel/process.ts";
import { configIdListFormat } from "../../core/schema/formats.ts";
import { boolean, integer, string } from "../../core/schema/schema.ts";
import { node, skipLock, storageId, vmid } from "../../core/schema/standard-options.ts";
import { configDigest, type VmConfig } from "../config/config-text.ts";
import { memoryMiB } from "../config/memory.ts";
import { requestOptions } from "../config/options.ts";
import { isTrue } from "../config/perl.ts";
import { checkLock, getVm, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { applyPending } from "./apply-pending.ts";
import { checkCpuModelAccess } from "./device-privileges.ts";
import { hotplugPending } from "./hotplug.ts";
import { changeOption, removeOption, startUpdate } from "./options.ts";
import { cleanupPending, hasPending } from "./pending.ts";
import { readUpdate, type UpdateRequest } from "./request.ts";

// `PUT` and `POST` of a VM's configuration: `$update_vm_api` in qemu-server `src/PVE/API2/Qemu.pm`.

/** Checks before the lock is taken and again under it. */
function checkConfig(process: Process, request: UpdateRequest): VmConfig {
  const conf = loadConfig(process, request.vmid);
  if (isTrue(request.digest) && request.digest !== configDigest(conf)) {
    die("checksum mismatch (file change by other user?)");
  }
  checkCpuModelAccess(process.caller, request.settings["cpu"], conf.config["cpu"]);
  if (!request.skipLock && !(request.remove.includes("vmstate") && conf.config["lock"] === "suspended")) {
    checkLock(conf);
  }
  checkBalloon(request, conf);
  return conf;
}

function checkBalloon({ settings }: UpdateRequest, { config, pending }: VmConfig): void {
  if (!isTrue(settings["memory"]) && settings["balloon"] === undefined) {
    return;
  }
  const memory = [settings["memory"], pending.set["memory"], config["memory"]].find(isTrue);
  const balloon = settings["balloon"] ?? ([pending.set["balloon"], config["balloon"]].find(isTrue) || "0");
  if (isTrue(balloon) && Number(balloon) > memoryMiB(memory)) {
    die("balloon value too large (must be smaller than assigned memory)");
  }
}

/** `revert` removes a pending change: the current value is set again, or a new value is removed. */
function withReverts(request: UpdateRequest, { config, pending }: VmConfig): UpdateRequest {
  const settings = { ...request.settings };
  const remove = [...request.remove];
  for (const option of request.revert) {
    if (config[option] !== undefined) {
      settings[option] = config[option];
    } else if (pending.set[option] !== undefined) {
      remove.push(option);
    }
  }
  return { ...request, settings, remove };
}

/** Discarding a suspended state also unlocks the VM and removes the options about its process. */
function withVmState(request: UpdateRequest, { config }: VmConfig): UpdateRequest {
  if (!request.remove.includes("vmstate")) {
    return request;
  }
  const leftovers = ["runningmachine", "runningcpu", "running-nets-host-mtu"].filter((key) => isTrue(config[key]));
  const lock = config["lock"] === "suspended" ? ["lock"] : [];
  return { ...request, remove: [...request.remove, ...lock, ...leftovers] };
}

/** PVE has no order; here drives come before the boot order, so that a requested order wins. */
function byOption([a]: [string, unknown], [b]: [string, unknown]): number {
  return a === "boot" ? 1 : b === "boot" || a < b ? -1 : 1;
}

/** Writes the request to `[PENDING]` option by option, then applies the changes that can be applied. */
async function update(process: Process, given: UpdateRequest): Promise<void> {
  const { vmid: id } = given;
  const before = checkConfig(process, given);
  const request = withReverts(withVmState(given, before), before);
  process.print(`update VM ${id}: ${request.summary}`);
  const run = startUpdate(process, request, before);
  for (const option of request.remove) {
    run.modified.add(option);
    const conf = loadConfig(process, id);
    if (await removeOption(run, conf, option)) {
      saveConfig(process, id, conf);
    } else {
      run.modified.delete(option);
    }
  }
  for (const [option, value] of Object.entries(request.settings).sort(byOption)) {
    run.modified.add(option);
    const conf = loadConfig(process, id);
    if (value === undefined) {
      die(`unable to parse value of '${option}' - got undefined value`);
    }
    if (conf.pending.set[option] !== value) {
      await changeOption(run, conf, option, value);
      saveConfig(process, id, conf);
    }
  }
  await bringIntoEffect(process, id, run.modified);
}

async function bringIntoEffect(process: Process, id: number, modified: ReadonlySet<string>): Promise<void> {
  const conf = loadConfig(process, id);
  if (cleanupPending(conf)) {
    saveConfig(process, id, conf);
  }
  if (!hasPending(conf)) {
    return;
  }
  const running = getVm(process, id).run !== undefined;
  const errors = running ? await hotplugPending(process, id, conf, modified) : await applyPending(process, id, conf);
  if (Object.keys(errors).length > 0) {
    paramError(errors);
  }
}

/** Synchronous: the request ends when the change is applied. */
export async function updateNow(process: Process, request: UpdateRequest): Promise<null> {
  checkConfig(process, request);
  await withConfigLock(process, request.vmid, () => update(process, request));
  return null;
}

/**
 * In a worker. With `background_delay` the request waits that long: null if the task succeeded by then, its error if it
 * failed.
 */
async function updateInBackground(
  call: Call,
  request: UpdateRequest,
  delay: number | undefined,
): Promise<string | null> {
  checkConfig(call, request);
  const upid = call.worker("qmconfig", String(request.vmid), (task) =>
    withConfigLock(task, request.vmid, () => update(task, request)),
  );
  const task = call.world.tasks.findLast((record) => record.upid === upid);
  const step = 0.05;
  for (let waited = 0; waited < (delay ?? 0) && task?.exitstatus === undefined; waited += step) {
    await call.sleep(step);
  }
  const status = task?.exitstatus;
  if (delay === undefined || status === undefined) {
    return upid;
  }
  return /^(?:OK|WARNINGS: \d+)$/.test(status) ? null : die(`failed to update VM ${request.vmid}: ${status}`);
}

const anyConfigPrivilege = [
  "perm",
  "/vms/{vmid}",
  [
    "VM.Config.Disk",
    "VM.Config.CDROM",
    "VM.Config.CPU",
    "VM.Config.Memory",
    "VM.Config.Network",
    "VM.Config.HWType",
    "VM.Config.Options",
    "VM.Config.Cloudinit",
  ],
  { any: true },
] as const;

const parameters = {
  ...requestOptions,
  node,
  vmid,
  skiplock: skipLock,
  delete: string({ optional: true, format: configIdListFormat }),
  revert: string({ optional: true, format: configIdListFormat }),
  force: boolean({ optional: true, requires: "delete" }),
  digest: string({ optional: true, maxLength: 40 }),
};

export const updateEndpoints = [
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/qemu/{vmid}/config",
    protected: true,
    proxyTo: "node",
    permissions: { check: anyConfigPrivilege },
    parameters,
    handler: (call) => updateNow(call, readUpdate(call, call.params, call.given)),
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/config",
    protected: true,
    proxyTo: "node",
    permissions: { check: anyConfigPrivilege },
    parameters: {
      ...parameters,
      background_delay: integer({ optional: true, minimum: 1, maximum: 30 }),
      "import-working-storage": { ...storageId, optional: true },
    },
    handler: (call) =>
      updateInBackground(call, readUpdate(call, call.params, call.given), call.params.background_delay),
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/qemu/{vmid}/unlink",
    ...onGuest("VM.Config.Disk"),
    parameters: { node, vmid, idlist: string({ format: configIdListFormat }), force: boolean({ optional: true }) },
    handler: (call) => {
      const { idlist, ...params } = call.params;
      return updateNow(call, readUpdate(call, params, { ...call.given, delete: idlist }));
    },
  }),
];
