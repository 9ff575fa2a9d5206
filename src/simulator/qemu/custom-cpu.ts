import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { configIdFormat, configIdListFormat } from "../core/schema/formats.ts";
import { parsePropertyString } from "../core/schema/property-string.ts";
import { string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  sectionsDigest,
  typedOptions,
} from "../core/sections/section-config.ts";
import type { World } from "../core/world/world.ts";
import { cpuFormat, isCustomCpuModel } from "./config/cpu-format.ts";
import { cpuModels, vmCpuFlags } from "./config/cpu-models.ts";

// pve-manager `PVE/API2/Cluster/Qemu/CustomCPUModels.pm`, and the file of qemu-server `src/PVE/QemuServer/CPUConfig.pm`.

const { cputype: _cputype, "reported-model": _model, ...modelOptions } = cpuFormat.properties;
const reportedModel = string({ optional: true, enum: cpuModels, default: "kvm64" });
const options = { ...modelOptions, "reported-model": reportedModel };
const name = string({ format: configIdFormat, maxLength: 40 });
const anyName = string();

const rules = Object.fromEntries(
  Object.keys(options).map((option) => [option, option === "reported-model" ? {} : ({ optional: true } as const)]),
);

/** Models are stored without the prefix and shown with it. */
const bare = (cputype: string) => cputype.replace(/^custom-/, "");

const digestOf = ({ cpuModels: models }: World) => sectionsDigest(models, () => rules);

function describe(world: World, id: string): Record<string, unknown> {
  const model = world.cpuModels[id] ?? die(`Custom cputype '${id}' not found`);
  return { cputype: `custom-${id}`, ...typedOptions(model.options, options), digest: digestOf(world) };
}

/**
 * Formats cannot look at the file of models, so that the value of a VM's `cpu` is compared with it here: the error is the
 * one of the parameter's format.
 */
export function requireCpuModel(world: World, cpu: string | undefined): void {
  const { cputype = "" } = cpu === undefined ? {} : parsePropertyString(cpuFormat, cpu);
  if (isCustomCpuModel(cputype) && world.cpuModels[bare(cputype)] === undefined) {
    paramError({ cpu: `invalid format - Custom cputype '${bare(cputype)}' not found\n` });
  }
}

/** A line whose model is gone cannot be read any more. */
export function isCpuReadable(world: World, cpu: string | undefined): boolean {
  const [, model] = /^(?:cputype=)?custom-([^,]+)/.exec(cpu ?? "") ?? [];
  return model === undefined || world.cpuModels[model] !== undefined;
}

function change(call: Call, body: () => void): Promise<null> {
  return call.lock(clusterFileLock("virtual-guest/cpu-models.conf"), {}, () => {
    body();
    return null;
  });
}

function given(call: Call): Record<string, string> {
  return Object.fromEntries(Object.entries(call.given).filter(([key]) => key in options));
}

const path = "/cluster/qemu/custom-cpu-models";
const mayModify = { check: ["perm", "/mapping/cpu/{cputype}", ["Mapping.Modify"]] } as const;

export const customCpuEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/qemu",
    permissions: { user: "all" },
    parameters: {},
    handler: () => [{ name: "cpu-flags" }, { name: "custom-cpu-models" }],
  }),
  endpoint({
    method: "GET",
    path: "/cluster/qemu/cpu-flags",
    permissions: {
      check: [
        "or",
        ["perm", "/nodes", ["Sys.Audit"]],
        ["perm", "/mapping/cpu", ["Mapping.Audit", "Mapping.Use", "Mapping.Modify"], { any: true }],
      ],
    },
    parameters: {
      accel: string({ optional: true, enum: ["kvm", "tcg"], default: "kvm" }),
      arch: string({ optional: true, enum: ["x86_64", "aarch64"] }),
    },
    handler: ({ world }) => vmCpuFlags.map((flag) => ({ name: flag, "supported-on": Object.keys(world.nodes) })),
  }),
  endpoint({
    method: "GET",
    path,
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world, caller }) =>
      Object.keys(world.cpuModels)
        .sort()
        .filter((id) => caller.hasAny(`/mapping/cpu/${id}`, ["Mapping.Audit", "Mapping.Use", "Mapping.Modify"]))
        .map((id) => describe(world, id)),
  }),
  endpoint({
    method: "POST",
    path,
    protected: true,
    permissions: { check: ["perm", "/mapping/cpu", ["Mapping.Modify"]] },
    parameters: { ...options, "reported-model": string({ enum: cpuModels, default: "kvm64" }), cputype: name },
    handler: (call) => {
      const id = bare(String(call.params["cputype"]));
      configIdFormat.verify(id);
      return change(call, () => {
        if (call.world.cpuModels[id] !== undefined) {
          die(`custom CPU model '${id}' already exists`);
        }
        call.world.cpuModels[id] = { type: "cpu-model", options: changedOptions({}, given(call)) };
      });
    },
  }),
  endpoint({
    method: "GET",
    path: `${path}/{cputype}`,
    permissions: {
      check: [
        "or",
        ["perm", "/mapping/cpu/{cputype}", ["Mapping.Audit"]],
        ["perm", "/mapping/cpu/{cputype}", ["Mapping.Use"]],
        ["perm", "/mapping/cpu/{cputype}", ["Mapping.Modify"]],
      ],
    },
    parameters: { cputype: anyName },
    handler: ({ world, params }) => describe(world, bare(params.cputype)),
  }),
  endpoint({
    method: "PUT",
    path: `${path}/{cputype}`,
    protected: true,
    permissions: mayModify,
    parameters: {
      ...options,
      cputype: name,
      digest,
      delete: string({ optional: true, format: configIdListFormat }),
    },
    handler: (call) => {
      const deleted = (call.given["delete"] ?? "").split(/[,;\s]+/).filter((key) => key !== "");
      const kept = ["cputype", "reported-model"].find((key) => deleted.includes(key));
      if (kept !== undefined) {
        die(`cannot delete '${kept}'`);
      }
      const id = bare(String(call.params["cputype"]));
      configIdFormat.verify(id);
      return change(call, () => {
        assertDigest(digestOf(call.world), call.given["digest"]);
        const model = call.world.cpuModels[id] ?? die(`custom CPU model '${id}' does not exist`);
        const names = checkDeletions(rules, call.given["delete"], given(call));
        model.options = changedOptions(model.options, given(call), names);
      });
    },
  }),
  endpoint({
    method: "DELETE",
    path: `${path}/{cputype}`,
    protected: true,
    permissions: mayModify,
    parameters: { cputype: anyName },
    handler: (call) => {
      const id = bare(String(call.params["cputype"]));
      return change(call, () => {
        if (call.world.cpuModels[id] === undefined) {
          die(`custom CPU model '${id}' does not exist`);
        }
        delete call.world.cpuModels[id];
      });
    },
  }),
];
