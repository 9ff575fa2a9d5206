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

/** `vm_is_paused`: a VM that is not there or not running is not paused either. */
export function isPaused(guest: Guest | undefined): boolean {
  return guest?.run?.paused === true;
}

/** The QEMU process comes into being; `config` is what it was started with. */
export function startProcess(sim: Simulation, guest: Guest, config: Section): void {
  requireGuestAddresses(sim.world, guest.vmid, config);
  guest.run = {
    since: sim.clock.now(),
    pid: 1000 + sim.random.below(30_000),
    ...(config["freeze"] === "1" && { paused: true }),
    ipconfig: driveAddresses(guest, config),
  };
}

/** The addresses on the cloud-init drive, which may be older than the configuration; none without a drive. */
function driveAddresses({ cloudinit }: Guest, config: Section): Section {
  if (cloudInitSlot(config) === undefined) {
    return {};
  }
  const entries = Object.entries({ ...config, ...cloudinit });
  return Object.fromEntries(entries.filter(([key]) => /^ipconfig\d+$/.test(key)));
}

/** The guest's system boots anew in the same process, and reads its drive again. */
export function rebootSystem(sim: Simulation, guest: Guest): void {
  if (guest.run !== undefined) {
    Object.assign(guest.run, { since: sim.clock.now(), ipconfig: driveAddresses(guest, guest.config), processes: {} });
  }
}

export function endProcess(guest: Guest): void {
  guest.run = undefined;
}

/** The guest's operating system begins to shut down; some time later its process is gone, watched or not. */
export function beginShutdown(sim: Simulation, guest: Guest): void {
  const { run } = guest;
  const { acpiShutdown } = sim.world.cluster.behaviour;
  void sim.clock.sleep(acpiShutdown).then(() => {
    if (guest.run === run) {
      endProcess(guest);
    }
  });
}

/** An agent is installed, the process has a channel for it, and the guest has had time to boot. */
export function isAgentAnswering(sim: Simulation, guest: Guest, enabled: boolean): boolean {
  const { run, behaviour } = guest;
  const { agentAfterStart } = sim.world.cluster.behaviour;
  return enabled && behaviour.agent && run?.paused !== true && sim.clock.since(run?.since ?? 0) >= agentAfterStart;
}
