import { enumerate } from "#kit";
import { isPveError, type NodeResource } from "#pve";
import { type Check, type Finding, failed, notice, ok } from "../check.ts";
import type { Visit } from "../visit.ts";

/** A broadcast older than this many seconds has missed several cycles of 10 s. */
const mostLag = 60;

/** Which nodes can be asked, and whether what the cluster says of them is up to date. */
export const nodes: Check = {
  id: "nodes",
  needs: ["login"],
  async look(visit) {
    const { nodes: members } = await visit.client().inventory.snapshot();
    const judged = await Promise.all([...members.values()].map((node) => judge(visit, node)));
    const findings = judged.flatMap((finding) => finding ?? []);
    const fine = [...members.keys()].filter((_, index) => judged[index] === null);
    return fine.length === 0 ? findings : [ok(`online: ${enumerate(fine)}`), ...findings];
  },
};

/** Null: nothing is wrong with it. */
async function judge(visit: Visit, { node, status, uptime }: NodeResource): Promise<Finding | null> {
  if (status === "offline") {
    return notice(`${node} is offline`, "What is on it can be neither read nor changed until it is back.");
  }
  try {
    await visit.client().qemu.list(node);
  } catch (reason) {
    if (!isPveError(reason)) throw reason;
    return failed(
      `${node} does not answer: ${reason.message}`,
      `The cluster counts it as a member. On ${node}: \`systemctl status pveproxy pvedaemon\`.`,
    );
  }
  if (status === "unknown")
    return stale(node, "missing: its status is unknown, and its guests have neither name nor status");
  const lag = uptime === undefined ? 0 : await lagOf(visit, node, uptime);
  return lag > mostLag ? stale(node, `${Math.round(lag)} s old`) : null;
}

async function lagOf(visit: Visit, node: string, uptime: number): Promise<number> {
  const now = await visit.client().nodes.getStatus(node);
  return (now.uptime ?? uptime) - uptime;
}

/** pvestatd looks at one storage after the other and waits for each (pve-manager: PVE/Service/pvestatd.pm). */
const stale = (node: string, how: string): Finding =>
  notice(
    `${node} is online, but its statistics are ${how}`,
    "Its pvestatd hangs, most often at a storage that does not answer (NFS, CIFS, Proxmox Backup Server). In the first",
    "minute after a boot this is normal. It is not a missing privilege, and plans and applies work: the node itself is asked.",
    `On ${node}: \`systemctl status pvestatd\`, \`journalctl -u pvestatd\`; \`pvesm status\` hangs at, or names, the storage.`,
    "Bring the storage back or disable it (`pvesm set <storage> --disable 1`), then `systemctl restart pvestatd`.",
  );
