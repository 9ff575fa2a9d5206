import { PveError } from "./errors.ts";
import { type ClientSettings, permissionChecks, planChecks } from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface Variable {
  readonly name: string;
  readonly read: (text: string, name: string) => ClientSettings;
}

const string =
  (
    key:
      | "apiToken"
      | "username"
      | "password"
      | "totpSecret"
      | "otp"
      | "authTicket"
      | "csrfToken"
      | "caCertificate"
      | "tlsFingerprint"
      | "diskOwners",
  ) =>
  (text: string): ClientSettings => ({ [key]: text });

const endpoints = (text: string): ClientSettings => ({ endpoints: text.split(/[,\s]+/).filter((item) => item !== "") });

const duration =
  (key: "requestTimeoutMs" | "taskPollMs" | "taskTimeoutMs" | "stabiliseMs") =>
  (text: string, name: string): ClientSettings => ({ [key]: parseDuration(text, name) });

const count =
  (key: "concurrency" | "lockAttempts" | "clonesPerTemplate" | "clonesPerStorage") =>
  (text: string, name: string): ClientSettings => {
    if (!/^[1-9]\d{0,5}$/.test(text)) {
      throw new PveError("invalid", `${name} is "${text}", not a whole number above 0`);
    }
    return { [key]: Number(text) };
  };

const insecure = (text: string, name: string): ClientSettings => ({ insecure: parseBoolean(text, name) });

const word =
  <K extends keyof ClientSettings>(key: K, words: readonly (ClientSettings[K] & string)[]) =>
  (text: string, name: string): ClientSettings => {
    const found = words.find((known) => known === text);
    if (found === undefined) {
      throw new PveError("invalid", `${name} is "${text}", neither ${words.join(" nor ")}`);
    }
    return { [key]: found };
  };

/** Names that users of bpg's provider already have; settings that it lacks follow the same pattern. */
const variables: readonly Variable[] = [
  { name: "PROXMOX_VE_ENDPOINTS", read: endpoints },
  { name: "PROXMOX_VE_ENDPOINT", read: endpoints },
  { name: "PROXMOX_VE_API_TOKEN", read: string("apiToken") },
  { name: "PROXMOX_VE_USERNAME", read: string("username") },
  { name: "PROXMOX_VE_PASSWORD", read: string("password") },
  { name: "PROXMOX_VE_TOTP_SECRET", read: string("totpSecret") },
  { name: "PROXMOX_VE_OTP", read: string("otp") },
  { name: "PROXMOX_VE_AUTH_TICKET", read: string("authTicket") },
  { name: "PROXMOX_VE_CSRF_PREVENTION_TOKEN", read: string("csrfToken") },
  { name: "PROXMOX_VE_INSECURE", read: insecure },
  { name: "PROXMOX_VE_CA_CERTIFICATE", read: string("caCertificate") },
  { name: "PROXMOX_VE_TLS_FINGERPRINT", read: string("tlsFingerprint") },
  { name: "PROXMOX_VE_REQUEST_TIMEOUT", read: duration("requestTimeoutMs") },
  { name: "PROXMOX_VE_CONCURRENCY", read: count("concurrency") },
  { name: "PROXMOX_VE_TASK_POLL_INTERVAL", read: duration("taskPollMs") },
  { name: "PROXMOX_VE_TASK_TIMEOUT", read: duration("taskTimeoutMs") },
  { name: "PROXMOX_VE_LOCK_ATTEMPTS", read: count("lockAttempts") },
  {
    name: "PROXMOX_VE_LOCK_WAITS",
    read: (text, name) => ({ lockWaitsMs: text.split(/[,\s]+/).map((item) => parseDuration(item, name)) }),
  },
  { name: "PROXMOX_VE_STABILISE", read: duration("stabiliseMs") },
  { name: "PROXMOX_VE_CLONES_PER_TEMPLATE", read: count("clonesPerTemplate") },
  { name: "PROXMOX_VE_CLONES_PER_STORAGE", read: count("clonesPerStorage") },
  { name: "PROXMOX_VE_PERMISSION_CHECK", read: word("permissionCheck", permissionChecks) },
  { name: "PROXMOX_VE_PLAN_CHECKS", read: word("planChecks", planChecks) },
  { name: "PROXMOX_VE_CLUSTER_CHECK", read: word("clusterCheck", planChecks) },
  { name: "PROXMOX_VE_DISK_OWNERS", read: string("diskOwners") },
];

/** Names of Telmate's provider, so that users who switch need not rename variables first. */
const telmateVariables: readonly (Variable & { readonly instead: string })[] = [
  { name: "PM_API_URL", read: endpoints, instead: "PROXMOX_VE_ENDPOINT" },
  { name: "PM_USER", read: string("username"), instead: "PROXMOX_VE_USERNAME" },
  { name: "PM_PASS", read: string("password"), instead: "PROXMOX_VE_PASSWORD" },
  { name: "PM_OTP", read: string("otp"), instead: "PROXMOX_VE_OTP" },
  { name: "PM_TLS_INSECURE", read: insecure, instead: "PROXMOX_VE_INSECURE" },
];

/** Settings from the environment, and what the user should know about their origin. */
export function settingsFromEnvironment(environment: Environment): {
  settings: ClientSettings;
  notes: readonly string[];
} {
  const own = readAll(variables, environment);
  const { settings: theirs, notes } = readTelmate(environment, own);
  return { settings: { ...theirs, ...own }, notes };
}

function readAll(known: readonly Variable[], environment: Environment): ClientSettings {
  const found = known.map(({ name, read }) => {
    const text = environment[name];
    return text === undefined || text === "" ? {} : read(text, name);
  });
  // The first wins: `PROXMOX_VE_ENDPOINT` is often left over in a shell where the plural was set on purpose.
  return Object.assign({}, ...found.toReversed());
}

function readTelmate(
  environment: Environment,
  own: ClientSettings,
): { settings: ClientSettings; notes: readonly string[] } {
  const hasOwnCaller = own.apiToken !== undefined || own.username !== undefined || own.authTicket !== undefined;
  const found = telmateVariables
    .map(({ name, read, instead }) => ({ name, instead, settings: readAll([{ name, read }], environment) }))
    .filter(({ settings }) => Object.keys(settings).some((key) => !(key in own)))
    .filter(({ name }) => !(hasOwnCaller && /^PM_(?:USER|PASS|OTP)$/.test(name)));
  const { PM_API_TOKEN_ID: id, PM_API_TOKEN_SECRET: secret } = environment;
  const token = id && secret && !hasOwnCaller ? [{ apiToken: `${id}=${secret}` }] : [];
  return {
    settings: Object.assign({}, ...found.map(({ settings }) => settings), ...token),
    notes: [
      ...found.map(({ name, instead }) => `${name} is read as ${instead}`),
      ...token.map(() => "PM_API_TOKEN_ID and PM_API_TOKEN_SECRET are read as PROXMOX_VE_API_TOKEN"),
    ],
  };
}

/** `2`, `2s`, `500ms`, `5m`: seconds without a unit. */
export function parseDuration(text: string, name: string): number {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (amount === undefined) {
    throw new PveError("invalid", `${name} is "${text}", not a duration such as 2s, 500ms or 5m`);
  }
  return Number(amount) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit as "ms" | "s" | "m" | "h"];
}

function parseBoolean(text: string, name: string): boolean {
  if (/^(?:1|true|yes|on)$/i.test(text)) {
    return true;
  }
  if (/^(?:0|false|no|off)$/i.test(text)) {
    return false;
  }
  throw new PveError("invalid", `${name} is "${text}", neither true nor false`);
}
