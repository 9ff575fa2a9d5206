import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { configIdFormat, configIdListFormat } from "../core/schema/formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { digest, node } from "../core/schema/standard-options.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  checkSectionUpdate,
  sectionParameters,
  typedOptions,
} from "../core/sections/section-config.ts";
import type { World } from "../core/world/world.ts";
import { isHaManaged, removeService } from "../guests/ha.ts";
import { motionOf } from "./affinity.ts";
import { resourceOrVmIdFormat } from "./formats.ts";
import { changeHa, parseServiceId, resourceRules, resourcesDigest } from "./services.ts";

const sid = string({ format: resourceOrVmIdFormat });
const type = string({ optional: true, enum: ["ct", "vm"] });
const options = {
  state: string({
    optional: true,
    enum: ["started", "stopped", "enabled", "disabled", "ignored"],
    default: "started",
  }),
  group: string({ optional: true, format: configIdFormat }),
  failback: boolean({ optional: true, default: 1 }),
  max_restart: integer({ optional: true, minimum: 0, default: 1 }),
  max_relocate: integer({ optional: true, minimum: 0, default: 1 }),
  comment: string({ optional: true, maxLength: 4096 }),
};

function describe(world: World, id: string): Record<string, unknown> {
  const resource = world.ha.resources[id] ?? die(`no such resource '${id}'`);
  return { ...typedOptions(resource.options, options), type: resource.type, sid: id, digest: resourcesDigest(world) };
}

/** Only guests that exist, of the right kind, can become services (`verify_name`, `exists`). */
function checkService(world: World, id: string, kind: string, name: string): "vm" | "ct" {
  if (kind !== "vm" && kind !== "ct") {
    die(`unknown section type '${kind}'`);
  }
  if (!/^[1-9][0-9]+$/.test(name)) {
    die("invalid VMID");
  }
  const guest = world.guests[name] ?? die(`resource '${id}' does not exist in cluster`);
  if ((kind === "vm") !== (guest.type === "qemu")) {
    die(`resource '${id}' - guest with ID ${name} is not a ${kind === "vm" ? "VM" : "container"}`);
  }
  return kind;
}

function refuseGroup(group: string | undefined): void {
  if (group !== undefined) {
    die("invalid parameter 'group': ha groups have been migrated to rules");
  }
}

/** A service that failed for good has to be disabled before anything else is asked of it. */
function checkServiceState(world: World, id: string, requested?: string): void {
  if (world.ha.services[id]?.state === "error" && requested !== "disabled") {
    die(`service '${id}' in error state, must be disabled and fixed first`);
  }
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Console"]] } as const;

/** A wish to move a service is queued for the manager, which acts on it in its next round. */
function move(call: Call<{ sid: string; node: string }>): Record<string, unknown> {
  const { world, params } = call;
  const { sid: id, name } = parseServiceId(world, params.sid);
  if (world.ha.resources[id] === undefined || !isHaManaged(world, Number(name))) {
    die(`resource '${id}' is not HA managed`);
  }
  checkServiceState(world, id);
  const service = world.ha.services[id];
  if (service !== undefined) {
    service.target = params.node;
  }
  const { together, blocking } = motionOf(world, id, params.node);
  return {
    sid: id,
    "requested-node": params.node,
    ...(together.length > 0 && { "comigrated-resources": together }),
    ...(blocking.length > 0 && {
      "blocking-resources": blocking.map((other) => ({ sid: other, cause: "resource-affinity" })),
    }),
  };
}

/** pve-ha-manager `src/PVE/API2/HA/Resources.pm`. */
export const haResourceEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/ha/resources",
    permissions: mayRead,
    parameters: { type },
    handler: ({ params, world }) =>
      Object.entries(world.ha.resources)
        .filter(([, resource]) => params.type === undefined || params.type === resource.type)
        .map(([id]) => describe(world, id)),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/ha/resources/{sid}",
    permissions: mayRead,
    parameters: { sid },
    handler: ({ params, world }) => describe(world, parseServiceId(world, params.sid).sid),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/ha/resources",
    protected: true,
    permissions: mayWrite,
    parameters: { sid, type, ...options },
    handler: async (call) => {
      const { world, params } = call;
      const { sid: id, type: kind, name } = parseServiceId(world, params.sid);
      if (params.type !== undefined && params.type !== kind) {
        die("types does not match");
      }
      refuseGroup(params.group);
      const checked = checkService(world, id, kind, name);
      const given = sectionParameters(call.given, ["sid", "type"]);
      checkNewSection(resourceRules, given);
      await changeHa(call, "create resource failed", () => {
        if (world.ha.resources[id] !== undefined) {
          die(`resource ID '${id}' already defined`);
        }
        world.ha.resources[id] = { type: checked, options: changedOptions({}, given) };
      });
      return null;
    },
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/ha/resources/{sid}",
    protected: true,
    permissions: mayWrite,
    parameters: {
      sid,
      ...options,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      digest,
    },
    handler: async (call) => {
      const { world, params } = call;
      const { sid: id } = parseServiceId(world, params.sid);
      refuseGroup(params.group || undefined);
      checkServiceState(world, id, params.state);
      const given = sectionParameters(call.given, ["sid", "delete", "digest"]);
      await changeHa(call, "update resources config failed", () => {
        assertDigest(resourcesDigest(world), params.digest);
        const resource = world.ha.resources[id] ?? die(`no such resource '${id}'`);
        checkSectionUpdate(resourceRules, given);
        const deleted = checkDeletions(resourceRules, params.delete, {});
        resource.options = changedOptions(resource.options, given, deleted);
      });
      return null;
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/ha/resources/{sid}",
    protected: true,
    permissions: mayWrite,
    parameters: { sid, purge: boolean({ optional: true, default: 1 }) },
    handler: async (call) => {
      const { world, params } = call;
      const { sid: id } = parseServiceId(world, params.sid);
      if (world.ha.resources[id] === undefined) {
        die(`cannot delete service '${id}', not HA managed!`);
      }
      await changeHa(call, "delete resource failed", () => removeService(world, id, params.purge !== 0));
      return null;
    },
  }),
  endpoint({
    method: "POST",
    path: "/cluster/ha/resources/{sid}/migrate",
    protected: true,
    permissions: mayWrite,
    parameters: { sid, node },
    handler: move,
  }),
  endpoint({
    method: "POST",
    path: "/cluster/ha/resources/{sid}/relocate",
    protected: true,
    permissions: mayWrite,
    parameters: { sid, node },
    handler: move,
  }),
];
