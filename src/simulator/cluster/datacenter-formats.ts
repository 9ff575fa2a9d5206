import { die } from "../core/kernel/failure.ts";
import { namedFormat } from "../core/schema/format.ts";
import { bandwidthLimitFormat, emailOptionalFormat } from "../core/schema/formats.ts";
import { cidrFormat } from "../core/schema/network-formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { boolean, integer, number, string } from "../core/schema/schema.ts";

// datacenter.cfg, from pve-cluster `src/PVE/DataCenterConfig.pm`.

const tag = "[a-zA-Z0-9_][a-zA-Z0-9_\\-\\+\\.]*";
const color = `${tag}:[0-9a-fA-F]{6}(?::[0-9a-fA-F]{6})?`;
const text = string({ optional: true });
const flag = boolean({ optional: true });

export const macPrefixFormat = namedFormat("mac-prefix", (value) => {
  if (!/^[a-f0-9][02468ace](?::[a-f0-9]{2}){0,2}(?::[a-f0-9]?)?$/i.test(value)) {
    die("value is not a valid unicast MAC address prefix");
  }
});

const transport = propertyFormat({
  type: string({ default_key: true, enum: ["secure", "insecure"], default: "secure" }),
  network: string({ optional: true, format: cidrFormat }),
});

export const locationFormat = propertyFormat(
  {
    latitude: number({ minimum: -90, maximum: 90 }),
    longitude: number({ minimum: -180, maximum: 180 }),
    name: string({ optional: true, maxLength: 128 }),
  },
  { name: "pve-node-location" },
);

/** Options that are property strings in the file and objects in answers. */
export const structuredOptions = {
  crs: propertyFormat({
    ha: string({ optional: true, enum: ["basic", "static", "dynamic"], default: "basic" }),
    "ha-rebalance-on-start": boolean({ optional: true, default: 0 }),
    "ha-auto-rebalance": boolean({ optional: true, default: 0 }),
    "ha-auto-rebalance-threshold": number({
      optional: true,
      minimum: 0,
      maximum: 100,
      default: 30,
      requires: "ha-auto-rebalance",
    }),
    "ha-auto-rebalance-method": string({
      optional: true,
      enum: ["bruteforce", "topsis"],
      default: "bruteforce",
      requires: "ha-auto-rebalance",
    }),
    "ha-auto-rebalance-hold-duration": number({
      optional: true,
      minimum: 0,
      default: 3,
      requires: "ha-auto-rebalance",
    }),
    "ha-auto-rebalance-margin": number({
      optional: true,
      minimum: 0,
      maximum: 100,
      default: 10,
      requires: "ha-auto-rebalance",
    }),
  }),
  ha: propertyFormat({
    shutdown_policy: string({ enum: ["freeze", "failover", "conditional", "migrate"], default: "conditional" }),
  }),
  migration: transport,
  "next-id": propertyFormat({
    lower: integer({ optional: true, default: 100 }),
    upper: integer({ optional: true, default: 1_000_000 }),
  }),
  notify: propertyFormat({
    "package-updates": string({ optional: true, enum: ["auto", "always", "never"], default: "auto" }),
    "target-package-updates": text,
    fencing: string({ optional: true, enum: ["always", "never"] }),
    "target-fencing": text,
    replication: string({ optional: true, enum: ["always", "never"] }),
    "target-replication": text,
  }),
  replication: transport,
  "tag-style": propertyFormat({
    shape: string({ optional: true, enum: ["full", "circle", "dense", "none"], default: "circle" }),
    "color-map": string({ optional: true, pattern: `(?:${color})(?:;(?:${color}))*` }),
    ordering: string({ optional: true, enum: ["config", "alphabetical"], default: "alphabetical" }),
    "case-sensitive": boolean({ optional: true, default: 0 }),
  }),
  u2f: propertyFormat({ appid: text, origin: text }),
  "user-tag-access": propertyFormat({
    "user-allow": string({ optional: true, enum: ["none", "list", "existing", "free"], default: "free" }),
    "user-allow-list": string({ optional: true, pattern: `${tag}(?:;${tag})*` }),
  }),
  webauthn: propertyFormat({
    id: text,
    origin: text,
    rp: text,
    "allow-subdomains": boolean({ optional: true, default: 1 }),
  }),
};

const keyboards =
  "de de-ch da en-gb en-us es fi fr fr-be fr-ca fr-ch hu is it ja lt mk nl no pl pt pt-br sv sl tr".split(" ");
const languages = "ar ca da de en es eu fa fr hr he it ja ka kr nb nl nn pl pt_BR ru sl sv tr ukr zh_CN zh_TW".split(
  " ",
);

const structured = (name: keyof typeof structuredOptions) =>
  string({ optional: true, format: structuredOptions[name] });

export const datacenterOptions = {
  bwlimit: string({ optional: true, format: bandwidthLimitFormat }),
  "consent-text": string({ optional: true, maxLength: 64 * 1024 }),
  console: string({ optional: true, enum: ["applet", "vv", "html5", "xtermjs"] }),
  crs: structured("crs"),
  description: string({ optional: true, maxLength: 64 * 1024 }),
  email_from: string({ optional: true, format: emailOptionalFormat }),
  fencing: string({ optional: true, enum: ["watchdog", "hardware", "both"], default: "watchdog" }),
  ha: structured("ha"),
  http_proxy: string({ optional: true, pattern: "http://.*" }),
  keyboard: string({ optional: true, enum: keyboards }),
  language: string({ optional: true, enum: languages }),
  location: string({ optional: true, format: locationFormat }),
  mac_prefix: string({ optional: true, format: macPrefixFormat, default: "BC:24:11" }),
  max_workers: integer({ optional: true, minimum: 1 }),
  migration: structured("migration"),
  migration_unsecure: flag,
  "next-id": structured("next-id"),
  notify: structured("notify"),
  "registered-tags": string({ optional: true, pattern: `(?:${tag};)*${tag}` }),
  replication: structured("replication"),
  "tag-style": structured("tag-style"),
  u2f: structured("u2f"),
  "user-tag-access": structured("user-tag-access"),
  webauthn: structured("webauthn"),
};
