import { type Credentials, checkCredentials } from "./auth/credentials.ts";
import { PveError } from "./errors.ts";
import type { TlsSettings } from "./transport/tls.ts";

/** What a user may say, in a provider block or in the environment. Everything has a default but where and who. */
export interface ClientSettings {
  /** Hosts of one cluster; the next is asked when one cannot be reached. */
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

  /** One HTTP exchange; pveproxy itself gives up on a silent daemon after 30 s. */
  readonly requestTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Requests in flight at a time. */
  readonly concurrency?: number;

  /** How soon, and at first how often, a new task is looked at; ever less often after that, at last every `taskPollMs`. */
  readonly taskFirstPollMs?: number;
  readonly taskPollMs?: number;
  /** How long a task may go without any sign of progress. */
  readonly taskTimeoutMs?: number;

  /** How often something locked is tried in all, and how long is waited before each further attempt. */
  readonly lockAttempts?: number;
  readonly lockWaitsMs?: readonly number[];
  /** How long a new clone may take to become readable and unlocked; 0 does not look. */
  readonly stabiliseMs?: number;
  /** Clones of one template, and clones onto one storage, at a time. */
  readonly clonesPerTemplate?: number;
  readonly clonesPerStorage?: number;

  /** Whether a plan is held against the caller's rights. */
  readonly permissionCheck?: PermissionCheck;
  /** Whether a plan looks at the cluster. */
  readonly planChecks?: PlanChecks;
}

export const permissionChecks = ["plan", "off"] as const;
export type PermissionCheck = (typeof permissionChecks)[number];

export const planChecks = ["on", "off"] as const;
export type PlanChecks = (typeof planChecks)[number];

export interface TaskSettings {
  /** Between a task's beginning and the first look at it, and between the next ones. */
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
}

const credentialKeys = ["apiToken", "username", "password", "totpSecret", "otp", "authTicket", "csrfToken"] as const;

type PartlyUndefined<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** `over` wins. Credentials are taken from one place as a whole: half a user from each would be nobody. */
export function mergeSettings(base: ClientSettings, over: PartlyUndefined<ClientSettings>): ClientSettings {
  const given = Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined));
  const isAnotherCaller = credentialKeys.some((key) => key in given);
  const kept = Object.entries(base).filter(
    ([key]) => !(isAnotherCaller && (credentialKeys as readonly string[]).includes(key)),
  );
  return { ...Object.fromEntries(kept), ...given };
}

/** Fills in every default. Throws a `PveError` of kind `invalid` that says what is missing, or what contradicts itself. */
export function resolveSettings(given: ClientSettings): ResolvedSettings {
  const endpoints = (given.endpoints ?? []).map(parseEndpoint);
  if (endpoints.length === 0) {
    throw new PveError("invalid", "no endpoint is given: set `endpoint` or PROXMOX_VE_ENDPOINT");
  }
  return {
    endpoints,
    credentials: checkCredentials(resolveCredentials(given)),
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
  };
}

/** A secret that was read from a file mostly ends with a line feed, which is never part of it. */
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

/** `https://pve1:8006/`, with `/api2/json` at the end as other tools want it, or just `pve1`. */
export function parseEndpoint(text: string): URL {
  const given = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const url = URL.parse(hasScheme ? given : `https://${given}`);
  if (url === null || url.hostname === "") {
    throw new PveError("invalid", `"${text}" is not an address such as https://pve1.example.com:8006`);
  }
  if (url.protocol !== "https:") {
    throw new PveError("invalid", `"${text}": Proxmox VE is reached by https only`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new PveError("invalid", `the endpoint ${url.host} holds credentials: give them apart`);
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
