import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { configIdFormat } from "../core/schema/formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { checkDeletions } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { type SectionFile, typedSection } from "../core/sections/section-file.ts";
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
  "auto-rebalance": boolean({ optional: true, default: 1 }),
  max_restart: integer({ optional: true, minimum: 0, default: 1 }),
  max_relocate: integer({ optional: true, minimum: 0, default: 1 }),
  comment: string({ optional: true, maxLength: 4096 }),
};

/** Only existing guests of the right kind can become services (`verify_name`, `exists`). */
function checkService(world: World, { sid: id, type: kind, name }: ReturnType<typeof parseServiceId>): void {
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
}

function refuseGroup(group: unknown): void {
  if (group !== undefined) {
    die("invalid parameter 'group': ha groups have been migrated to rules");
  }
}

/** A service in error state must be disabled before any other request. */
function checkServiceState(world: World, id: string, requested?: unknown): void {
  if (world.ha.services[id]?.state === "error" && requested !== "disabled") {
    die(`service '${id}' in error state, must be disabled and fixed first`);
  }
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Console"]] } as const;

/** A request to move a service is queued for the manager, which executes it in its next round. */
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

/** Refusals before the configuration is locked. */
function guard({ world, params }: Call, action: string): void {
  if (action === "list" || action === "read") {
    return;
  }
  const service = parseServiceId(world, String(params["sid"]));
  if (action === "create") {
    if (params["type"] !== undefined && params["type"] !== service.type) {
      die("types does not match");
    }
    refuseGroup(params["group"]);
    checkService(world, service);
  }
  if (action === "update") {
    refuseGroup(params["group"] || undefined);
    checkServiceState(world, service.sid, params["state"]);
  }
  if (action === "delete" && world.ha.resources[service.sid] === undefined) {
    die(`cannot delete service '${service.sid}', not HA managed!`);
  }
}

const failures = {
  create: "create resource failed",
  update: "update resources config failed",
  delete: "delete resource failed",
} as const;

/** pve-ha-manager `src/PVE/API2/HA/Resources.pm`. */
const resourceFile: SectionFile = {
  path: "/cluster/ha/resources",
  key: "sid",
  id: sid,
  type,
  options,
  parameters: { list: { type }, delete: { purge: boolean({ optional: true, default: 1 }) } },
  permissions: { list: mayRead, read: mayRead, create: mayWrite, update: mayWrite, delete: mayWrite },
  texts: {
    exists: (id) => `resource ID '${id}' already defined`,
    missing: (id) => `no such resource '${id}'`,
  },
  sections: ({ ha }) => ha.resources,
  rulesOf: () => resourceRules,
  rawTexts: true,
  digest: resourcesDigest,
  guard,
  idOf: ({ world, params }) => parseServiceId(world, String(params["sid"])).sid,
  typeOf: ({ world, params }) => parseServiceId(world, String(params["sid"])).type,
  view: ({ world }) =>
    Object.fromEntries(
      Object.entries(world.ha.resources).map(([id, section]) => [
        id,
        { ...typedSection(resourceFile, section), sid: id, digest: resourcesDigest(world) },
      ]),
    ),
  change: (call, action, body) => changeHa(call, failures[action], body),
  deletions: (rules, list) => checkDeletions(rules, list, {}),
  remove: ({ world, params }, id) => removeService(world, id, params["purge"] !== 0),
};

export const haResourceEndpoints = [
  ...sectionEndpoints(resourceFile),
  ...["migrate", "relocate"].map((action) =>
    endpoint({
      method: "POST",
      path: `/cluster/ha/resources/{sid}/${action}`,
      protected: true,
      permissions: mayWrite,
      parameters: { sid, node },
      handler: move,
    }),
  ),
];
