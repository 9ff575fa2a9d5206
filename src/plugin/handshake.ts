import { X509Certificate } from "node:crypto";

/** Terraform's own: says that it was Terraform who started us, and guards nothing. */
const cookie = {
  name: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

/** go-plugin's own version, which has never been another. */
const coreProtocol = 1;

/** Version 5 lacks nested attributes; every Terraform since 1.0 and every OpenTofu speaks 6. */
export const pluginProtocol = 6;

export type Environment = Readonly<Record<string, string | undefined>>;

/** How Terraform wants to be served. */
export interface Launch {
  /** Missing when TLS is switched off (TF_DISABLE_PLUGIN_TLS). */
  clientCertificate: X509Certificate | undefined;
}

/** We cannot serve; the message tells a person why, in whole sentences. */
export class LaunchRefused extends Error {
  override name = "LaunchRefused";
}

/** Whether Terraform or OpenTofu started this process, rather than a person in a shell. */
export function isStartedByTerraform(env: Environment): boolean {
  return env[cookie.name] === cookie.value;
}

/** Reads what go-plugin's client left in the environment. Throws `LaunchRefused`. */
export function readLaunch(env: Environment): Launch {
  if (!isStartedByTerraform(env)) {
    throw new LaunchRefused(
      "This binary is a Terraform provider: Terraform or OpenTofu starts it, it does nothing when started by hand.",
    );
  }
  const offered = env["PLUGIN_PROTOCOL_VERSIONS"]?.split(",").map(Number) ?? [];
  if (!offered.includes(pluginProtocol)) {
    throw new LaunchRefused(
      `This provider speaks plugin protocol ${pluginProtocol}; the program that started it offers ` +
        `${offered.join(", ") || "none"}. Terraform 1.0 or later, or OpenTofu, is needed.`,
    );
  }
  return { clientCertificate: readCertificate(env["PLUGIN_CLIENT_CERT"]) };
}

/** The one line that tells Terraform where we listen, and which certificate it has to expect there. */
export function handshakeLine(address: Address, certificate: Uint8Array | undefined): string {
  const encoded = certificate ? Buffer.from(certificate).toString("base64").replace(/=+$/, "") : "";
  return `${[coreProtocol, pluginProtocol, address.network, address.text, "grpc", encoded].join("|")}\n`;
}

/** Where we listen, in go-plugin's words. */
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
