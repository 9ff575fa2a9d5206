import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type PveClient, resolveSettings, settingsFromEnvironment } from "#pve";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import type { Workspace } from "../terraform/workspace.ts";

/** Where the examples are tried: a simulated cluster, or the real one that `PROXMOX_VE_ENDPOINT` names. */
export interface TargetCluster {
  readonly title: string;
  /** Asks the server itself, not the state. */
  readonly client: PveClient;
  /** Gives a workspace the credentials the way a person's shell would. */
  welcome(workspace: Workspace): void;
  close(): Promise<void>;
}

export async function openTargetCluster(): Promise<TargetCluster> {
  return process.env["PROXMOX_VE_ENDPOINT"] ? realCluster() : simulatedCluster();
}

function realCluster(): TargetCluster {
  const client = clientFor(process.env);
  return {
    title: process.env["PROXMOX_VE_ENDPOINT"] ?? "",
    client,
    welcome: () => {},
    close: () => client.close(),
  };
}

/** The files the examples speak of. */
const files = {
  import_files: [{ volid: "local:import/debian-13.qcow2", size: "3G" }],
  iso_files: [{ volid: "local:iso/talos-amd64.iso", size: "100M" }],
};

async function simulatedCluster(): Promise<TargetCluster> {
  const simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), ...files } });
  const { url, caCertificate } = simulator;
  const variables = { PROXMOX_VE_ENDPOINT: url, PROXMOX_VE_API_TOKEN: tokenOf(simulator) };
  const client = clientFor({ ...variables, PROXMOX_VE_CA_CERTIFICATE: caCertificate });
  return {
    title: "the simulator",
    client,
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

/** The token with the least privileges that suffices, as people are told to use. */
const tokenOf = ({ tokens }: Simulator): string => tokens["terraform@pve!tf"] ?? "";

function clientFor(environment: NodeJS.ProcessEnv): PveClient {
  return createClient(resolveSettings(settingsFromEnvironment(environment).settings));
}
