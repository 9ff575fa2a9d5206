import { type Check, type Finding, failed, notice, ok } from "../check.ts";

/** What there is in 9 and not in 8, as far as this provider uses it. */
const missingInEight = [
  "guest agent: 9 asks for VM.GuestAgent.Audit, 8 for VM.Monitor, so `agent.wait` and agent addresses are refused",
  "roles: 8 knows none of VM.GuestAgent.* and VM.Replicate, so a role made for 9 cannot be made there",
  "high availability: 8 has groups where 9 has rules, so rules and `failback` cannot be set",
  "error texts: before 8.3 they come in the status line only, and a lost lock fails the call rather than its task",
  "requests above 64 KiB (long cloud-init texts) are refused before 8.4",
];

const upgrade = "https://pve.proxmox.com/wiki/Upgrade_from_8_to_9";

/** Whether it is a version this provider was made for. */
export const version: Check = {
  id: "version",
  needs: ["login"],
  look: async (visit) => judgeVersion((await visit.version()).version),
};

export function judgeVersion(text: string): Finding {
  const major = Number.parseInt(text, 10);
  if (major === 9) return ok(`Proxmox VE ${text}`);
  if (major === 8) {
    return failed(
      `Proxmox VE ${text}: this provider is for 9, and some things will not work`,
      ...missingInEight.map((one) => `- ${one}`),
      `Upgrade with \`pve8to9 --full\` and ${upgrade}.`,
    );
  }
  return major > 9
    ? notice(`Proxmox VE ${text} is newer than this provider, which was made for 9`, "Look for a newer provider.")
    : failed(`Proxmox VE ${text} is too old: this provider is for 9`, `Upgrade to 8 first, then see ${upgrade}.`);
}
