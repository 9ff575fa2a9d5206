import type { Simulator } from "#simulator";
import { aligned } from "./aligned.ts";

/** A simulated cluster, as its web interface would show it. */
export interface ClusterView {
  /** The VMs that are not templates, one line each. */
  table(): string;
  /** Prints every task when it begins and when it ends, until the report is ended. */
  reportTasks(print: (line: string) => void): { end(): void };
}

const lookAgainAfterMilliseconds = 50;

export function clusterView({ sim }: Simulator): ClusterView {
  return {
    table() {
      const rows = Object.values(sim.world.guests)
        .filter(({ config }) => config["template"] !== "1")
        .map(({ vmid, node, run, config }) => [
          String(vmid),
          config["name"] ?? "",
          node,
          run ? "running" : "stopped",
          `${config["cores"] ?? "1"} cores`,
          `${config["memory"] ?? "512"} MiB`,
          /size=([^,]+)/.exec(config["scsi0"] ?? "")?.[1] ?? "",
          config["ipconfig0"] ?? "",
        ]);
      return rows.length === 0 ? "On the cluster: no VMs, only templates." : `On the cluster:\n${aligned(rows)}`;
    },
    reportTasks(print) {
      const begun = new Set<string>();
      const ended = new Set<string>();
      const look = () => {
        for (const { upid, node, type, id, exitstatus } of sim.world.tasks) {
          const name = `${node}: ${type}${id && ` ${id}`}`;
          if (!begun.has(upid)) print(`${name} begins`);
          begun.add(upid);
          if (exitstatus !== undefined && !ended.has(upid)) print(`${name} ends: ${exitstatus}`);
          if (exitstatus !== undefined) ended.add(upid);
        }
      };
      const timer = setInterval(look, lookAgainAfterMilliseconds);
      return { end: () => clearInterval(timer) };
    },
  };
}
