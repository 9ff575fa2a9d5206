import { realm } from "../../core/access/formats.ts";
import { isConnectionRefused } from "../../core/kernel/connect.ts";
import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../../core/kernel/failure.ts";
import { clusterFileLock } from "../../core/kernel/locks.ts";
import type { Permissions } from "../../core/kernel/permission.ts";
import { splitList } from "../../core/schema/format.ts";
import { parsePropertyString } from "../../core/schema/property-string.ts";
import { boolean, string } from "../../core/schema/schema.ts";
import { checkNewSection, checkSectionUpdate } from "../../core/sections/section-config.ts";
import { sectionEndpoints } from "../../core/sections/section-endpoints.ts";
import {
  digestOf,
  type SectionAction,
  type SectionChange,
  type SectionEntry,
  type SectionFile,
  typedSection,
} from "../../core/sections/section-file.ts";
import type { Access } from "../../core/world/access.ts";
import type { ConfigSection, SectionOptions } from "../../core/world/section.ts";
import { realmProperties, realmRules, removeVanished, syncOptionsFormat, syncScope } from "../realm-options.ts";
import { syncRealm } from "../realm-sync.ts";

// pve-access-control `src/PVE/API2/Domains.pm`

const allocate: Permissions = { check: ["perm", "/access/realm", ["Realm.Allocate"]] };

/** With `check-connection` the server of a directory is asked before anything is written. */
async function tryConnection({ world, params }: Call): Promise<void> {
  const { realm: name, "check-connection": isChecked } = params;
  const options = { ...world.access.realms[String(name)]?.options, ...params };
  if (isChecked !== 1 || options["server1"] === undefined) return;
  if (await isConnectionRefused(String(options["server1"]), Number(options["port"] ?? 389))) die("Connection refused");
}

async function change<T>(call: Call, action: SectionAction, body: () => T | Promise<T>): Promise<T> {
  try {
    return await call.lock(clusterFileLock("domains.cfg"), {}, async () => {
      await tryConnection(call);
      return body();
    });
  } catch (thrown) {
    die(`${action === "create" ? "add" : action} auth server failed: ${failureText(thrown)}`);
  }
}

/** Realms that exist without any configuration; deleting one only resets its settings. */
const builtInComments: Readonly<Record<string, string>> = {
  pam: "Linux PAM standard authentication",
  pve: "Proxmox VE authentication server",
};

/** Only one realm is the default. */
function takeDefaultAway(access: Access): void {
  for (const section of Object.values(access.realms)) {
    delete section.options["default"];
  }
}

function requireDirectory(type: string, checkConnection: unknown): void {
  if (checkConnection !== undefined && type !== "ldap" && type !== "ad") {
    die("'check-connection' parameter can only be set for realms of type 'ldap' or 'ad'");
  }
}

/** What a request may not do to a realm of that type. */
function checkOptions({ params }: Call, type: string, given: SectionOptions, action: "create" | "update"): void {
  const { realm: name, "check-connection": checkConnection, password, delete: deletions } = params;
  if (action === "create" && (name === "pam" || name === "pve")) {
    die(`unable to use reserved name '${name}'`);
  }
  if (action === "create" && (type === "pam" || type === "pve")) {
    die(`unable to create builtin type '${type}'`);
  }
  requireDirectory(type, checkConnection);
  if (action === "update" && !deletions && Object.keys(given).length === 0 && password === undefined) {
    die("no options specified");
  }
  (action === "create" ? checkNewSection : checkSectionUpdate)(realmRules[type] ?? {}, given);
}

/** The file is checked as a whole when it is written. */
function verifyRealm({ call, id, section, given }: SectionChange): void {
  const rules = realmRules[section.type] ?? {};
  const missing = splitList(call.given["delete"] ?? "").find(
    (option) => given[option] === undefined && rules[option] !== undefined && !rules[option].optional,
  );
  if (missing !== undefined) {
    die(`section '${id}' - missing value for required option '${missing}'`);
  }
  if (given["default"] === "1") {
    takeDefaultAway(call.world.access);
  }
}

/** Property strings are printed again, with their keys in order. */
function normalize(options: SectionOptions): SectionOptions {
  const sync = options["sync-defaults-options"];
  return sync === undefined
    ? options
    : { ...options, "sync-defaults-options": String(sync).split(",").toSorted().join(",") };
}

function summary(id: string, { type, options }: ConfigSection): SectionEntry {
  return {
    realm: id,
    type,
    ...(options["comment"] ? { comment: options["comment"] } : {}),
    ...(options["default"] === "1" ? { default: 1 } : {}),
    ...(options["tfa"] ? { tfa: /type=(\w+)/.exec(String(options["tfa"]))?.[1] } : {}),
  };
}

const { password, "check-connection": checkConnection, ...changes } = realmProperties;
const unkept = { password, "check-connection": checkConnection };

const domainFile: SectionFile = {
  path: "/access/domains",
  key: "realm",
  id: realm,
  type: string({ enum: ["ad", "ldap", "openid", "pam", "pve"] }),
  options: { ...changes, "username-claim": string({ optional: true }) },
  changes,
  parameters: { create: unkept, update: unkept },
  permissions: {
    list: { user: "world" },
    read: { check: ["perm", "/access/realm", ["Realm.Allocate", "Sys.Audit"], { any: true }] },
    create: allocate,
    update: allocate,
    delete: allocate,
  },
  texts: {
    exists: (id) => `domain '${id}' already exists`,
    missing: (id, action) =>
      ({
        update: "cannot lookup undefined type! at /usr/share/perl5/PVE/API2/Domains.pm line 261.",
        delete: `authentication domain '${id}' does not exist`,
      })[action as string] ?? `domain '${id}' does not exist`,
  },
  sections: ({ access }) => access.realms,
  rulesOf: (type) => realmRules[type] ?? {},
  view: ({ world }, action) =>
    Object.fromEntries(
      Object.entries(world.access.realms).map(([id, section]) => {
        // The built-in realm shows a default of its own plugin.
        const plugin = section.type === "pam" && { plugin: "PVE::Auth::PAM" };
        const details = () => ({
          ...plugin,
          ...typedSection(domainFile, section),
          digest: digestOf(domainFile, world),
        });
        return [id, action === "list" ? summary(id, section) : details()];
      }),
    ),
  change,
  normalize,
  checks: "when free",
  checkOptions,
  deletions: (_, list, given) => splitList(list ?? "").filter((name) => given[name] === undefined),
  verify: verifyRealm,
  remove: ({ world: { access } }, id) => {
    const comment = builtInComments[id];
    if (comment === undefined) {
      delete access.realms[id];
    } else {
      access.realms[id] = { type: id, options: { comment } };
    }
  },
};

/** `POST …/sync`: creates users and groups from the realm's directory. */
function sync(call: Call<SyncParameters>): string {
  const { world, params } = call;
  const section = world.access.realms[params.realm] ?? paramError({ realm: "Realm does not exist." });
  if (section.type !== "ldap" && section.type !== "ad") {
    die(`Cannot sync realm type '${section.type}'! Only LDAP/AD realms can be synced.`);
  }
  const defaults = parsePropertyString(syncOptionsFormat, String(section.options["sync-defaults-options"] ?? ""));
  const given = (name: "scope" | "remove-vanished") => params[name] ?? defaults[name];
  const scope =
    given("scope") ?? paramError({ scope: "Not passed as parameter and not defined in realm default sync options." });
  const isEnabled = (params["enable-new"] ?? Number(defaults["enable-new"] ?? 1)) === 1;
  return call.worker("auth-realm-sync", params.realm, async (task) => {
    task.print(`starting sync for realm ${params.realm}`);
    const { server1, port } = section.options;
    if (await isConnectionRefused(String(server1), Number(port ?? 389))) {
      die("Connection refused");
    }
    syncRealm(world.access, params.realm, {
      scope,
      isEnabled,
      removes: splitList((given("remove-vanished") ?? "none").replaceAll(";", ",")),
      isDryRun: params["dry-run"] === 1,
      print: (line) => task.print(line),
    });
  });
}

interface SyncParameters {
  realm: string;
  scope?: string | undefined;
  "remove-vanished"?: string | undefined;
  "enable-new"?: 0 | 1 | undefined;
  "dry-run"?: 0 | 1 | undefined;
}

export const domainEndpoints = [
  endpoint({
    method: "POST",
    path: "/access/domains/{realm}/sync",
    protected: true,
    permissions: {
      check: [
        "and",
        ["perm", "/access/realm/{realm}", ["Realm.AllocateUser"]],
        ["perm", "/access/groups", ["User.Modify"]],
      ],
    },
    parameters: {
      realm,
      "dry-run": boolean({ optional: true }),
      "enable-new": boolean({ optional: true }),
      full: boolean({ optional: true }),
      purge: boolean({ optional: true }),
      "remove-vanished": removeVanished,
      scope: syncScope,
    },
    handler: sync,
  }),
  ...sectionEndpoints(domainFile),
];
