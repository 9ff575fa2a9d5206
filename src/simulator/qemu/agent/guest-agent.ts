import { die, failureText } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import type { Guest } from "../../core/world/guest.ts";
import { isAgentEnabled } from "../config/agent.ts";
import { isAgentAnswering } from "../power/run-state.ts";

/** Seconds that PVE waits for an answer to `guest-ping`. */
const pingSeconds = 3;

/** `guest-ping` with its timeout; without a channel it fails at once. */
async function ping(process: Process, guest: Guest): Promise<void> {
  const enabled = isAgentEnabled(guest.config["agent"]);
  if (isAgentAnswering(process.sim, guest, enabled)) {
    return;
  }
  if (enabled) {
    // An interrupt only ends the wait for the answer, and PVE continues.
    await process.sleep(pingSeconds, "uninterruptible");
  }
  die(`VM ${guest.vmid} qga command 'guest-ping' failed - got timeout`);
}

/** `qga_check_running` in qemu-server `src/PVE/QemuServer/Agent.pm`; the reason is logged. */
export async function isAgentRunning(process: Process, guest: Guest, { quiet = false } = {}): Promise<boolean> {
  try {
    await ping(process, guest);
    return true;
  } catch (thrown) {
    if (!quiet) {
      process.print(`QEMU Guest Agent is not running - ${failureText(thrown)}`);
    }
    return false;
  }
}

/** `assert_agent_available`. */
export async function requireAgent(process: Process, guest: Guest): Promise<void> {
  if (guest.config["agent"] === undefined) {
    die("No QEMU guest agent configured");
  }
  if (guest.run === undefined) {
    die(`VM ${guest.vmid} is not running`);
  }
  if (!(await isAgentRunning(process, guest, { quiet: true }))) {
    die("QEMU guest agent is not running");
  }
}
