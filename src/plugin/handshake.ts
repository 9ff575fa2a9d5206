import { X509Certificate } from "node:crypto";

/** Terraform's own: shows that Terraform started the process. It protects nothing. */
const cookie = {
  name: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

/** go-plugin's own version, which has never changed. */
const coreProtocol = 1;

/** Version 5 lacks nested attributes; every Terraform since 1.0 and every OpenTofu supports 6. */
export const pluginProtocol = 6;

export type Environment = Readonly<Record<string, string | undefined>>;

/** What Terraform requests of the server. */
export interface Launch {
  /** Missing when TLS is switched off (TF_DISABLE_PLUGIN_TLS). */
  clientCertificate: X509Certificate | undefined;
}

/** The process cannot serve; the message gives the user the reason in whole sentences. */
export class LaunchRefused extends Error {
  override name = "LaunchRefused";
}

/** Whether Terraform or OpenTofu started this process, not a user in a shell. */
export function isStartedByTerraform(env: Environment): boolean {
  return env[cookie.name] === cookie.value;
}

/** Reads what go-plugin's client set in the environment. Throws `LaunchRefused`. */
export function readLaunch(env: Environment): Launch {
  if (!isStartedByTerraform(env)) {
    throw new LaunchRefused(
      "This binary is a Terraform provider: Terraform or OpenTofu starts it. It does nothing when started by hand.",
    );
  }
  const offered = env["PLUGIN_PROTOCOL_VERSIONS"]?.split(",").map(Number) ?? [];
  if (!offered.includes(pluginProtocol)) {
    throw new LaunchRefused(
      `This provider supports plugin protocol ${pluginProtocol}; the program that started it offers ` +
        `${offered.join(", ") || "none"}. Use Terraform 1.0 or later, or OpenTofu.`,
    );
  }
  return { clientCertificate: readCertificate(env["PLUGIN_CLIENT_CERT"]) };
}

/** The one line that gives Terraform the server's address and its certificate. */
export function handshakeLine(address: Address, certificate: Uint8Array | undefined): string {
  const encoded = certificate ? Buffer.from(certificate).toString("base64").replace(/=+$/, "") : "";
  return `${[coreProtocol, pluginProtocol, address.network, address.text, "grpc", encoded].join("|")}\n`;
}

/** The server's address, in go-plugin's terms. */
export interface Address {
  network: "unix" | "tcp";
  text: string;
}

function readCertificate(pem: string | undefined): X509Certificate | undefined {
  if (!pem) return undefined;
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new LaunchRefused("PLUGIN_CLIENT_CERT does not hold a certificate in PEM form.", { cause });
  }
}
