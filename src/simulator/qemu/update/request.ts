import { die, failureText, paramError } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { splitList } from "../../core/schema/format.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { checkSshKeys } from "../../guests/ssh-keys.ts";
import { checkHookScript } from "../../storage/hook-script.ts";
import { completeNet } from "../config/net.ts";
import { configOptions } from "../config/options.ts";
import { requireCpuModel } from "../custom-cpu.ts";
import { checkDriveParameters, checkStorageAccess, type Settings } from "../disks/drive-checks.ts";
import { checkBridgeAccess } from "./bridge-access.ts";
import { checkOptionPrivileges } from "./option-privileges.ts";
import { settingsOf } from "./settings.ts";

/** A change of a VM's configuration that passed all checks that do not depend on the VM. */
export interface UpdateRequest {
  readonly vmid: number;
  readonly settings: Settings;
  readonly remove: readonly string[];
  readonly revert: readonly string[];
  /** The volumes of removed drives are deleted. */
  readonly force: boolean;
  readonly skipLock: boolean;
  readonly digest: string | undefined;
  readonly workingStorage: string | undefined;
  /** The request as the task log shows it. */
  readonly summary: string;
}

/** Parameters of the call that are not options of the VM. */
const controls = [
  ...["node", "vmid", "digest", "background_delay", "import-working-storage"],
  ...["skiplock", "delete", "revert", "force"],
];

/** The first half of `$update_vm_api` in qemu-server `src/PVE/API2/Qemu.pm`, in its order of checks. */
export function readUpdate(
  process: Process,
  params: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, string>>,
): UpdateRequest {
  const { caller, sim } = process;
  const vmid = Number(given["vmid"]);
  const settings = settingsOf(params, given, controls);
  const summary = summarise(given);
  requireCpuModel(sim.world, settings["cpu"]);
  requireRootFor(caller, "skiplock", given["skiplock"] === "1");
  if (settings["sshkeys"] !== undefined) {
    checkSshKeys(settings["sshkeys"]);
  }
  if (!given["delete"] && !given["revert"] && Object.keys(settings).length === 0) {
    die("no options specified");
  }
  const revert = readReverts(given["revert"], settings);
  const remove = readRemovals(given["delete"], settings, revert);
  checkDriveParameters(sim.world, settings);
  completeSettings(process, settings);
  checkOptionPrivileges(caller, vmid, undefined, remove);
  checkOptionPrivileges(caller, vmid, undefined, Object.keys(settings));
  const workingStorage = given["import-working-storage"];
  checkStorageAccess(process, settings, { vmid, workingStorage });
  checkBridgeAccess(process, settings);
  return {
    vmid,
    settings,
    remove,
    revert,
    force: given["force"] === "1",
    skipLock: given["skiplock"] === "1",
    digest: given["digest"],
    workingStorage,
    summary,
  };
}

function summarise(given: Readonly<Record<string, string>>): string {
  const hidden = new Set(["node", "vmid", "digest", "background_delay", "import-working-storage"]);
  return Object.keys(given)
    .filter((key) => !hidden.has(key))
    .sort()
    .map((key) => `-${key} ${key === "cipassword" ? "<hidden>" : given[key]}`)
    .join(" ");
}

function readReverts(list: string | undefined, settings: Settings): string[] {
  const options = splitList(list ?? "");
  for (const option of options) {
    if (configOptions[option] === undefined) {
      paramError({ revert: `unknown option '${option}'` });
    }
    if (settings[option] !== undefined) {
      paramError({ delete: `you can't use '-${option}' and -revert ${option}' at the same time` });
    }
  }
  return options;
}

function readRemovals(list: string | undefined, settings: Settings, revert: readonly string[]): string[] {
  const options = splitList(list ?? "").map((option) => (option === "cdrom" ? "ide2" : option));
  for (const option of options) {
    if (settings[option] !== undefined) {
      paramError({ delete: `you can't use '-${option}' and -delete ${option}' at the same time` });
    }
    if (revert.includes(option)) {
      paramError({ revert: `you can't use '-delete ${option}' and -revert ${option}' at the same time` });
    }
    if (configOptions[option] === undefined) {
      paramError({ delete: `unknown option '${option}'` });
    }
  }
  return options;
}

/** The values that the server adds before it checks privileges: addresses, a generation id. */
function completeSettings(process: Process, settings: Settings): void {
  for (const [option, value] of Object.entries(settings)) {
    if (value === undefined) {
      continue;
    }
    if (/^net\d+$/.test(option)) {
      settings[option] = completeNet(process, value);
    } else if (option === "vmgenid" && value === "1") {
      settings[option] = process.sim.random.uuid();
    } else if (option === "hookscript") {
      requireHookScript(process, value);
    }
  }
}

function requireHookScript(process: Process, volid: string): void {
  try {
    checkHookScript(process, volid);
  } catch (thrown) {
    paramError({ hookscript: failureText(thrown) });
  }
}
