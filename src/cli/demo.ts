import { sourceAddress } from "../source-address.ts";
import { demonstrate, type Scene } from "./demonstration.ts";

const configuration = (settings: string) => `
terraform {
  required_providers {
    proxmox = { source = "${sourceAddress}" }
  }
}

provider "proxmox" {
${settings}
}
`;

const scenes: Scene[] = [
  {
    title: "A configuration, and this very program installed as its provider.",
    files: {
      "main.tf": configuration('  endpoint  = "https://pve1.example.com:8006"\n  api_token = "ops@pve!tf=secret"'),
    },
    terraform: ["init"],
  },
  { title: "Terraform starts the provider, which checks the settings.", terraform: ["validate"] },
  {
    title: "Settings that cannot work are refused before anything is asked of a server.",
    files: { "main.tf": configuration('  endpoint = "pve1"') },
    terraform: ["validate"],
    exitCode: 1,
  },
];

/** The provider under a real Terraform, without any cluster. */
export async function run(): Promise<number> {
  const [, script = ""] = process.argv;
  return demonstrate({ address: sourceAddress, command: [process.execPath, script] }, scenes);
}
