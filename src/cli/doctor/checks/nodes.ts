import { enumerate } from "#kit";
import { isPveError, type NodeResource } from "#pve";
import { type Check, type Finding, failed, notice, ok } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

/** A broadcast older than this many seconds has missed several cycles of 10 s. */
const mostLag = 60;

/** Which nodes are reachable, and whether the cluster's data about them is up to date. */
export const nodes: Check = {
  id: "nodes",
  needs: ["login"],
  async look(context) {
    const { nodes: members } = await context.client().inventory.snapshot();
    const judged = await Promise.all([...members.values()].map((node) => judge(context, node)));
    const findings = judged.flatMap((finding) => finding ?? []);
    const fine = [...members.keys()].filter((_, index) => judged[index] === null);
    return fine.length === 0 ? findings : [ok(`online: ${enumerate(fine)}`), ...findings];
  },
};

/** Null: nothing is wrong with it. */
async function judge(context: CheckContext, { node, status, uptime }: NodeResource): Promise<Finding | null> {
  if (status === "offline") {
    return notice(`${node} is offline`, "Its guests can be neither read nor changed until it is back.");
  }
  try {
    await context.client().qemu.list(node);
  } catch (reason) {
    if (!isPveError(reason)) throw reason;
    return failed(
      `${node} does not answer: ${reason.message}`,
      `The cluster counts it as a member. On ${node}: \`systemctl status pveproxy pvedaemon\`.`,
    );
  }
  if (status === "unknown")
    return stale(node, "missing: its status is unknown, and its guests have neither name nor status");
  const lag = uptime === undefined ? 0 : await lagOf(context, node, uptime);
  return lag > mostLag ? stale(node, `${Math.round(lag)} s old`) : null;
}

async function lagOf(context: CheckContext, node: string, uptime: number): Promise<number> {
  const now = await context.client().nodes.getStatus(node);
  return (now.uptime ?? uptime) - uptime;
}

/** pvestatd polls one storage after the other and waits for each (pve-manager: PVE/Service/pvestatd.pm). */
const stale = (node: string, how: string): Finding =>
  notice(
    `${node} is online, but its statistics are ${how}`,
    "Its pvestatd hangs, most often at a storage that does not respond (NFS, CIFS, Proxmox Backup Server). In the first",
    "minute after a boot this is normal. This is not a missing privilege, and plans and applies work, since they ask the node itself.",
    `On ${node}: \`systemctl status pvestatd\`, \`journalctl -u pvestatd\`; \`pvesm status\` hangs at, or names, the storage.`,
    "Bring the storage back or disable it (`pvesm set <storage> --disable 1`), then `systemctl restart pvestatd`.",
  );
