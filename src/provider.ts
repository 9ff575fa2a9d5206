import { bool, definitions, list, matches, string } from "#framework";

/** How to reach a cluster, from the provider block and, where that says nothing, from the environment. */
export interface Settings {
  endpoints: readonly string[];
  apiToken?: string;
  username?: string;
  password?: string;
  otp?: string;
  caCertificate?: string;
  tlsFingerprint?: string;
  insecure: boolean;
}

const { defineProvider } = definitions<Settings>();

const url = string({ check: matches(/^https:\/\/[^/\s]+\/?$/, "an address such as `https://pve1.example.com:8006`") });

/** The provider as Terraform knows it. Resources, data sources … are registered here and nowhere else. */
export const provider = defineProvider({
  name: "proxmox",
  doc: "Manages virtual machines and what they need on Proxmox VE 9.",
  attributes: {
    endpoint: {
      type: url,
      mode: "optional",
      doc: "Address of any node of the cluster. Environment: `PROXMOX_ENDPOINT`.",
    },
    endpoints: {
      type: list(url, { min: 1 }),
      mode: "optional",
      doc: "Addresses of several nodes, tried in this order when one cannot be reached. Instead of `endpoint`.",
    },
    api_token: {
      type: string({ check: matches(/^[^@\s]+@[^!\s]+![^=\s]+=\S+$/, "a token such as `user@realm!name=secret`") }),
      mode: "optional",
      sensitive: true,
      doc: "API token. Environment: `PROXMOX_API_TOKEN`.",
    },
    username: {
      type: string({ check: matches(/^\S+@\S+$/, "a user with its realm, such as `root@pam`") }),
      mode: "optional",
      doc: "User with realm, for what a token is not allowed to do. Environment: `PROXMOX_USERNAME`.",
    },
    password: {
      type: string(),
      mode: "optional",
      sensitive: true,
      doc: "Its password. Environment: `PROXMOX_PASSWORD`.",
    },
    otp: { type: string(), mode: "optional", sensitive: true, doc: "One-time password. Environment: `PROXMOX_OTP`." },
    ca_certificate: { type: string(), mode: "optional", doc: "Certificate authority to trust, in PEM form." },
    tls_fingerprint: {
      type: string({
        check: matches(/^([0-9a-fA-F]{2}:){31}[0-9a-fA-F]{2}$/, "a SHA-256 fingerprint, 32 bytes joined by colons"),
      }),
      mode: "optional",
      doc: "The one certificate to trust, by its SHA-256 fingerprint as the web interface shows it.",
    },
    insecure: { type: bool(), mode: "optional", doc: "Trust any certificate. Environment: `PROXMOX_INSECURE`." },
  },

  validate({ config, report }) {
    if (config.endpoint && config.endpoints) {
      report.error("endpoints", "Conflicting endpoints", "Give either `endpoint` or `endpoints`, not both.");
    }
    if (config.api_token && (config.username || config.password)) {
      report.error("api_token", "Conflicting credentials", "Give either `api_token`, or `username` and `password`.");
    }
    if (config.tls_fingerprint && config.insecure) {
      report.error(
        "insecure",
        "Conflicting trust",
        "A pinned `tls_fingerprint` and `insecure = true` contradict each other.",
      );
    }
  },

  configure({ config, report }) {
    if (Object.values(config).some((setting) => setting === undefined)) return undefined;
    const setting = (value: string | null | undefined, variable: string) => value ?? process.env[variable] ?? null;
    const endpoint = setting(config.endpoint, "PROXMOX_ENDPOINT");
    const endpoints = config.endpoints?.flatMap((one) => one ?? []) ?? (endpoint ? [endpoint] : []);
    if (endpoints.length === 0) {
      report.error(null, "No endpoint", "Give `endpoint` in the provider block, or set `PROXMOX_ENDPOINT`.");
    }
    const insecure = config.insecure ?? isTrue(process.env["PROXMOX_INSECURE"]);
    if (insecure) {
      report.warning(
        "insecure",
        "TLS certificates are not verified",
        "Anyone between here and the cluster can read along.",
      );
    }
    return {
      endpoints,
      ...given("apiToken", setting(config.api_token, "PROXMOX_API_TOKEN")),
      ...given("username", setting(config.username, "PROXMOX_USERNAME")),
      ...given("password", setting(config.password, "PROXMOX_PASSWORD")),
      ...given("otp", setting(config.otp, "PROXMOX_OTP")),
      ...given("caCertificate", config.ca_certificate ?? null),
      ...given("tlsFingerprint", config.tls_fingerprint ?? null),
      insecure,
    };
  },
});

function given<Name extends string>(name: Name, value: string | null): { [K in Name]?: string } {
  return value === null ? {} : ({ [name]: value } as { [K in Name]: string });
}

function isTrue(text: string | undefined): boolean {
  return text === "1" || text === "true";
}
