import type { Caller } from "../core/access/caller.ts";
import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdListFormat } from "../core/schema/formats.ts";
import { parsePropertyString } from "../core/schema/property-string.ts";
import { type Properties, string } from "../core/schema/schema.ts";
import { sectionParameters } from "../core/sections/section-config.ts";
import type { World } from "../core/world/world.ts";
import { macPrefix, proxmoxMacPrefix } from "../guests/mac-address.ts";
import { datacenterOptions, structuredOptions } from "./datacenter-formats.ts";

/** An option that is a property string, parsed; empty if it is not set. */
export function datacenterOption(world: World, name: keyof typeof structuredOptions): Record<string, string> {
  const value = world.cluster.options[name];
  return value === undefined ? {} : parsePropertyString(structuredOptions[name], value);
}

/** Flags are numbers in answers; all other values are texts as written. */
function answered(name: keyof typeof structuredOptions, parts: Record<string, string>): Record<string, unknown> {
  const { properties }: { properties: Properties } = structuredOptions[name];
  const flags = Object.entries(parts).filter(([key]) => properties[key]?.type === "boolean");
  return { ...parts, ...Object.fromEntries(flags.map(([key, value]) => [key, Number(value)])) };
}

/** `parse_datacenter_config`. */
function describe(world: World): Record<string, unknown> {
  const { description = "", "registered-tags": tags, ...options } = world.cluster.options;
  const lines = description.split("\n");
  if (lines.at(-1) === "") {
    lines.pop();
  }
  const structured = Object.keys(options).filter(
    (name): name is keyof typeof structuredOptions => name in structuredOptions,
  );
  const access = datacenterOption(world, "user-tag-access");
  const allowList = access["user-allow-list"]?.split(";");
  return {
    ...options,
    // PVE reads the file line by line: text after the first line is lost.
    ...(options["consent-text"] !== undefined && { "consent-text": options["consent-text"].split("\n")[0] }),
    ...(options["migration_unsecure"] !== undefined && { migration_unsecure: Number(options["migration_unsecure"]) }),
    ...Object.fromEntries(structured.map((name) => [name, answered(name, datacenterOption(world, name))])),
    ...(allowList !== undefined && { "user-tag-access": { ...access, "user-allow-list": allowList } }),
    ...(tags !== undefined && { "registered-tags": tags.split(";") }),
    description: lines.map((line) => `${line}\n`).join(""),
    mac_prefix: macPrefix(world),
  };
}

/** Tags that the caller may assign to guests (pve-guest-common `src/PVE/GuestHelpers.pm`, `get_allowed_tags`). */
function allowedTags(world: World, caller: Caller): string[] {
  const isPrivileged = caller.has("/", ["Sys.Modify"]);
  const registered = splitList(world.cluster.options["registered-tags"] ?? "");
  const { "user-allow": allow = "free", "user-allow-list": list = "" } = datacenterOption(world, "user-tag-access");
  const listed = allow !== "none" || isPrivileged ? splitList(list) : [];
  const seesExisting = allow === "free" || allow === "existing" || isPrivileged;
  const existing = Object.values(world.guests)
    .filter(({ vmid }) => seesExisting && (isPrivileged || caller.has(`/vms/${vmid}`, ["VM.Audit"])))
    .flatMap(({ config }) => splitList(config["tags"] ?? ""));
  const allowed = isPrivileged
    ? [...listed, ...existing, ...registered]
    : [...listed, ...existing].filter((tag) => !registered.includes(tag));
  return [...new Set(allowed)].sort();
}

/** A write sorts the tags that the file already had; new ones are written as sent. */
function sortedTags({ "registered-tags": tags, ...options }: Record<string, string>): Record<string, string> {
  return tags === undefined ? options : { ...options, "registered-tags": tags.split(";").sort().join(";") };
}

/** `write_datacenter_config`: the contents of the file after the change. */
function normalize(options: Record<string, string>): Record<string, string> {
  const { migration_unsecure: unsecure, mac_prefix: prefix, ...rest } = options;
  const nextId = rest["next-id"];
  if (nextId !== undefined) {
    const { lower = "100", upper = "1000000" } = parsePropertyString(structuredOptions["next-id"], nextId);
    if (Number(lower) > Number(upper)) {
      die(`lower (${lower}) <= upper (${upper}) boundary rule broken`);
    }
  }
  if (unsecure !== undefined && rest["migration"] === undefined) {
    rest["migration"] = unsecure === "1" ? "insecure" : "secure";
  } else if (unsecure !== undefined) {
    rest["migration_unsecure"] = unsecure;
  }
  if (rest["console"] === "applet") {
    rest["console"] = "html5";
  }
  const isDefault = prefix === undefined || prefix.toUpperCase() === proxmoxMacPrefix;
  return { ...rest, ...(!isDefault && { mac_prefix: prefix }) };
}

/** pve-manager `PVE/API2/Cluster.pm`: datacenter.cfg. */
export const clusterOptionEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/options",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world, caller }) => {
      const all = describe(world);
      const visible = caller.has("/", ["Sys.Audit"])
        ? all
        : Object.fromEntries(Object.entries(all).filter(([name]) => name === "console" || name === "tag-style"));
      return { ...visible, "allowed-tags": allowedTags(world, caller) };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/options",
    protected: true,
    permissions: { check: ["perm", "/", ["Sys.Modify"]] },
    parameters: { ...datacenterOptions, delete: string({ optional: true, format: configIdListFormat }) },
    handler: (call) =>
      call.lock(clusterFileLock("datacenter.cfg"), {}, () => {
        const { cluster } = call.world;
        const options = { ...sortedTags(cluster.options), ...sectionParameters(call.given, ["delete"]) };
        for (const name of splitList(call.params.delete ?? "")) {
          delete options[name];
        }
        cluster.options = normalize(options);
        return null;
      }),
  }),
];
