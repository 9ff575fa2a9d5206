import { provider, vm } from "@proxmox-ts/cdktn-provider-proxmox";
import { App, TerraformOutput, TerraformStack } from "cdktn";
import type { Construct } from "constructs";

interface Machine {
  readonly name: string;
  readonly address: string;
  readonly cores: number;
}

/** A control plane and its workers, as values: loops, functions and types instead of `for_each` and `locals`. */
class ClusterStack extends TerraformStack {
  constructor(scope: Construct, id: string, machines: readonly Machine[]) {
    super(scope, id);
    // The endpoint and the token come from PROXMOX_VE_ENDPOINT and PROXMOX_VE_API_TOKEN.
    new provider.ProxmoxProvider(this, "proxmox");
    new TerraformOutput(this, "vmids", {
      value: Object.fromEntries(machines.map((machine) => [machine.name, this.#machine(machine).vmid])),
    });
  }

  #machine({ name, address, cores }: Machine): vm.Vm {
    return new vm.Vm(this, name, {
      name,
      clone: { template: "ubuntu-24.04-cloud" },
      cpu: { cores },
      memory: { size: "4G" },
      disks: { scsi0: { size: "40G" } },
      networks: { net0: { vlan: 20, ipv4: { address: `${address}/24`, gateway: "192.0.2.1" } } },
      cloudInit: { user: "ops" },
      tags: ["k8s"],
    });
  }
}

const app = new App();
new ClusterStack(app, "cluster", [
  { name: "control-1", address: "192.0.2.21", cores: 2 },
  { name: "worker-1", address: "192.0.2.31", cores: 4 },
  { name: "worker-2", address: "192.0.2.32", cores: 4 },
]);
app.synth();
