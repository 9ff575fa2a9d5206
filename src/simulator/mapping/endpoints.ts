import type { Call } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { configIdFormat, nodeFormat } from "../core/schema/formats.ts";
import { array, optional, string } from "../core/schema/schema.ts";
import { checkNewSection, type OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { digestOf, type SectionAction, type SectionFile, typedSection } from "../core/sections/section-file.ts";
import type { World } from "../core/world/world.ts";
import { type MappingKind, mapEntries, mappingKinds } from "./kinds.ts";

function rulesOf({ options }: MappingKind): OptionRules {
  const names = ["description", ...Object.keys(options)];
  return { ...Object.fromEntries(names.map((name) => [name, { optional: true as const }])), map: {} };
}

/** Whether the mapping is usable on that node, for the web interface. */
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

/** The node for the checks of a list, which must be the node that answers; undefined without checks. */
function checkedNode({ params, world }: Call, kind: MappingKind): string | undefined {
  const checked = params["check-node"];
  const { local } = world.cluster;
  if (checked !== undefined && checked !== "localhost" && checked !== local) {
    die(kind.name === "usb" ? "Wrong node to check" : `wrong node to check - ${checked} != ${local}`);
  }
  return checked === undefined ? undefined : local;
}

/** Checks of the node that answers on its own devices. */
function checkHere({ params, world }: Call, kind: MappingKind): void {
  const entries = mapEntries(kind, { map: (params["map"] as string[] | undefined) ?? [] });
  for (const entry of entries.filter(({ node }) => node === world.cluster.local)) {
    kind.checkHere?.(entry);
  }
}

const sees = ["Mapping.Modify", "Mapping.Use", "Mapping.Audit"] as const;

async function change<T>(call: Call, kind: MappingKind, action: SectionAction, body: () => T | Promise<T>): Promise<T> {
  try {
    return await call.lock(clusterFileLock(kind.file), {}, body);
  } catch (thrown) {
    die(`${action} ${action === "delete" ? kind.name : kind.noun} mapping failed: ${failureText(thrown)}`);
  }
}

/** pve-manager `PVE/API2/Cluster/Mapping/*.pm`. */
function mappingFile(kind: MappingKind): SectionFile {
  const all = `/mapping/${kind.name}`;
  const one = `${all}/{id}`;
  const map = array(string({ format: kind.entry }));
  const options = { description: string({ optional: true, maxLength: 4096 }), map, ...kind.options };
  const rules = rulesOf(kind);
  const file: SectionFile = {
    path: `/cluster/mapping/${kind.name}`,
    key: "id",
    id: string({ format: configIdFormat }),
    type: kind.name,
    options,
    changes: { ...options, map: kind.name === "usb" ? map : optional(map) },
    parameters: { list: { "check-node": string({ optional: true, format: nodeFormat }) } },
    protectedReads: ["read"],
    permissions: {
      list: { user: "all" },
      read: {
        check: [
          "or",
          ["perm", one, ["Mapping.Use"]],
          ["perm", one, ["Mapping.Modify"]],
          ["perm", one, ["Mapping.Audit"]],
        ],
      },
      create: { check: ["perm", all, ["Mapping.Modify"]] },
      update: { check: ["perm", one, ["Mapping.Modify"]] },
      delete: { check: ["perm", all, ["Mapping.Modify"]] },
    },
    texts: {
      exists: (id) => `${kind.name} ID '${id}' already defined`,
      missing: (id, action) =>
        action === "read" ? `mapping '${id}' not found` : `${kind.name} ID '${id}' does not exist`,
    },
    sections: ({ mappings }) => mappings[kind.name],
    rulesOf: () => rules,
    rawTexts: true,
    view: (call, action) => {
      const { world } = call;
      const node = action === "list" ? checkedNode(call, kind) : undefined;
      return Object.fromEntries(
        Object.entries(world.mappings[kind.name]).map(([id, section]) => [
          id,
          {
            ...typedSection(file, section),
            digest: digestOf(file, world),
            ...(action === "list" && { id }),
            ...(node !== undefined && { [kind.checks]: checksOn(world, kind, id, node) }),
          },
        ]),
      );
    },
    isListed: ({ caller }, id) => caller.hasAny(`${all}/${id}`, sees),
    guard: (call, action) => {
      if (action === "update") {
        checkHere(call, kind);
      }
    },
    change: (call, action, body) => change(call, kind, action, body),
    checkOptions: (call, _, given, action) => {
      checkNewSection(rules, given);
      if (action === "create") {
        checkHere(call, kind);
      }
    },
    verify: ({ given }) => kind.checkAll?.(mapEntries(kind, given)),
    deletesMissing: true,
  };
  return file;
}

export const mappingEndpoints = [
  indexEndpoint(
    "/cluster/mapping",
    "name",
    mappingKinds.map(({ name }) => name),
  ),
  ...mappingKinds.flatMap((kind) => sectionEndpoints(mappingFile(kind))),
];
