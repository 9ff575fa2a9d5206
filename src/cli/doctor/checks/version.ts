import { type Check, type Finding, failed, notice, ok } from "../check.ts";

/** Differences between 9 and 8, as far as this provider is affected. */
const missingInEight = [
  "guest agent: 9 requires VM.GuestAgent.Audit, 8 requires VM.Monitor, so `agent.wait` and agent addresses are refused",
  "roles: 8 has neither VM.GuestAgent.* nor VM.Replicate, so a role for 9 cannot be created there",
  "high availability: 8 has groups where 9 has rules, so rules and `failback` cannot be set",
  "error texts: before 8.3 they are only in the status line, and a lost lock fails the call, not its task",
  "requests above 64 KiB (long cloud-init texts) are refused before 8.4",
];

const upgrade = "https://pve.proxmox.com/wiki/Upgrade_from_8_to_9";

/** Whether this provider supports the version. */
export const version: Check = {
  id: "version",
  needs: ["login"],
  look: async (context) => judgeVersion((await context.version()).version),
};

export function judgeVersion(text: string): Finding {
  const major = Number.parseInt(text, 10);
  if (major === 9) return ok(`Proxmox VE ${text}`);
  if (major === 8) {
    return failed(
      `Proxmox VE ${text}: this provider is for 9, and some features will not work`,
      ...missingInEight.map((one) => `- ${one}`),
      `Upgrade with \`pve8to9 --full\` and ${upgrade}.`,
    );
  }
  return major > 9
    ? notice(`Proxmox VE ${text} is newer than this provider, which is for 9`, "Look for a newer provider.")
    : failed(`Proxmox VE ${text} is too old: this provider is for 9`, `Upgrade to 8 first, then see ${upgrade}.`);
}
