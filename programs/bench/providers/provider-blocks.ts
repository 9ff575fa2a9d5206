import { sourceAddress } from "../../../src/source-address.ts";

export interface Access {
  readonly url: string;
  readonly token: string;
  readonly caFile: string;
}

export const bpgAddress = "registry.terraform.io/bpg/proxmox";
export const telmateAddress = "registry.terraform.io/telmate/proxmox";

const requirement = (source: string) => `terraform {
  required_providers {
    proxmox = { source = "${source}" }
  }
}
`;

export const ourProvider = ({ url, token, caFile }: Access): string => `${requirement(sourceAddress)}
provider "proxmox" {
  endpoint       = "${url}"
  api_token      = "${token}"
  ca_certificate = file("${caFile}")
}`;

export const bpgProvider = ({ url, token }: Access): string => `${requirement(bpgAddress)}
provider "proxmox" {
  endpoint  = "${url}"
  api_token = "${token}"
  insecure  = true
}`;

export function telmateProvider({ url, token }: Access): string {
  const [id, secret] = token.split("=");
  return `${requirement(telmateAddress)}
provider "proxmox" {
  pm_api_url          = "${url}api2/json"
  pm_api_token_id     = "${id}"
  pm_api_token_secret = "${secret}"
  pm_tls_insecure     = true
}`;
}
