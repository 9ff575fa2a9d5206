import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "#simulator";
import { sourceAddress } from "../source-address.ts";
import { type ClusterView, clusterView } from "./cluster-view.ts";
import { demonstrate, type Scene } from "./demonstration.ts";

const requirements = `
terraform {
  required_providers {
    proxmox = { source = "${sourceAddress}" }
  }
}

provider "proxmox" {}
`;

/** Five VMs of a small cluster; the demonstration changes `cores` of the first one. */
const virtualMachines = (cores: number) => `
resource "proxmox_vm" "manager" {
  for_each = { for number in range(1, 6) : "manager-\${number}" => number }

  name  = each.key
  vmid  = 400 + each.value
  clone = { template = "ubuntu-24.04-cloud", full = true }

  cpu        = { cores = each.value == 1 ? ${cores} : 4 }
  memory     = { size = "8G" }
  disks      = { scsi0 = { size = "100G" } }
  networks   = { net0 = { vlan = 20, ipv4 = { address = "10.0.20.\${10 + each.value}/24", gateway = "10.0.20.1" } } }
  cloud_init = { user = "ops" }
  boot_order = ["scsi0", "net0"]

  restart_policy = "when_needed"
}

output "addresses" {
  value = { for name, vm in proxmox_vm.manager : name => vm.ipv4_address }
}
`;

const scenes = (cluster: ClusterView): Scene[] => [
  {
    title: "Five VMs from a template, on a cluster simulated in this process.",
    files: { "terraform.tf": requirements, "main.tf": virtualMachines(4) },
    terraform: ["init"],
    quiet: true,
  },
  {
    title: "A plan, too long to show here: it has read the template and lists what each clone inherits.",
    terraform: ["plan", "-out=plan"],
    quiet: true,
  },
  {
    title: "They are cloned, configured, grown and started. Lines with an arrow are tasks of the cluster.",
    terraform: ["apply", "-parallelism=3", "plan"],
    afterwards: cluster.table,
  },
  { title: "A second plan finds nothing to do.", terraform: ["plan", "-detailed-exitcode"] },
  {
    title: "One VM gets two more cores, in place; it may be restarted for that.",
    files: { "main.tf": virtualMachines(6) },
    terraform: ["apply", "-auto-approve"],
    afterwards: cluster.table,
  },
  { title: "Again, a second plan finds nothing to do.", terraform: ["plan", "-detailed-exitcode"] },
  {
    title: "All five are shut down and destroyed, with their disks.",
    terraform: ["destroy", "-auto-approve"],
    afterwards: cluster.table,
  },
];

/** How much faster than a real cluster: slow enough to watch, fast enough not to bore. */
const speed = 5;

/** `demo`: the life cycle of five VMs with a real Terraform, without a Proxmox host. Resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  if (args.length > 0) {
    process.stderr.write("demo takes no arguments.\n");
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), "proxmox-demo-"));
  const simulator = await startSimulator({ speed });
  process.stdout.write(`Watch the cluster in a browser, whose certificate is its own: ${simulator.url}/simulator/\n`);
  const cluster = clusterView(simulator);
  const report = cluster.reportTasks((line) => process.stdout.write(`   → ${line}\n`));
  try {
    return await demonstrate(
      { address: sourceAddress, command: [process.execPath, ...process.argv.slice(1, 2)] },
      scenes(cluster),
      credentials(simulator, folder),
    );
  } finally {
    report.end();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Terraform gets its credentials from the environment, as in a user's shell. */
function credentials({ url, caCertificate, tokens }: Simulator, folder: string): Record<string, string> {
  const authority = join(folder, "ca.pem");
  writeFileSync(authority, caCertificate);
  return {
    PROXMOX_VE_ENDPOINT: url,
    PROXMOX_VE_CA_CERTIFICATE: authority,
    PROXMOX_VE_API_TOKEN: tokens["terraform@pve!tf"] ?? "",
    // A user with a real cluster may have set these; they must not apply here.
    PROXMOX_VE_USERNAME: "",
    PROXMOX_VE_PASSWORD: "",
  };
}
