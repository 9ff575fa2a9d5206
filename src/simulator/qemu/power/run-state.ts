import type { Process } from "../../core/kernel/process.ts";
import type { Simulation } from "../../core/kernel/simulation.ts";
import type { Guest, Section } from "../../core/world/guest.ts";
import { requireGuestAddresses } from "../../sdn/guest-addresses.ts";
import { cloudInitSlot } from "../config/drive.ts";
import { requireVm } from "../vm.ts";

/** `check_running`: dies like PVE if the VM is not on this node. */
export function checkRunning(process: Process, vmid: number): boolean {
  return requireVm(process, vmid).run !== undefined;
}

/** `vm_is_paused`: false for a VM that does not exist or does not run. */
export function isPaused(guest: Guest | undefined): boolean {
  return guest?.run?.paused === true;
}

/** Creates the QEMU process; `config` is the configuration with which it starts. */
export function startProcess(sim: Simulation, guest: Guest, config: Section): void {
  requireGuestAddresses(sim.world, guest.vmid, config);
  guest.run = {
    since: sim.clock.now(),
    pid: 1000 + sim.random.below(30_000),
    ...(config["freeze"] === "1" && { paused: true }),
    ipconfig: driveAddresses(guest, config),
  };
}

/** The addresses on the cloud-init drive, which may be older than the configuration; empty without a drive. */
function driveAddresses({ cloudinit }: Guest, config: Section): Section {
  if (cloudInitSlot(config) === undefined) {
    return {};
  }
  const entries = Object.entries({ ...config, ...cloudinit });
  return Object.fromEntries(entries.filter(([key]) => /^ipconfig\d+$/.test(key)));
}

/** Boots the guest's system again in the same process; it reads its drive again. */
export function rebootSystem(sim: Simulation, guest: Guest): void {
  if (guest.run !== undefined) {
    Object.assign(guest.run, { since: sim.clock.now(), ipconfig: driveAddresses(guest, guest.config), processes: {} });
  }
}

export function endProcess(guest: Guest): void {
  guest.run = undefined;
}

/**
 * Starts the shutdown of the guest's operating system; its process ends some time later, with or without a waiting
 * task.
 */
export function beginShutdown(sim: Simulation, guest: Guest): void {
  const { run } = guest;
  const { acpiShutdown } = sim.world.cluster.behaviour;
  void sim.clock.sleep(acpiShutdown).then(() => {
    if (guest.run === run) {
      endProcess(guest);
    }
  });
}

/** Whether an agent is installed, the process has a channel for it, and the guest has had time to boot. */
export function isAgentAnswering(sim: Simulation, guest: Guest, enabled: boolean): boolean {
  const { run, behaviour } = guest;
  const { agentAfterStart } = sim.world.cluster.behaviour;
  return enabled && behaviour.agent && run?.paused !== true && sim.clock.since(run?.since ?? 0) >= agentAfterStart;
}
