import { endpoint } from "../../core/kernel/endpoint.ts";
import { die } from "../../core/kernel/failure.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process } from "../../core/kernel/process.ts";
import { string } from "../../core/schema/schema.ts";
import { node, vmid } from "../../core/schema/standard-options.ts";
import { createBaseDisk } from "../../storage/vdisk.ts";
import { hasFeature } from "../../storage/volumes.ts";
import type { VmConfig } from "../config/config-text.ts";
import { drivesOf, isCdrom, printDrive } from "../config/drive.ts";
import { driveSlots } from "../config/drive-formats.ts";
import { checkRunning } from "../power/run-state.ts";
import { checkLock, getVm, isTemplate, loadConfig, saveConfig, withConfigLock } from "../vm.ts";

/** `template_create`: converts each disk, or only the given one, to a base image if its storage supports that. */
export async function createBaseImages(process: Process, id: number, conf: VmConfig, only?: string): Promise<void> {
  for (const [slot, drive] of drivesOf(conf.config)) {
    const isWanted = !isCdrom(drive) && (only === undefined || slot === only);
    if (isWanted && hasFeature(process.sim.world, "template", drive.file)) {
      conf.config[slot] = printDrive({ ...drive, file: await createBaseDisk(process, drive.file) });
      saveConfig(process, id, conf);
    }
  }
}

function checkConvertible(process: Process, id: number, disk: string | undefined): void {
  const guest = getVm(process, id);
  checkLock(guest);
  if (Object.keys(guest.snapshots).length > 0) {
    die("unable to create template, because VM contains snapshots");
  }
  if (isTemplate(guest) && disk === undefined) {
    die("you can't convert a template to a template");
  }
  if (checkRunning(process, id)) {
    die("you can't convert a VM to template if VM is running");
  }
}

export const templateEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/template",
    ...onGuest("VM.Allocate"),
    parameters: { node, vmid, disk: string({ optional: true, enum: driveSlots }) },
    handler: (call) => {
      const { vmid: id, disk } = call.params;
      checkConvertible(call, id, disk);
      return call.worker("qmtemplate", String(id), (task) =>
        withConfigLock(task, id, async () => {
          checkConvertible(task, id, disk);
          const conf = loadConfig(task, id);
          conf.config["template"] = "1";
          saveConfig(task, id, conf);
          await createBaseImages(task, id, conf, disk);
        }),
      );
    },
  }),
];
