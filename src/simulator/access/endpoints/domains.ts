import {
  assertDigest,
  checkNewSection,
  checkSectionUpdate,
  sectionParameters,
  sectionsDigest,
  typedOptions,
} from "../../cluster/section-config.ts";
import { type Call, endpoint } from "../../kernel/endpoint.ts";
import { die, Failure, failureText } from "../../kernel/failure.ts";
import { clusterFileLock } from "../../kernel/locks.ts";
import type { Permissions } from "../../kernel/permission.ts";
import { splitList } from "../../schema/format.ts";
import { configIdListFormat } from "../../schema/formats.ts";
import { string } from "../../schema/schema.ts";
import { digest } from "../../schema/standard-options.ts";
import type { Access } from "../../world/access.ts";
import { realm } from "../formats.ts";
import { realmProperties, realmRules } from "../realm-options.ts";

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

export const domainEndpoints = [
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
        access.realms[params.realm] = { type: params.type, options };
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
        const section = access.realms[params.realm] ?? die(`domain '${params.realm}' does not exist`);
        demandDirectory(section.type, params["check-connection"]);
        if (!params.delete && Object.keys(options).length === 0 && params.password === undefined) {
          die("no options specified");
        }
        checkSectionUpdate(rulesOf(section.type), options);
        if (options["default"] === "1") {
          takeDefaultAway(access);
        }
        for (const name of splitList(params.delete ?? "")) {
          delete section.options[name];
        }
        Object.assign(section.options, options);
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
        delete access.realms[params.realm];
      });
    },
  }),
];
