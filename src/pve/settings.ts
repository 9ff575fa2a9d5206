import { type Credentials, checkCredentials, type PasswordCredentials } from "./auth/credentials.ts";
import { PveError } from "./errors.ts";
import type { TlsSettings } from "./transport/tls.ts";
import { parseVmidRange, type VmidRange } from "./vmid-range.ts";

/**
 * What a user may set, in a provider block or in the environment. Everything but the endpoint and the credentials has a
 * default.
 */
export interface ClientSettings {
  /** Hosts of one cluster; if one cannot be reached, the next is used. */
  readonly endpoints?: readonly string[];
  /** `user@realm!name=secret` */
  readonly apiToken?: string;
  readonly username?: string;
  readonly password?: string;
  readonly totpSecret?: string;
  readonly otp?: string;
  readonly authTicket?: string;
  readonly csrfToken?: string;

  readonly insecure?: boolean;
  readonly caCertificate?: string;
  readonly tlsFingerprint?: string;

  /** One HTTP exchange; pveproxy itself aborts after 30 s without a response from a daemon. */
  readonly requestTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Requests in flight at a time. */
  readonly concurrency?: number;

  /** How soon, and at first how often, a new task is checked; the interval then grows up to `taskPollMs`. */
  readonly taskFirstPollMs?: number;
  readonly taskPollMs?: number;
  /** How long a task may run without any sign of progress. */
  readonly taskTimeoutMs?: number;

  /** The number of attempts on something locked, and the pause before each further attempt. */
  readonly lockAttempts?: number;
  readonly lockWaitsMs?: readonly number[];
  /** How long a new clone may take to become readable and unlocked; 0 does not wait. */
  readonly stabiliseMs?: number;
  /** Clones of one template, and clones onto one storage, at a time. */
  readonly clonesPerTemplate?: number;
  readonly clonesPerStorage?: number;

  /** Whether a plan is checked against the caller's privileges. */
  readonly permissionCheck?: PermissionCheck;
  /** Whether a plan reads the cluster. */
  readonly planChecks?: PlanChecks;
  /** Whether the cluster is compared with the one that objects were made on. */
  readonly clusterCheck?: PlanChecks;
  /** VMIDs that no guest gets, such as `900000000-900000999`: they own the volumes of `proxmox_disk`. */
  readonly diskOwners?: string;
}

export const permissionChecks = ["plan", "off"] as const;
export type PermissionCheck = (typeof permissionChecks)[number];

export const planChecks = ["on", "off"] as const;
export type PlanChecks = (typeof planChecks)[number];

export interface TaskSettings {
  /** From a task's start to the first check, and between the next ones. */
  readonly firstPollMs: number;
  readonly pollMs: number;
  readonly timeoutMs: number;
}

export interface LockSettings {
  readonly attempts: number;
  readonly waitsMs: readonly number[];
}

export interface CloneSettings {
  readonly perTemplate: number;
  readonly perStorage: number;
  readonly stabiliseMs: number;
}

/** The same with every default filled in and every contradiction refused. */
export interface ResolvedSettings {
  readonly endpoints: readonly URL[];
  readonly credentials: Credentials;
  /** The user root@pam beside a token: for what PVE reserves for that user. */
  readonly root: PasswordCredentials | undefined;
  readonly tls: TlsSettings;
  readonly requestTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly concurrency: number;
  readonly maxAnswerBytes: number;
  readonly tasks: TaskSettings;
  readonly locks: LockSettings;
  readonly clones: CloneSettings;
  readonly permissionCheck: PermissionCheck;
  readonly planChecks: PlanChecks;
  readonly clusterCheck: PlanChecks;
  readonly diskOwners: VmidRange;
}

const credentialKeys = ["apiToken", "username", "password", "totpSecret", "otp", "authTicket", "csrfToken"] as const;

type PartlyUndefined<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * `over` wins. Credentials come from one place as a whole: a user name from one and a password from the other do not
 * match.
 */
export function mergeSettings(base: ClientSettings, over: PartlyUndefined<ClientSettings>): ClientSettings {
  const given = Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined));
  const isAnotherCaller = credentialKeys.some((key) => key in given);
  const kept = Object.entries(base).filter(
    ([key]) => !(isAnotherCaller && (credentialKeys as readonly string[]).includes(key)),
  );
  return { ...Object.fromEntries(kept), ...given };
}

/** Fills in every default. Throws a `PveError` of kind `invalid` that names what is missing or contradictory. */
export function resolveSettings(given: ClientSettings): ResolvedSettings {
  const endpoints = (given.endpoints ?? []).map(parseEndpoint);
  if (endpoints.length === 0) {
    throw new PveError("invalid", "no endpoint is given: set `endpoint` or PROXMOX_VE_ENDPOINT");
  }
  return {
    endpoints,
    credentials: checkCredentials(resolveCredentials(given)),
    root: resolveRoot(given),
    tls: { caCertificate: given.caCertificate, fingerprint: given.tlsFingerprint, isInsecure: given.insecure },
    requestTimeoutMs: given.requestTimeoutMs ?? 60_000,
    connectTimeoutMs: given.connectTimeoutMs ?? 5_000,
    concurrency: given.concurrency ?? 16,
    maxAnswerBytes: 64 * 1024 * 1024,
    tasks: {
      firstPollMs: given.taskFirstPollMs ?? Math.min(100, given.taskPollMs ?? 100),
      pollMs: given.taskPollMs ?? 1000,
      timeoutMs: given.taskTimeoutMs ?? 5 * 60_000,
    },
    locks: { attempts: given.lockAttempts ?? 5, waitsMs: given.lockWaitsMs ?? [2000, 3000, 4000, 5000] },
    clones: {
      perTemplate: given.clonesPerTemplate ?? 10,
      perStorage: given.clonesPerStorage ?? 10,
      stabiliseMs: given.stabiliseMs ?? 2000,
    },
    permissionCheck: given.permissionCheck ?? "plan",
    planChecks: given.planChecks ?? "on",
    clusterCheck: given.clusterCheck ?? "on",
    diskOwners: parseVmidRange(given.diskOwners ?? "900000000-900000999"),
  };
}

/** A secret read from a file usually ends with a line feed, which is never part of it. */
const withoutLineEnd = (text: string | undefined): string | undefined => text?.replace(/[\r\n]+$/, "");

function resolveCredentials(given: ClientSettings): Credentials {
  const [apiToken, username, password, totpSecret, otp, authTicket, csrfToken] = credentialKeys.map((key) =>
    withoutLineEnd(given[key]),
  );
  if (apiToken !== undefined) {
    return { kind: "token", token: apiToken };
  }
  if (authTicket !== undefined) {
    return { kind: "ticket", ticket: authTicket, csrfToken: csrfToken ?? "" };
  }
  if (username !== undefined && password !== undefined) {
    return { kind: "password", username, password, totpSecret, otp };
  }
  const missing =
    username === undefined ? "an API token (PROXMOX_VE_API_TOKEN), or a user name and a password" : "the password";
  throw new PveError("invalid", `no credentials are given: ${missing} is missing`);
}

function resolveRoot({
  apiToken,
  username,
  password,
  totpSecret,
  otp,
}: ClientSettings): PasswordCredentials | undefined {
  const secret = withoutLineEnd(password);
  if (apiToken === undefined || withoutLineEnd(username) !== "root@pam" || secret === undefined) return undefined;
  return { kind: "password", username: "root@pam", password: secret, totpSecret: withoutLineEnd(totpSecret), otp };
}

/** `https://pve1:8006/`, with `/api2/json` at the end as other tools require it, or just `pve1`. */
export function parseEndpoint(text: string): URL {
  const given = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const url = URL.parse(hasScheme ? given : `https://${given}`);
  if (url === null || url.hostname === "") {
    throw new PveError("invalid", `"${text}" is not an address such as https://pve1.example.com:8006`);
  }
  if (url.protocol !== "https:") {
    throw new PveError("invalid", `"${text}": Proxmox VE accepts https only`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new PveError("invalid", `the endpoint ${url.host} contains credentials: set them separately`);
  }
  const hasPort = /:\d+(?:\/|$)/.test(given);
  if (!hasScheme && !hasPort) {
    url.port = "8006";
  }
  url.pathname = url.pathname.replace(/\/api2(?:\/.*)?$/, "");
  url.search = "";
  url.hash = "";
  return url;
}
