import type { Input, ManagedResource } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";

/** A public key that is well-formed and opens nothing. */
export const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f ops@example";

/** The bench with a view of VMs. */
export class Bench extends ResourceBench {
  get vm(): ManagedResource {
    return this.resource("proxmox_vm");
  }

  /** A VM as it lies on the server, not as the state tells it. */
  guest(vmid: number) {
    const guest = this.simulator.sim.world.guests[vmid];
    if (!guest) throw new Error(`there is no guest ${vmid}`);
    return guest;
  }

  /** Its configuration, changes that wait for a restart included. */
  config(vmid: number): Readonly<Record<string, string>> {
    const { config, pending } = this.guest(vmid);
    return { ...config, ...pending.set };
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

export type { Input };
