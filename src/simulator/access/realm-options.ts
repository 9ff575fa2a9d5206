import { die } from "../core/kernel/failure.ts";
import { listOf, namedFormat } from "../core/schema/format.ts";
import { addressFormat } from "../core/schema/network-formats.ts";
import { matches } from "../core/schema/pattern.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { boolean, integer, type Properties, string } from "../core/schema/schema.ts";
import type { OptionRules } from "../core/sections/section-config.ts";

// Realm types of pve-access-control `src/PVE/Auth/*.pm`. Only users of pam and pve can log in here.

const ldapAttribute = namedFormat("ldap-simple-attr", (value) => {
  if (!matches("[a-zA-Z0-9]+", value)) {
    die(`value '${value}' does not look like a simple ldap attribute name`);
  }
});

const removable = "(?:acl|properties|entry)";
export const removeVanished = string({
  optional: true,
  default: "none",
  pattern: `(?:(?:${removable};)*${removable})|none`,
});
export const syncScope = string({ optional: true, enum: ["users", "groups", "both"] });

export const syncOptionsFormat = propertyFormat(
  {
    scope: syncScope,
    "remove-vanished": removeVanished,
    full: boolean({ optional: true }),
    "enable-new": boolean({ optional: true }),
    purge: boolean({ optional: true }),
  },
  { name: "realm-sync-options" },
);

const tfaConfigFormat = propertyFormat(
  {
    type: string({ enum: ["yubico", "oath"] }),
    id: string({ optional: true }),
    key: string({ optional: true }),
    url: string({ optional: true }),
    digits: integer({ optional: true, minimum: 6, maximum: 8, default: 6 }),
    step: integer({ optional: true, minimum: 10, default: 30 }),
  },
  { name: "pve-tfa-config" },
);

const text = (maxLength: number) => string({ optional: true, maxLength });
const flag = (value: number) => boolean({ optional: true, default: value });
const printable = '^[^\\x00-\\x1F\\x7F <>#"]*$';

/** All options of all types; `realmRules` assigns them to types. */
export const realmProperties = {
  "acr-values": string({ optional: true, pattern: printable }),
  audiences: string({ optional: true, pattern: printable }),
  autocreate: flag(0),
  base_dn: text(256),
  bind_dn: text(256),
  capath: string({ optional: true, default: "/etc/ssl/certs" }),
  "case-sensitive": flag(1),
  cert: string({ optional: true }),
  certkey: string({ optional: true }),
  "check-connection": flag(0),
  "client-id": text(256),
  "client-key": text(256),
  comment: text(4096),
  default: boolean({ optional: true }),
  domain: string({ optional: true, maxLength: 256, pattern: "\\S+" }),
  filter: text(2048),
  group_classes: string({ optional: true, format: listOf(ldapAttribute) }),
  group_dn: text(256),
  group_filter: text(2048),
  group_name_attr: string({ optional: true, format: ldapAttribute, maxLength: 256 }),
  "groups-autocreate": flag(0),
  "groups-claim": string({ optional: true, maxLength: 256, pattern: "[A-Za-z0-9.\\-_]+" }),
  "groups-overwrite": flag(0),
  "issuer-url": text(256),
  mode: string({ optional: true, enum: ["ldap", "ldaps", "ldap+starttls"], default: "ldap" }),
  password: string({ optional: true }),
  port: integer({ optional: true, minimum: 1, maximum: 65535 }),
  prompt: string({ optional: true, pattern: "(?:none|login|consent|select_account|\\S+)" }),
  "query-userinfo": flag(1),
  scopes: string({ optional: true, default: "email profile" }),
  secure: boolean({ optional: true }),
  server1: string({ optional: true, format: addressFormat, maxLength: 256 }),
  server2: string({ optional: true, format: addressFormat, maxLength: 256 }),
  sslversion: string({ optional: true, enum: ["tlsv1", "tlsv1_1", "tlsv1_2", "tlsv1_3"] }),
  "sync-defaults-options": string({ optional: true, format: syncOptionsFormat }),
  sync_attributes: string({ optional: true, pattern: "\\w+=[^,]+(,\\s*\\w+=[^,]+)*" }),
  tfa: string({ optional: true, format: tfaConfigFormat, maxLength: 128 }),
  user_attr: string({ optional: true, maxLength: 256, pattern: "\\S{2,}" }),
  user_classes: string({ optional: true, format: listOf(ldapAttribute) }),
  verify: flag(0),
} satisfies Properties;

const allOptional = (names: string): OptionRules =>
  Object.fromEntries(names.split(" ").map((name) => [name, { optional: true as const }]));

const directory = allOptional(
  "server2 bind_dn password port secure sslversion default comment tfa verify capath cert certkey filter " +
    "sync_attributes user_classes group_dn group_name_attr group_filter group_classes sync-defaults-options mode " +
    "case-sensitive",
);

export const realmRules: Readonly<Record<string, OptionRules>> = {
  pam: allOptional("default comment tfa"),
  pve: allOptional("default comment tfa"),
  ldap: { ...directory, server1: {}, base_dn: {}, user_attr: {} },
  ad: { ...directory, ...allOptional("base_dn user_attr"), server1: {}, domain: {} },
  openid: {
    ...allOptional(
      "client-key autocreate groups-claim groups-autocreate groups-overwrite prompt scopes acr-values audiences default " +
        "comment query-userinfo",
    ),
    "username-claim": { optional: true, fixed: true },
    "issuer-url": {},
    "client-id": {},
  },
};
