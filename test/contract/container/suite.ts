import { defaultSeed } from "#simulator";
import type { ManagedResource } from "../../harness/index.ts";
import { type Instance, ProviderErrors } from "../../harness/resource-calls.ts";
import type { BenchOptions } from "../resource-bench.ts";
import { Bench as GuestBench } from "../vm/suite.ts";

export const template = "nas:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst";

/** The cluster with a template file on its shared storage, and a container to clone. */
export const seed = {
  ...(defaultSeed() as object),
  container_templates: [template],
  pools: [{ poolid: "lab" }],
  guests: [
    ...((defaultSeed() as { guests?: object[] }).guests ?? []),
    {
      vmid: 9100,
      type: "lxc",
      node: "pve1",
      config: {
        hostname: "golden",
        arch: "amd64",
        ostype: "debian",
        unprivileged: 1,
        memory: 1024,
        swap: 256,
        cores: 2,
        template: 1,
        features: "nesting=1",
        rootfs: "local-zfs:basevol-9100-disk-0,size=4G",
        net0: "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:91:00,ip=dhcp,type=veth",
      },
    },
  ],
};

/** The bench with a view of containers. */
export class Bench extends GuestBench {
  static openWith(options: BenchOptions = {}): Promise<Bench> {
    return Bench.open({ seed, ...options });
  }

  get container(): ManagedResource {
    return this.resource("proxmox_container");
  }
}

/** The least configuration of a container made from an image. */
export const fromImage = { node: "pve1", image: { volume: template } } as const;
export const rootfs = { storage: "local-lvm", size: "4G" } as const;

/** What Terraform keeps after a change that fails. */
export async function remainsOf(failed: Promise<unknown>): Promise<Instance> {
  const reason = await failed.catch((error: unknown) => error);
  if (!(reason instanceof ProviderErrors) || reason.remains === null) throw new Error(`not a refusal: ${reason}`);
  return reason.remains;
}
