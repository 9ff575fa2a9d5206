import { bool, defineProvider, diagnose, list, matches, openSession, type SessionSettings, string } from "#kit";
import { rebootAction } from "./resources/vm/actions/reboot.ts";
import { shutdownAction } from "./resources/vm/actions/shutdown.ts";
import { snapshotAction } from "./resources/vm/actions/snapshot.ts";
import { startAction } from "./resources/vm/actions/start.ts";
import { listVms } from "./resources/vm/list.ts";
import { vm } from "./resources/vm/vm.ts";

const url = string({ check: matches(/^https:\/\/[^/\s]+\/?$/, "an address such as `https://pve1.example.com:8006`") });

/** The provider as Terraform knows it. Resources, data sources … are registered here and nowhere else. */
export const provider = defineProvider({
  name: "proxmox",
  doc: "Manages virtual machines and what they need on Proxmox VE 9.",
  resources: [vm],
  listResources: [listVms],
  actions: [rebootAction, shutdownAction, snapshotAction, startAction],
  attributes: {
    endpoint: {
      type: url,
      mode: "optional",
      doc: "Address of any node of the cluster. Environment: `PROXMOX_VE_ENDPOINT`.",
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
      doc: "API token. Environment: `PROXMOX_VE_API_TOKEN`.",
    },
    username: {
      type: string({ check: matches(/^\S+@\S+$/, "a user with its realm, such as `root@pam`") }),
      mode: "optional",
      doc: "User with realm, for what a token is not allowed to do. Environment: `PROXMOX_VE_USERNAME`.",
    },
    password: {
      type: string(),
      mode: "optional",
      sensitive: true,
      doc: "Its password. Environment: `PROXMOX_VE_PASSWORD`.",
    },
    otp: {
      type: string(),
      mode: "optional",
      sensitive: true,
      doc: "One-time password. Environment: `PROXMOX_VE_OTP`.",
    },
    ca_certificate: { type: string(), mode: "optional", doc: "Certificate authority to trust, in PEM form." },
    tls_fingerprint: {
      type: string({
        check: matches(/^([0-9a-fA-F]{2}:){31}[0-9a-fA-F]{2}$/, "a SHA-256 fingerprint, 32 bytes joined by colons"),
      }),
      mode: "optional",
      doc: "The one certificate to trust, by its SHA-256 fingerprint as the web interface shows it.",
    },
    insecure: { type: bool(), mode: "optional", doc: "Trust any certificate. Environment: `PROXMOX_VE_INSECURE`." },
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

  /** Undefined while a setting is not known yet: plans are then made without looking at the cluster. */
  configure({ config, report, log }) {
    if (Object.values(config).some((setting) => setting === undefined)) return undefined;
    const { endpoint, endpoints, insecure } = config;
    if (insecure) {
      report.warning(
        "insecure",
        "TLS certificates are not verified",
        "Anyone between here and the cluster can read along.",
      );
    }
    const settings = {
      endpoints: endpoints?.flatMap((one) => one ?? []) ?? (endpoint ? [endpoint] : null),
      apiToken: config.api_token,
      username: config.username,
      password: config.password,
      otp: config.otp,
      caCertificate: config.ca_certificate,
      tlsFingerprint: config.tls_fingerprint,
      insecure,
    };
    return openSession(given(settings), process.env, log);
  },

  diagnose,
});

/** What the block does not say is left to the environment. */
function given(settings: { readonly [Name in keyof SessionSettings]?: SessionSettings[Name] | null | undefined }) {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== undefined),
  ) as SessionSettings;
}
