import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { createClient, type PveClient, resolveSettings, settingsFromEnvironment } from "#pve";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import type { Binary } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { type StateResource, Workspace } from "../terraform/workspace.ts";
import { openGivenCluster } from "./host/given-cluster.ts";
import type { Choice } from "./host/settings.ts";
import { isHostGiven } from "./needs-simulator.ts";

/** What a test takes of a cluster besides the pool, which a given host may lack. */
export interface Needs {
  readonly uses: readonly Choice[];
  /** Of all guests of the test together. */
  readonly memoryGiB?: number;
  readonly spaceGiB?: number;
}

/** The cluster for tests that run on any: a simulated one, or the one that `PROXMOX_VE_ENDPOINT` names. */
export interface TargetCluster {
  /** For what the API does not show; null on a given host. */
  readonly simulator: Simulator | null;
  /** For questions to the server instead of the state. */
  readonly client: PveClient;
  /** What the name of a guest is on this cluster. */
  named(name: string): string;
  /** The same for a pool. */
  pool(name: string): string;
  /** The ID to import an object by, from its state. */
  importId(written: string, resource: StateResource | undefined): string;
  /** What stands on this cluster for a node, a storage … of the simulated one. */
  readonly found: Readonly<Partial<Record<Choice, string>>>;
  /** Skips the test, with the reason, if the cluster lacks something, or once a plan finds a missing privilege. */
  needs(context: Pick<TestContext, "skip">, needs: Needs): void;
  workspace(binary: Binary, plugin: PluginBinary): Workspace;
  close(): Promise<void>;
}

/** `caller` is for the simulated cluster: a token of its seed. Default: the recommended one. */
export async function openTargetCluster(caller = leastPrivileged): Promise<TargetCluster> {
  return isHostGiven ? openGivenCluster(clientFor(process.env)) : simulatedCluster(caller);
}

/** The token with the least privileges that suffices for VMs. */
const leastPrivileged = "terraform@pve!tf";

/** A workspace for that cluster whose provider is configured by the environment alone. */
export function targetWorkspace(binary: Binary, plugin: PluginBinary, cluster: TargetCluster): Workspace {
  const workspace = cluster.workspace(binary, plugin);
  workspace.keepsProvider = true;
  const provider = `proxmox = { source = "${sourceAddress}" }`;
  workspace.write("terraform.tf", `terraform {\n  required_providers {\n    ${provider}\n  }\n}\n`);
  return workspace;
}

/** The files in the examples. */
const files = {
  import_files: [{ volid: "local:import/debian-13.qcow2", size: "3G" }],
  iso_files: [{ volid: "local:iso/talos-amd64.iso", size: "100M" }],
};

const names = {
  node: "pve1",
  storage: "local-lvm",
  files: "nas",
  backups: "nas",
  bridge: "vmbr0",
  template: "ubuntu-24.04-cloud",
} as const;

async function simulatedCluster(caller: string): Promise<TargetCluster> {
  const simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), ...files } });
  const { url, caCertificate } = simulator;
  const variables = { PROXMOX_VE_ENDPOINT: url, PROXMOX_VE_API_TOKEN: simulator.tokens[caller] ?? "" };
  const client = clientFor({ ...variables, PROXMOX_VE_CA_CERTIFICATE: caCertificate });
  return {
    simulator,
    client,
    found: names,
    named: (name) => name,
    pool: (name) => name,
    importId: (written) => written,
    needs: () => {},
    workspace(binary, plugin) {
      const workspace = new Workspace(binary, plugin, sourceAddress);
      const authority = join(workspace.folder, "ca.pem");
      writeFileSync(authority, caCertificate);
      Object.assign(workspace.env, variables, { PROXMOX_VE_CA_CERTIFICATE: authority });
      return workspace;
    },
    async close() {
      await client.close();
      await simulator.close();
    },
  };
}

function clientFor(environment: NodeJS.ProcessEnv): PveClient {
  return createClient(resolveSettings(settingsFromEnvironment(environment).settings));
}
