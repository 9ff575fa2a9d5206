import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type PveClient, resolveSettings, settingsFromEnvironment } from "#pve";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import type { Binary } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { Workspace } from "../terraform/workspace.ts";
import { isHostGiven } from "./needs-simulator.ts";

/** The cluster for tests that run on any: a simulated one, or the one that `PROXMOX_VE_ENDPOINT` names. */
export interface TargetCluster {
  readonly title: string;
  /** For what the API does not show; null on a given host. */
  readonly simulator: Simulator | null;
  /** For questions to the server instead of the state. */
  readonly client: PveClient;
  /** Sets the credentials in the environment of a workspace. */
  welcome(workspace: Workspace): void;
  /** A configuration with the template of this cluster in place of those of the seed. */
  adapted(hcl: string): string;
  close(): Promise<void>;
}

/** `caller` is for the simulated cluster: a token of its seed. Default: the recommended one. */
export async function openTargetCluster(caller = leastPrivileged): Promise<TargetCluster> {
  return isHostGiven ? givenCluster() : simulatedCluster(caller);
}

/** The token with the least privileges that suffices for VMs. */
const leastPrivileged = "terraform@pve!tf";

function givenCluster(): TargetCluster {
  const client = clientFor(process.env);
  const template = process.env["TF_VAR_template"];
  return {
    title: process.env["PROXMOX_VE_ENDPOINT"] ?? "",
    simulator: null,
    client,
    welcome: () => {},
    adapted: (hcl) => (template ? hcl.replaceAll(/"(ubuntu-24\.04|debian-13)-cloud"/g, JSON.stringify(template)) : hcl),
    close: () => client.close(),
  };
}

/** A workspace for that cluster whose provider is configured by the environment alone. */
export function targetWorkspace(binary: Binary, plugin: PluginBinary, cluster: TargetCluster): Workspace {
  const workspace = new Workspace(binary, plugin, sourceAddress);
  workspace.keepsProvider = true;
  const provider = `proxmox = { source = "${sourceAddress}" }`;
  workspace.write("terraform.tf", `terraform {\n  required_providers {\n    ${provider}\n  }\n}\n`);
  cluster.welcome(workspace);
  return workspace;
}

/** The files in the examples. */
const files = {
  import_files: [{ volid: "local:import/debian-13.qcow2", size: "3G" }],
  iso_files: [{ volid: "local:iso/talos-amd64.iso", size: "100M" }],
};

async function simulatedCluster(caller: string): Promise<TargetCluster> {
  const simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), ...files } });
  const { url, caCertificate } = simulator;
  const variables = { PROXMOX_VE_ENDPOINT: url, PROXMOX_VE_API_TOKEN: simulator.tokens[caller] ?? "" };
  const client = clientFor({ ...variables, PROXMOX_VE_CA_CERTIFICATE: caCertificate });
  return {
    title: "the simulator",
    simulator,
    client,
    adapted: (hcl) => hcl,
    welcome(workspace) {
      const authority = join(workspace.folder, "ca.pem");
      writeFileSync(authority, caCertificate);
      Object.assign(workspace.env, variables, { PROXMOX_VE_CA_CERTIFICATE: authority });
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
