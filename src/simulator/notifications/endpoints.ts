import { userIdFormat } from "../core/access/formats.ts";
import { isConnectionRefused } from "../core/kernel/connect.ts";
import { type Call, type Endpoint, endpoint } from "../core/kernel/endpoint.ts";
import { die, raise } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { configIdFormat, emailOrUsernameFormat } from "../core/schema/formats.ts";
import { array, boolean, integer, optional, type Properties, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import type { NotificationEntry } from "../core/world/notifications.ts";
import { checkEntry, checkNameFree, checkUnreferenced } from "./checks.ts";
import {
  allEntries,
  describeEntry,
  digestOf,
  type EntryType,
  findEntry,
  findTarget,
  originOf,
  splitSecrets,
} from "./entries.ts";
import { checkTypes, readBack } from "./section.ts";

const name = string({ format: configIdFormat });
const shared = { comment: string({ optional: true }), disable: boolean({ optional: true }) };
const recipients = {
  mailto: array(string({ format: emailOrUsernameFormat }), { optional: true }),
  "mailto-user": array(string({ format: userIdFormat }), { optional: true }),
  author: string({ optional: true }),
};
const texts = array(string(), { optional: true });

interface Kind {
  /** Relative to /cluster/notifications. */
  readonly path: string;
  readonly options: Properties;
  readonly secrets: readonly string[];
}

const kinds: Readonly<Record<EntryType, Kind>> = {
  gotify: { path: "endpoints/gotify", options: { ...shared, server: string(), token: string() }, secrets: ["token"] },
  sendmail: {
    path: "endpoints/sendmail",
    options: { ...shared, ...recipients, "from-address": string({ optional: true }) },
    secrets: [],
  },
  smtp: {
    path: "endpoints/smtp",
    options: {
      ...shared,
      ...recipients,
      "from-address": string(),
      mode: string({ optional: true, enum: ["insecure", "starttls", "tls"] }),
      password: string({ optional: true }),
      port: integer({ optional: true }),
      server: string(),
      username: string({ optional: true }),
    },
    secrets: ["password"],
  },
  webhook: {
    path: "endpoints/webhook",
    options: {
      ...shared,
      body: string({ optional: true }),
      header: texts,
      method: string({ enum: ["post", "put", "get"] }),
      secret: texts,
      url: string(),
    },
    secrets: ["secret"],
  },
  matcher: {
    path: "matchers",
    options: {
      ...shared,
      "invert-match": boolean({ optional: true }),
      "match-calendar": texts,
      "match-field": texts,
      "match-severity": texts,
      mode: string({ optional: true, enum: ["all", "any"] }),
      target: array(string({ format: configIdFormat }), { optional: true }),
    },
    secrets: [],
  },
};

const modify = ["perm", "/mapping/notifications", ["Mapping.Modify"]] as const;
const audit = ["perm", "/mapping/notifications", ["Mapping.Audit"]] as const;
const use = ["perm", "/mapping/notifications", ["Mapping.Use"]] as const;
const mayRead = { check: ["or", modify, audit] } as const;
const maySee = { check: ["or", modify, audit, use] } as const;
const mayWrite = { check: modify } as const;
/** Endpoints make the node open connections. */
const mayConnect = {
  check: ["and", modify, ["or", ["perm", "/", ["Sys.Audit", "Sys.Modify"]], ["perm", "/", ["Sys.AccessNetwork"]]]],
} as const;

const lockOf = clusterFileLock("notifications.cfg");
type Params = Record<string, unknown> & { name: string; delete?: string[]; digest?: string };

function optionsOf({ options, secrets }: Kind, params: Params) {
  const given = Object.entries(params).filter(([option]) => option in options);
  return splitSecrets(Object.fromEntries(given) as NotificationEntry["options"], (option) => secrets.includes(option));
}

async function create(call: Call, type: EntryType): Promise<null> {
  const { world } = call;
  const params = call.params as Params;
  checkTypes(type, params["port"]);
  await call.lock(lockOf, {}, () => {
    const entry = { type, ...optionsOf(kinds[type], params) };
    checkNameFree(world.notifications, params.name);
    checkEntry(world.notifications, params.name, entry);
    world.notifications[params.name] = { ...entry, options: readBack(entry.options) };
  });
  return null;
}

async function update(call: Call, type: EntryType): Promise<null> {
  const { world } = call;
  const params = call.params as Params;
  checkTypes(type, params["port"], params.delete);
  await call.lock(lockOf, {}, () => {
    if (params.digest && params.digest !== digestOf(world.notifications)) {
      raise(400, "detected modified configuration - file changed by other user? Try again.");
    }
    const before = findEntry(world.notifications, type, params.name);
    const given = optionsOf(kinds[type], params);
    const without = <T extends object>(values: T) =>
      Object.fromEntries(Object.entries(values).filter(([option]) => !(params.delete ?? []).includes(option)));
    const entry = {
      type,
      options: { ...without(before.options), ...given.options },
      secrets: { ...without(before.secrets), ...given.secrets },
    } as NotificationEntry;
    checkEntry(world.notifications, params.name, entry);
    world.notifications[params.name] = { ...entry, options: readBack(entry.options) };
  });
  return null;
}

async function remove(call: Call, type: EntryType): Promise<null> {
  const { world } = call;
  const params = call.params as Params;
  await call.lock(lockOf, {}, () => {
    findEntry(world.notifications, type, params.name);
    checkUnreferenced(world.notifications, type, params.name);
    delete world.notifications[params.name];
  });
  return null;
}

function endpointsOf(type: EntryType): Endpoint[] {
  const { path, options } = kinds[type];
  const collection = `/cluster/notifications/${path}`;
  const written = type === "matcher" ? mayWrite : mayConnect;
  const listed = type === "gotify" || type === "webhook" ? { check: audit } : type === "matcher" ? maySee : mayRead;
  const changes = Object.fromEntries(Object.entries(options).map(([option, schema]) => [option, optional(schema)]));
  return [
    endpoint({
      method: "GET",
      path: collection,
      protected: true,
      permissions: listed,
      parameters: {},
      handler: ({ world }) =>
        Object.entries(allEntries(world.notifications))
          .filter(([, entry]) => entry.type === type)
          .map(([entryName, entry]) => describeEntry(world.notifications, entryName, entry)),
    }),
    endpoint({
      method: "GET",
      path: `${collection}/{name}`,
      protected: true,
      permissions: mayRead,
      parameters: { name },
      handler: ({ params, world }) => ({
        ...describeEntry(world.notifications, params.name, findEntry(world.notifications, type, params.name)),
        digest: digestOf(world.notifications),
      }),
    }),
    endpoint({
      method: "POST",
      path: collection,
      protected: true,
      permissions: written,
      parameters: { ...options, name },
      handler: (call) => create(call, type),
    }),
    endpoint({
      method: "PUT",
      path: `${collection}/{name}`,
      protected: true,
      permissions: written,
      parameters: { ...changes, name, delete: array(string({ format: configIdFormat }), { optional: true }), digest },
      handler: (call) => update(call, type),
    }),
    endpoint({
      method: "DELETE",
      path: `${collection}/{name}`,
      protected: true,
      permissions: mayWrite,
      parameters: { name },
      handler: (call) => remove(call, type),
    }),
  ];
}

/** The address to which an endpoint sends, as far as the simulator tries it. */
function addressOf({ type, options }: NotificationEntry): { host: string; port: number } | null {
  if (type === "smtp") {
    const usual = { insecure: 25, starttls: 587, tls: 465 }[String(options["mode"] ?? "tls")];
    return { host: String(options["server"]), port: Number(options["port"] ?? usual) };
  }
  const address = { gotify: options["server"], webhook: options["url"] }[type as string];
  const url = address === undefined ? null : URL.parse(String(address));
  return url && { host: url.hostname, port: Number(url.port || (url.protocol === "https:" ? 443 : 80)) };
}

async function testTarget({ world, params }: Call<{ name: string }>): Promise<null> {
  const target = findTarget(world.notifications, params.name);
  const address = addressOf(target);
  if (address !== null && (await isConnectionRefused(address.host, address.port))) {
    const refused = "Connection refused (os error 111)";
    die(
      {
        smtp: `Could not test target: could not notify via endpoint(s): ${params.name}: Connection error: ${refused}`,
        gotify: `Could not test target: could not notify via endpoint(s): ${params.name}: io: ${refused}`,
      }[target.type as string] ?? `Could not test target: io: ${refused}`,
    );
  }
  return null;
}

/** pve-manager `PVE/API2/Cluster/Notifications.pm`, over proxmox-notify. */
export const notificationEndpoints = [
  indexEndpoint("/cluster/notifications", "name", [
    ...["endpoints", "matchers", "targets", "matcher-fields", "matcher-field-values"],
  ]),
  indexEndpoint("/cluster/notifications/endpoints", "name", ["gotify", "sendmail", "smtp", "webhook"]),
  indexEndpoint("/cluster/notifications/matcher-fields", "name", ["type", "hostname", "job-id"], {
    permissions: mayRead,
  }),
  endpoint({
    method: "GET",
    path: "/cluster/notifications/matcher-field-values",
    protected: true,
    permissions: mayRead,
    parameters: {},
    handler: ({ world }) => [
      ...["package-updates", "fencing", "replication", "vzdump", "system-mail"].map((value) => ({
        field: "type",
        value,
      })),
      ...Object.entries(world.backupJobs).map(([job, { options }]) => ({
        field: "job-id",
        value: job,
        ...(options["comment"] === undefined ? {} : { comment: options["comment"] }),
      })),
      ...Object.keys(world.nodes).map((value) => ({ field: "hostname", value })),
    ],
  }),
  endpoint({
    method: "GET",
    path: "/cluster/notifications/targets",
    protected: true,
    permissions: maySee,
    parameters: {},
    handler: ({ world }) =>
      Object.entries(allEntries(world.notifications))
        .filter(([, { type }]) => type !== "matcher")
        .map(([target, { type, options }]) => ({
          name: target,
          type,
          origin: originOf(world.notifications, target),
          ...(options["comment"] === undefined ? {} : { comment: options["comment"] }),
          ...(options["disable"] === undefined ? {} : { disable: options["disable"] }),
        })),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/notifications/targets/{name}/test",
    protected: true,
    permissions: maySee,
    parameters: { name },
    handler: testTarget,
  }),
  ...(Object.keys(kinds) as EntryType[]).flatMap(endpointsOf),
];
