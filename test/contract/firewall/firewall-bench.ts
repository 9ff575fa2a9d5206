import { defaultSeed } from "#simulator";
import type { Rule } from "../../../src/resources/firewall/list/rule.ts";
import type { ManagedResource } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";

type Files = ResourceBench["simulator"]["sim"]["world"]["firewall"];
export type StoredRule = Files[string]["rules"][number];

/** A cluster with a VM (101) and a container (102), and its firewall files at hand. */
export class FirewallBench extends ResourceBench {
  static async start(options: { readonly as?: string } = {}): Promise<FirewallBench> {
    const seed = defaultSeed() as { guests: object[] };
    const guests = [
      { vmid: 101, node: "pve1", config: { name: "web" } },
      { vmid: 102, type: "lxc", node: "pve2", config: { hostname: "db" } },
    ];
    const env = { PROXMOX_VE_LOCK_WAITS: "10ms,20ms,40ms,80ms" };
    return FirewallBench.open({ env, seed: { ...seed, guests: [...seed.guests, ...guests] }, ...options });
  }

  get rules(): ManagedResource {
    return this.resource("proxmox_firewall_rules");
  }

  get files(): Files {
    return this.simulator.sim.world.firewall;
  }

  /** A file as it is, or an empty one that is stored. */
  file(key: string): Files[string] {
    this.files[key] ??= { options: {}, rules: [], aliases: {}, sets: {}, groups: {} };
    return this.files[key];
  }

  stored(key: string): Rule[] {
    return (this.files[key]?.rules ?? []).map(asRule);
  }

  /** Calls that write, in their order, while something is done; `seen` looks at the cluster after each. */
  async writes(work: () => Promise<unknown>, seen: (call: string) => void = () => {}): Promise<string[]> {
    const calls: string[] = [];
    const stop = this.simulator.sim.log.subscribe(({ method, path }) => {
      if (method === "GET" || !path.includes("/firewall/")) return;
      calls.push(`${method} ${path}`);
      seen(`${method} ${path}`);
    });
    try {
      await work();
    } finally {
      stop();
    }
    return calls;
  }
}

/** A rule of a file as the planner of edits has it. */
export function asRule({ enable, ...rule }: StoredRule): Rule {
  return { ...(rule as unknown as Rule), isEnabled: enable !== "0" };
}
