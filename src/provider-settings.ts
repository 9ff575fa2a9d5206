import {
  bool,
  type Config,
  int,
  list,
  matches,
  nested,
  oneOf,
  parseDuration,
  type SessionSettings,
  string,
} from "#kit";

/** A value from a file ends with a line feed, which is not part of it. */
const line = (pattern: RegExp, hint: string) => {
  const check = matches(pattern, hint);
  return string({ check: (text) => check(text.replace(/[\r\n]+$/, "")) });
};

const url = line(/^https:\/\/[^/\s]+\/?$/, "an address such as `https://pve1.example.com:8006`");
const duration = string({
  check: (text) => (parseDuration(text) === null ? "Must be a duration such as `500ms`, `30s` or `5m`." : undefined),
});
const count = int({ min: 1, max: 999_999 });

const optional = <T>(type: T, doc: string) => ({ type, mode: "optional", doc }) as const;
const secret = <T>(type: T, doc: string) => ({ type, mode: "optional", sensitive: true, doc }) as const;

const place = {
  endpoint: optional(url, "Address of any node of the cluster. Environment: `PROXMOX_VE_ENDPOINT`."),
  endpoints: optional(
    list(url, { min: 1 }),
    "Addresses of several nodes of one cluster, tried in this order when one cannot be reached: then a warning says so. A node of another cluster is an error. Instead of `endpoint`. Environment: `PROXMOX_VE_ENDPOINTS`.",
  ),
} as const;

const caller = {
  api_token: secret(
    line(/^[^@\s]+@[^!\s]+![^=\s]+=\S+$/, "a token such as `user@realm!name=secret`"),
    "API token. Environment: `PROXMOX_VE_API_TOKEN`.",
  ),
  username: optional(
    line(/^\S+@\S+$/, "a user with its realm, such as `root@pam`"),
    "User with realm, in place of a token. `root@pam` may be given beside `api_token`: calls that Proxmox VE reserves for that user, and no others, are then made with its password. Environment: `PROXMOX_VE_USERNAME`.",
  ),
  password: secret(string(), "Its password. Environment: `PROXMOX_VE_PASSWORD`."),
  otp: secret(string(), "One-time password, for one login. Environment: `PROXMOX_VE_OTP`."),
  totp_secret: secret(
    string(),
    "Secret from which one-time passwords are generated, for every login. Environment: `PROXMOX_VE_TOTP_SECRET`.",
  ),
} as const;

const trust = {
  ca_certificate: optional(
    string(),
    "Certificate authority to trust, in PEM form. Default: the authorities that this machine trusts. Environment: `PROXMOX_VE_CA_CERTIFICATE`.",
  ),
  tls_fingerprint: optional(
    line(/^([0-9a-fA-F]{2}:){31}[0-9a-fA-F]{2}$/, "a SHA-256 fingerprint, 32 bytes joined by colons"),
    "The one certificate to trust, by its SHA-256 fingerprint as the web interface shows it. Environment: `PROXMOX_VE_TLS_FINGERPRINT`.",
  ),
  insecure: optional(bool(), "Trust any certificate. Environment: `PROXMOX_VE_INSECURE`."),
} as const;

/** The client's timeouts, and its load on the cluster. */
const pace = {
  requests: optional(
    nested({
      timeout: optional(
        duration,
        "How long one request may take. Default: `60s`. Environment: `PROXMOX_VE_REQUEST_TIMEOUT`.",
      ),
      concurrency: optional(count, "Requests in flight at a time. Default: 16. Environment: `PROXMOX_VE_CONCURRENCY`."),
    }),
    "Requests to the API.",
  ),
  tasks: optional(
    nested({
      poll_interval: optional(
        duration,
        "Pause between two polls of a node's tasks; the first polls of a new task come sooner. Default: `1s`. Environment: `PROXMOX_VE_TASK_POLL_INTERVAL`.",
      ),
      timeout: optional(
        duration,
        "How long a task may go without a sign of progress. Default: `5m`. Environment: `PROXMOX_VE_TASK_TIMEOUT`.",
      ),
    }),
    "Tasks of the cluster, and how they are watched.",
  ),
  locks: optional(
    nested({
      attempts: optional(
        count,
        "Number of attempts on a locked object. Default: 5. Environment: `PROXMOX_VE_LOCK_ATTEMPTS`.",
      ),
      waits: optional(
        list(duration, { min: 1 }),
        'Pauses before each further attempt; the last one is repeated. Default: `["2s", "3s", "4s", "5s"]`. Environment: `PROXMOX_VE_LOCK_WAITS`, separated by commas.',
      ),
    }),
    "What to do when another operation has locked a VM.",
  ),
  clones: optional(
    nested({
      per_template: optional(
        count,
        "Clones of one template at a time. Default: 10. Environment: `PROXMOX_VE_CLONES_PER_TEMPLATE`.",
      ),
      per_storage: optional(
        count,
        "Clones onto one storage at a time. Default: 10. Environment: `PROXMOX_VE_CLONES_PER_STORAGE`.",
      ),
      stabilise: optional(
        duration,
        "How long a new clone may take to become readable and unlocked; `0s` does not wait. Default: `2s`. Environment: `PROXMOX_VE_STABILISE`.",
      ),
    }),
    "How clones are made.",
  ),
} as const;

const checks = {
  permission_check: optional(
    oneOf(["plan", "off"]),
    "Whether each plan is checked against the privileges of the token or user. `plan` refuses what Proxmox VE would refuse half way through the apply, and names each missing privilege, its path, its purpose and the commands that grant it; it requires only privileges that the plan uses, and costs one request per run. `off` leaves the check to Proxmox VE. Default: `plan`. Environment: `PROXMOX_VE_PERMISSION_CHECK`.",
  ),
  plan_checks: optional(
    oneOf(["on", "off"]),
    "Whether a plan reads the cluster. With `on`, a cluster that cannot be reached, is not trusted or refuses the login is an error in the plan, and so is a change that cannot work there. With `off`, planning a resource makes no request: nothing is checked before the apply, and more values are known only after apply. Data sources are still read, and existing resources are still refreshed unless Terraform runs with `-refresh=false`. Default: `on`. Environment: `PROXMOX_VE_PLAN_CHECKS`.",
  ),
  cluster_check: optional(
    oneOf(["on", "off"]),
    "Whether the cluster is compared with the one that the resources are on, by the fingerprint of its certificate authority. With `on` and several `endpoints`, the state remembers the cluster of each resource, and another cluster is an error; that costs one request per run. `off` forgets what was remembered: after the cluster was installed anew, or has got another authority. Default: `on`. Environment: `PROXMOX_VE_CLUSTER_CHECK`.",
  ),
} as const;

const owners = {
  disk_owners: optional(
    line(/^[1-9]\d{2,8}-[1-9]\d{2,8}$/, "a range of VMIDs such as `900000000-900000999`"),
    "VMIDs that are reserved for `proxmox_disk`: each of its volumes is owned by one of them and therefore by no guest. No guest is created with such a VMID. Default: `900000000-900000999`. Environment: `PROXMOX_VE_DISK_OWNERS`.",
  ),
} as const;

export const providerSettings = { ...place, ...caller, ...trust, ...pace, ...checks, ...owners } as const;

type Settings = Config<typeof providerSettings>;

/** The block as settings of the client. Missing values come from the environment, and then from the defaults. */
export function sessionSettings(config: Settings): SessionSettings {
  const { endpoint, endpoints, requests, tasks, locks, clones } = config;
  return given({
    endpoints: endpoints?.flatMap((one) => one ?? []) ?? (endpoint ? [endpoint] : null),
    apiToken: config.api_token,
    username: config.username,
    password: config.password,
    otp: config.otp,
    totpSecret: config.totp_secret,
    caCertificate: config.ca_certificate,
    tlsFingerprint: config.tls_fingerprint,
    insecure: config.insecure,
    requestTimeoutMs: milliseconds(requests?.timeout),
    concurrency: requests?.concurrency,
    taskPollMs: milliseconds(tasks?.poll_interval),
    taskTimeoutMs: milliseconds(tasks?.timeout),
    lockAttempts: locks?.attempts,
    lockWaitsMs: locks?.waits?.flatMap((wait) => milliseconds(wait) ?? []),
    clonesPerTemplate: clones?.per_template,
    clonesPerStorage: clones?.per_storage,
    stabiliseMs: milliseconds(clones?.stabilise),
    permissionCheck: config.permission_check,
    planChecks: config.plan_checks,
    clusterCheck: config.cluster_check,
    diskOwners: config.disk_owners,
  });
}

const milliseconds = (text: string | null | undefined): number | null => (text ? parseDuration(text) : null);

function given(settings: { readonly [Name in keyof SessionSettings]?: SessionSettings[Name] | null | undefined }) {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== undefined),
  ) as SessionSettings;
}
