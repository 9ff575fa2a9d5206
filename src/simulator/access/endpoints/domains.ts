import { realm } from "../../core/access/formats.ts";
import { isConnectionRefused } from "../../core/kernel/connect.ts";
import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, Failure, failureText, paramError } from "../../core/kernel/failure.ts";
import { clusterFileLock } from "../../core/kernel/locks.ts";
import type { Permissions } from "../../core/kernel/permission.ts";
import { splitList } from "../../core/schema/format.ts";
import { configIdListFormat } from "../../core/schema/formats.ts";
import { parsePropertyString } from "../../core/schema/property-string.ts";
import { boolean, string } from "../../core/schema/schema.ts";
import { digest } from "../../core/schema/standard-options.ts";
import {
  assertDigest,
  checkNewSection,
  checkSectionUpdate,
  sectionParameters,
  sectionsDigest,
  typedOptions,
} from "../../core/sections/section-config.ts";
import type { Access } from "../../core/world/access.ts";
import { realmProperties, realmRules, removeVanished, syncOptionsFormat, syncScope } from "../realm-options.ts";
import { syncRealm } from "../realm-sync.ts";

// pve-access-control `src/PVE/API2/Domains.pm`

const allocate: Permissions = { check: ["perm", "/access/realm", ["Realm.Allocate"]] };
const rulesOf = (type: string) => realmRules[type] ?? {};
const domainsDigest = (access: Access) => sectionsDigest(access.realms, rulesOf);

async function changeDomains(call: Call<unknown>, complaint: string, change: (access: Access) => void): Promise<void> {
  try {
    await call.lock(clusterFileLock("domains.cfg"), {}, () => change(call.world.access));
  } catch (thrown) {
    throw new Failure(`${complaint}: ${failureText(thrown)}`);
  }
}

/** Realms that exist without any configuration; removing one only takes its settings away. */
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

function demandDirectory(type: string, checkConnection: unknown): void {
  if (checkConnection !== undefined && type !== "ldap" && type !== "ad") {
    die("'check-connection' parameter can only be set for realms of type 'ldap' or 'ad'");
  }
}

/** The file is checked as a whole when it is written. */
function checkRequired(name: string, type: string, deleted: readonly string[]): void {
  const missing = deleted.find((option) => rulesOf(type)[option] !== undefined && !rulesOf(type)[option]?.optional);
  if (missing !== undefined) {
    die(`section '${name}' - missing value for required option '${missing}'`);
  }
}

/** Property strings are printed anew, with their keys in order. */
function normalize(options: Record<string, string>): Record<string, string> {
  const sync = options["sync-defaults-options"];
  return sync === undefined ? options : { ...options, "sync-defaults-options": sync.split(",").toSorted().join(",") };
}

/** `POST …/sync`: what the realm's directory has becomes users and groups. */
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
  endpoint({
    method: "GET",
    path: "/access/domains",
    permissions: { user: "world" },
    parameters: {},
    handler: ({ world }) =>
      Object.entries(world.access.realms).map(([id, { type, options }]) => ({
        realm: id,
        type,
        ...(options["comment"] ? { comment: options["comment"] } : {}),
        ...(options["default"] === "1" ? { default: 1 } : {}),
        ...(options["tfa"] ? { tfa: /type=(\w+)/.exec(String(options["tfa"]))?.[1] } : {}),
      })),
  }),
  endpoint({
    method: "POST",
    path: "/access/domains",
    protected: true,
    permissions: allocate,
    parameters: {
      realm,
      type: string({ enum: ["ad", "ldap", "openid", "pam", "pve"] }),
      ...realmProperties,
      "username-claim": string({ optional: true }),
    },
    handler: async (call) => {
      const { params } = call;
      const options = sectionParameters(call.given, ["realm", "type", "password", "check-connection"]);
      await changeDomains(call, "add auth server failed", (access) => {
        if (access.realms[params.realm] !== undefined) {
          die(`domain '${params.realm}' already exists`);
        }
        if (params.realm === "pam" || params.realm === "pve") {
          die(`unable to use reserved name '${params.realm}'`);
        }
        if (params.type === "pam" || params.type === "pve") {
          die(`unable to create builtin type '${params.type}'`);
        }
        demandDirectory(params.type, params["check-connection"]);
        checkNewSection(rulesOf(params.type), options);
        if (options["default"] === "1") {
          takeDefaultAway(access);
        }
        access.realms[params.realm] = { type: params.type, options: normalize(options) };
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/access/domains/{realm}",
    permissions: { check: ["perm", "/access/realm", ["Realm.Allocate", "Sys.Audit"], { any: true }] },
    parameters: { realm },
    handler: ({ world: { access }, params }) => {
      const section = access.realms[params.realm] ?? die(`domain '${params.realm}' does not exist`);
      return {
        type: section.type,
        // The built-in realm shows a default of its own plugin.
        ...(section.type === "pam" && { plugin: "PVE::Auth::PAM" }),
        ...typedOptions(section.options, realmProperties),
        digest: domainsDigest(access),
      };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/access/domains/{realm}",
    protected: true,
    permissions: allocate,
    parameters: {
      realm,
      ...realmProperties,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      digest,
    },
    handler: async (call) => {
      const { params } = call;
      const ours = ["realm", "password", "check-connection", "delete", "digest"];
      const options = sectionParameters(call.given, ours);
      await changeDomains(call, "update auth server failed", (access) => {
        assertDigest(domainsDigest(access), params.digest);
        const section =
          access.realms[params.realm] ??
          die("cannot lookup undefined type! at /usr/share/perl5/PVE/API2/Domains.pm line 261.");
        demandDirectory(section.type, params["check-connection"]);
        if (!params.delete && Object.keys(options).length === 0 && params.password === undefined) {
          die("no options specified");
        }
        checkSectionUpdate(rulesOf(section.type), options);
        if (options["default"] === "1") {
          takeDefaultAway(access);
        }
        const deleted = splitList(params.delete ?? "");
        checkRequired(
          params.realm,
          section.type,
          deleted.filter((name) => options[name] === undefined),
        );
        for (const name of deleted) {
          delete section.options[name];
        }
        Object.assign(section.options, normalize(options));
      });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/access/domains/{realm}",
    protected: true,
    permissions: allocate,
    parameters: { realm },
    handler: async (call) => {
      const { params } = call;
      await changeDomains(call, "delete auth server failed", (access) => {
        if (access.realms[params.realm] === undefined) {
          die(`authentication domain '${params.realm}' does not exist`);
        }
        const builtIn = builtInComments[params.realm];
        if (builtIn === undefined) {
          delete access.realms[params.realm];
        } else {
          access.realms[params.realm] = { type: params.realm, options: { comment: builtIn } };
        }
      });
    },
  }),
];
