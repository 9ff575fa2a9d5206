import { nameOf, type Platform } from "./platform.ts";

/** The names that the Terraform Registry requires; see "Publishing providers" in its documentation. */
const program = "terraform-provider-proxmox";

export const executableFile = (version: string, { os }: Platform): string =>
  `${program}_v${version}${os === "windows" ? ".exe" : ""}`;

export const zipFile = (version: string, platform: Platform): string => `${program}_${version}_${nameOf(platform)}.zip`;

export const sumsFile = (version: string): string => `${program}_${version}_SHA256SUMS`;

export const manifestFile = (version: string): string => `${program}_${version}_manifest.json`;

/** The components of the executables. */
export const sbomFile = (version: string): string => `${program}_${version}_sbom.cdx.json`;

/** The protocol that Terraform must support, for the Registry. */
export const manifest = `${JSON.stringify({ version: 1, metadata: { protocol_versions: ["6.0"] } }, null, 2)}\n`;
