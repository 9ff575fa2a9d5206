import { endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdFormat, configIdListFormat } from "../core/schema/formats.ts";
import { parsePropertyString } from "../core/schema/property-string.ts";
import { string } from "../core/schema/schema.ts";
import { typedOptions } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { digestOf, type SectionFile } from "../core/sections/section-file.ts";
import type { World } from "../core/world/world.ts";
import { cpuFormat, isCustomCpuModel } from "./config/cpu-format.ts";
import { cpuModels, vmCpuFlags } from "./config/cpu-models.ts";

// pve-manager `PVE/API2/Cluster/Qemu/CustomCPUModels.pm`, and the file of qemu-server `src/PVE/QemuServer/CPUConfig.pm`.

const { cputype: _cputype, "reported-model": _model, ...modelOptions } = cpuFormat.properties;
const reportedModel = string({ optional: true, enum: cpuModels, default: "kvm64" });
const options = { ...modelOptions, "reported-model": reportedModel };
const rules = Object.fromEntries(
  Object.keys(options).map((option) => [option, option === "reported-model" ? {} : ({ optional: true } as const)]),
);

/** Models are stored without the prefix and shown with it. */
const bare = (cputype: string) => cputype.replace(/^custom-/, "");

/**
 * Formats have no access to the file of models, so the value of a VM's `cpu` is checked here: the error is that of the
 * parameter's format.
 */
export function requireCpuModel(world: World, cpu: string | undefined): void {
  const { cputype = "" } = cpu === undefined ? {} : parsePropertyString(cpuFormat, cpu);
  if (isCustomCpuModel(cputype) && world.cpuModels[bare(cputype)] === undefined) {
    paramError({ cpu: `invalid format - Custom cputype '${bare(cputype)}' not found\n` });
  }
}

/** A line with a missing model can no longer be read. */
export function isCpuReadable(world: World, cpu: string | undefined): boolean {
  const [, model] = /^(?:cputype=)?custom-([^,]+)/.exec(cpu ?? "") ?? [];
  return model === undefined || world.cpuModels[model] !== undefined;
}

const readers = ["Mapping.Audit", "Mapping.Use", "Mapping.Modify"] as const;
const one = "/mapping/cpu/{cputype}";
const anyName = { cputype: string() };

const modelFile: SectionFile = {
  path: "/cluster/qemu/custom-cpu-models",
  key: "cputype",
  id: string({ format: configIdFormat, maxLength: 40 }),
  type: "cpu-model",
  options: { ...options, "reported-model": string({ enum: cpuModels, default: "kvm64" }) },
  changes: options,
  parameters: {
    read: anyName,
    update: { delete: string({ optional: true, format: configIdListFormat }) },
    delete: anyName,
  },
  permissions: {
    list: { user: "all" },
    read: {
      check: [
        "or",
        ["perm", one, ["Mapping.Audit"]],
        ["perm", one, ["Mapping.Use"]],
        ["perm", one, ["Mapping.Modify"]],
      ],
    },
    create: { check: ["perm", "/mapping/cpu", ["Mapping.Modify"]] },
    update: { check: ["perm", one, ["Mapping.Modify"]] },
    delete: { check: ["perm", one, ["Mapping.Modify"]] },
  },
  texts: {
    exists: (id) => `custom CPU model '${id}' already exists`,
    missing: (id, action) =>
      action === "read" ? `Custom cputype '${id}' not found` : `custom CPU model '${id}' does not exist`,
  },
  sections: ({ cpuModels: models }) => models,
  rulesOf: () => rules,
  guard: ({ given }, action) => {
    const deleted = action === "update" ? splitList(given["delete"] ?? "") : [];
    const kept = ["cputype", "reported-model"].find((name) => deleted.includes(name));
    if (kept !== undefined) {
      die(`cannot delete '${kept}'`);
    }
  },
  idOf: ({ params }, action) => {
    const id = bare(String(params["cputype"]));
    if (action === "create" || action === "update") {
      configIdFormat.verify(id);
    }
    return id;
  },
  view: ({ world }, action) =>
    Object.fromEntries(
      Object.keys(world.cpuModels)
        .sort()
        .map((id) => {
          const all = typedOptions(world.cpuModels[id]?.options ?? {}, options);
          // `get_custom_model` copies what is true in Perl.
          const set = action === "list" ? all : Object.fromEntries(Object.entries(all).filter(([, value]) => value));
          return [id, { cputype: `custom-${id}`, ...set, digest: digestOf(modelFile, world) }];
        }),
    ),
  isListed: ({ caller }, id) => caller.hasAny(`/mapping/cpu/${id}`, readers),
  change: (call, _, body) => call.lock(clusterFileLock("virtual-guest/cpu-models.conf"), {}, body),
};

export const customCpuEndpoints = [
  indexEndpoint("/cluster/qemu", "name", ["cpu-flags", "custom-cpu-models"]),
  endpoint({
    method: "GET",
    path: "/cluster/qemu/cpu-flags",
    permissions: {
      check: ["or", ["perm", "/nodes", ["Sys.Audit"]], ["perm", "/mapping/cpu", readers, { any: true }]],
    },
    parameters: {
      accel: string({ optional: true, enum: ["kvm", "tcg"], default: "kvm" }),
      arch: string({ optional: true, enum: ["x86_64", "aarch64"] }),
    },
    handler: ({ world }) => vmCpuFlags.map((flag) => ({ name: flag, "supported-on": Object.keys(world.nodes) })),
  }),
  ...sectionEndpoints(modelFile),
];
