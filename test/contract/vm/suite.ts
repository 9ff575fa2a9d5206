import type { Input, ManagedResource } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";

/** A public key that is well-formed and opens nothing. */
export const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f ops@example";

/** The bench with a view of VMs. */
export class Bench extends ResourceBench {
  get vm(): ManagedResource {
    return this.resource("proxmox_vm");
  }

  /** A VM as it lies on the server, not as it is in the state. */
  guest(vmid: number) {
    const guest = this.simulator.sim.world.guests[vmid];
    if (!guest) throw new Error(`there is no guest ${vmid}`);
    return guest;
  }

  /** Its configuration, changes that wait for a restart included. */
  config(vmid: number): Readonly<Record<string, string>> {
    const { config, pending } = this.guest(vmid);
    const kept = Object.entries(config).filter(([option]) => !(option in pending.delete));
    return { ...Object.fromEntries(kept), ...pending.set };
  }

  /** The same without what each VM has of its own (names of volumes, MAC addresses, generated IDs), in one spelling. */
  comparable(vmid: number): Readonly<Record<string, string>> {
    const entries = Object.entries(this.config(vmid)).filter(([option]) => !/^(vmgenid|meta|unused\d+)$/.test(option));
    const common = (line: string) =>
      line
        .replaceAll(new RegExp(`(${vmid}/)?vm-${vmid}-`, "g"), "")
        .replace(/(:cloudinit.*),size=4M$/, "$1")
        .replace(/(uuid=)[0-9a-f-]+/, "$1")
        .replace(/^(\w+=)([0-9A-F]{2}:){5}[0-9A-F]{2}/i, "$1")
        .split(",")
        .map((part) => part.replace(/^(enabled|cputype|type|file)=/, ""))
        .sort()
        .join();
    return Object.fromEntries(entries.map(([option, line]) => [option, common(line)]));
  }

  has(vmid: number): boolean {
    return this.simulator.sim.world.guests[vmid] !== undefined;
  }

  vmids(): number[] {
    return Object.keys(this.simulator.sim.world.guests).map(Number);
  }

  volumes(vmid: number): string[] {
    const own = this.simulator.sim.world.volumes.filter((volume) => volume.vmid === vmid);
    return own.map(({ volid }) => volid).sort();
  }
}

/** A call by another user, until its task has ended; whether PVE did it. */
export async function askAsOther(
  { simulator }: Bench,
  method: string,
  path: string,
  parameters: Record<string, string>,
): Promise<boolean> {
  const headers = { authorization: `PVEAPIToken=${simulator.tokens["root@pam!admin"]}` };
  const request = new Request(`${simulator.url}/api2/json${path}`, {
    method,
    headers,
    body: new URLSearchParams(parameters),
  });
  const answer = await simulator.fetch(request);
  if (!answer.ok) return false;
  const { data } = (await answer.json()) as { data: unknown };
  const task = simulator.sim.world.tasks.find(({ upid }) => upid === data);
  while (task && task.exitstatus === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
  return task === undefined || task.exitstatus === "OK";
}

export type { Input };
