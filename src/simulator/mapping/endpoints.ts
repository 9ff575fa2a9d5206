import { endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import type { Process } from "../core/kernel/process.ts";
import { configIdFormat, configIdListFormat, nodeFormat } from "../core/schema/formats.ts";
import { array, optional, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  type OptionRules,
  sectionParameters,
  sectionsDigest,
  typedOptions,
} from "../core/sections/section-config.ts";
import type { SectionOptions } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { type MappingKind, mapEntries, mappingKinds } from "./kinds.ts";

const id = string({ format: configIdFormat });
const description = string({ optional: true, maxLength: 4096 });

function rulesOf({ options }: MappingKind): OptionRules {
  const names = ["description", ...Object.keys(options)];
  return { ...Object.fromEntries(names.map((name) => [name, { optional: true as const }])), map: {} };
}

function digestOf(world: World, kind: MappingKind): string {
  return sectionsDigest(world.mappings[kind.name], () => rulesOf(kind));
}

function describe(world: World, kind: MappingKind, name: string): Record<string, unknown> {
  const section = world.mappings[kind.name][name] ?? die(`mapping '${name}' not found`);
  return { ...typedOptions(section.options, kind.options), type: kind.name, digest: digestOf(world, kind) };
}

/** What the web interface asks for: is the mapping usable on that node? */
function checksOn(world: World, kind: MappingKind, name: string, node: string): Record<string, string>[] {
  const { options } = world.mappings[kind.name][name] ?? { options: {} };
  const entries = mapEntries(kind, options).filter((entry) => entry["node"] === node);
  if (entries.length === 0) {
    return [{ severity: "warning", message: `No mapping for node ${node}.` }];
  }
  return entries.flatMap((entry) => {
    try {
      kind.check(name, entry, options);
      return [];
    } catch (thrown) {
      return [{ severity: "error", message: `Invalid configuration: ${failureText(thrown)}` }];
    }
  });
}

function checkHere(world: World, kind: MappingKind, options: SectionOptions): void {
  for (const entry of mapEntries(kind, options).filter(({ node }) => node === world.cluster.local)) {
    kind.checkHere?.(entry);
  }
}

async function change(process: Process, kind: MappingKind, action: string, body: () => void): Promise<null> {
  try {
    await process.lock(clusterFileLock(kind.file), {}, body);
    return null;
  } catch (thrown) {
    die(`${action} mapping failed: ${failureText(thrown)}`);
  }
}

const sees = ["Mapping.Modify", "Mapping.Use", "Mapping.Audit"] as const;
const pathOf = ({ name }: MappingKind) => `/cluster/mapping/${name}`;

/** Options as sections hold them; `map` is a list of lines. */
function optionsOf(given: Readonly<Record<string, string>>, lines: string[] | undefined): SectionOptions {
  return { ...sectionParameters(given, ["id", "map", "digest", "delete"]), ...(lines !== undefined && { map: lines }) };
}

function readEndpoints(kind: MappingKind) {
  const path = pathOf(kind);
  return [
    endpoint({
      method: "GET",
      path,
      permissions: { user: "all" },
      parameters: { "check-node": string({ optional: true, format: nodeFormat }) },
      handler: ({ params, world, caller }) => {
        const checked = params["check-node"];
        const { local } = world.cluster;
        if (checked !== undefined && checked !== "localhost" && checked !== local) {
          die(kind.name === "usb" ? "Wrong node to check" : `wrong node to check - ${checked} != ${local}`);
        }
        return Object.keys(world.mappings[kind.name])
          .filter((name) => caller.hasAny(`/mapping/${kind.name}/${name}`, sees))
          .map((name) => ({
            ...describe(world, kind, name),
            id: name,
            ...(checked !== undefined && { [kind.checks]: checksOn(world, kind, name, local) }),
          }));
      },
    }),
    endpoint({
      method: "GET",
      path: `${path}/{id}`,
      protected: true,
      permissions: {
        check: [
          "or",
          ["perm", `/mapping/${kind.name}/{id}`, ["Mapping.Use"]],
          ["perm", `/mapping/${kind.name}/{id}`, ["Mapping.Modify"]],
          ["perm", `/mapping/${kind.name}/{id}`, ["Mapping.Audit"]],
        ],
      },
      parameters: { id },
      handler: ({ params, world }) => describe(world, kind, params.id),
    }),
  ];
}

function writeEndpoints(kind: MappingKind) {
  const path = pathOf(kind);
  const map = array(string({ format: kind.entry }));
  const rules = rulesOf(kind);
  return [
    endpoint({
      method: "POST",
      path,
      protected: true,
      permissions: { check: ["perm", `/mapping/${kind.name}`, ["Mapping.Modify"]] },
      parameters: { id, description, map, ...kind.options },
      handler: (call) => {
        const sections = call.world.mappings[kind.name];
        const name = call.params.id;
        const options = optionsOf(call.given, call.params.map);
        checkNewSection(rules, options);
        checkHere(call.world, kind, options);
        return change(call, kind, `create ${kind.noun}`, () => {
          if (sections[name] !== undefined) {
            die(`${kind.name} ID '${name}' already defined`);
          }
          kind.checkAll?.(mapEntries(kind, options));
          sections[name] = { type: kind.name, options: changedOptions({}, options) };
        });
      },
    }),
    endpoint({
      method: "PUT",
      path: `${path}/{id}`,
      protected: true,
      permissions: { check: ["perm", `/mapping/${kind.name}/{id}`, ["Mapping.Modify"]] },
      parameters: {
        id,
        description,
        map: kind.name === "usb" ? map : optional(map),
        ...kind.options,
        delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
        digest,
      },
      handler: (call) => {
        const sections = call.world.mappings[kind.name];
        const options = optionsOf(call.given, call.params.map);
        checkHere(call.world, kind, options);
        return change(call, kind, `update ${kind.noun}`, () => {
          assertDigest(digestOf(call.world, kind), call.params.digest);
          const section = sections[call.params.id] ?? die(`${kind.name} ID '${call.params.id}' does not exist`);
          checkNewSection(rules, options);
          kind.checkAll?.(mapEntries(kind, options));
          const deleted = checkDeletions(rules, call.params.delete, options);
          section.options = changedOptions(section.options, options, deleted);
        });
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${path}/{id}`,
      protected: true,
      permissions: { check: ["perm", `/mapping/${kind.name}`, ["Mapping.Modify"]] },
      parameters: { id },
      handler: (call) =>
        change(call, kind, `delete ${kind.name}`, () => {
          delete call.world.mappings[kind.name][call.params.id];
        }),
    }),
  ];
}

/** pve-manager `PVE/API2/Cluster/Mapping/*.pm`. */
export const mappingEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/mapping",
    permissions: { user: "all" },
    parameters: {},
    handler: () => mappingKinds.map(({ name }) => ({ name })),
  }),
  ...mappingKinds.flatMap((kind) => [...readEndpoints(kind), ...writeEndpoints(kind)]),
];
