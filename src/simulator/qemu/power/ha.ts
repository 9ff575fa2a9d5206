import type { Process } from "../../core/kernel/process.ts";
import { isHaManaged, requestState } from "../../ha/services.ts";

/**
 * Power and migration of a VM under HA's control are only wishes: the task ends at once, the HA stack acts later.
 * Undefined if the VM is not under its control.
 */
export function requestViaHa(process: Process, vmid: number, state: "started" | "stopped"): string | undefined {
  const { world } = process.sim;
  if (!isHaManaged(world, vmid)) {
    return undefined;
  }
  const word = state === "started" ? "start" : "stop";
  return process.worker(`ha${word}`, String(vmid), (task) => {
    task.print(`Requesting HA ${word} for VM ${vmid}`);
    requestState(world, vmid, state);
  });
}

export function migrateViaHa(process: Process, vmid: number, target: string): string | undefined {
  const { world } = process.sim;
  if (!isHaManaged(world, vmid)) {
    return undefined;
  }
  return process.worker("hamigrate", String(vmid), (task) => {
    task.print(`Requesting HA migration for VM ${vmid} to node ${target}`);
    const service = world.ha.services[`vm:${vmid}`];
    if (service !== undefined) {
      service.target = target;
    }
  });
}
