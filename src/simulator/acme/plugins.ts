import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { configIdFormat, configIdListFormat, nodeListFormat } from "../core/schema/formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  checkSectionUpdate,
  type OptionRules,
  sectionParameters,
  sectionsDigest,
  typedOptions,
} from "../core/sections/section-config.ts";
import type { Acme } from "../core/world/acme.ts";
import type { World } from "../core/world/world.ts";
import { dnsApis } from "./dns-apis.ts";

const id = string({ format: configIdFormat });
const types = ["dns", "standalone"] as const;

const options = {
  api: string({ optional: true, enum: dnsApis }),
  data: string({ optional: true }),
  disable: boolean({ optional: true }),
  nodes: string({ optional: true, format: nodeListFormat }),
  "validation-delay": integer({ optional: true, minimum: 0, maximum: 172_800 }),
};

/** libproxmox-acme `src/PVE/ACME/DNSChallenge.pm`, `StandAlone.pm`. */
const rules: Readonly<Record<string, OptionRules>> = {
  dns: {
    api: {},
    data: { optional: true },
    nodes: { optional: true },
    disable: { optional: true },
    "validation-delay": { optional: true },
  },
  standalone: { nodes: { optional: true }, disable: { optional: true } },
};
const rulesOf = (type: string): OptionRules => rules[type] ?? {};

const all = ({ acme }: World): Acme["plugins"] => ({
  ...acme.plugins,
  standalone: { type: "standalone", options: {} },
});
const digestOf = ({ acme }: World) => sectionsDigest(acme.plugins, rulesOf);

function describe(world: World, plugin: string) {
  const { type, options: set } = all(world)[plugin] ?? die(`ACME plugin '${plugin}' not defined`);
  return { ...typedOptions(set, options), plugin, type, digest: digestOf(world) };
}

/** `data` comes in base64 and is kept decoded; Perl's decoder passes over everything that is not base64. */
function decoded({ data, ...given }: Record<string, string>): Record<string, string> {
  return data === undefined ? given : { ...given, data: Buffer.from(data, "base64").toString("latin1") };
}

/** Lines of `data` are kept in one option here, so the check on line feeds is left to the others. */
const withoutData = ({ data: _, ...given }: Record<string, string>) => given;

async function create(call: Call<{ id: string; type: string }>): Promise<null> {
  const { world, params } = call;
  await call.lock(clusterFileLock("priv/acme/plugins.cfg"), {}, () => {
    if (all(world)[params.id] !== undefined) {
      die(`ACME plugin ID '${params.id}' already exists`);
    }
    const given = decoded(sectionParameters(call.given, ["id", "type"]));
    checkNewSection(rulesOf(params.type), withoutData(given));
    world.acme.plugins[params.id] = { type: params.type, options: changedOptions({}, given) };
  });
  return null;
}

async function update(
  call: Call<{ id: string; delete?: string | undefined; digest?: string | undefined }>,
): Promise<null> {
  const { world, params } = call;
  await call.lock(clusterFileLock("priv/acme/plugins.cfg"), {}, () => {
    assertDigest(digestOf(world), params.digest);
    const plugin = world.acme.plugins[params.id] ?? die(`ACME plugin ID '${params.id}' does not exist`);
    const given = decoded(sectionParameters(call.given, ["id", "delete", "digest"]));
    checkSectionUpdate(rulesOf(plugin.type), withoutData(given));
    const deleted = checkDeletions(rulesOf(plugin.type), params.delete, given);
    plugin.options = changedOptions(plugin.options, given, deleted);
  });
  return null;
}

const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;

/** pve-manager `PVE/API2/ACMEPlugin.pm`. */
export const acmePluginEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/acme/plugins",
    protected: true,
    permissions: mayWrite,
    parameters: { type: string({ optional: true, enum: types }) },
    handler: ({ world, params }) =>
      Object.entries(all(world))
        .filter(([, { type }]) => params.type === undefined || params.type === type)
        .map(([plugin]) => describe(world, plugin)),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/acme/plugins/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: { id },
    handler: ({ world, params }) => describe(world, params.id),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/acme/plugins",
    protected: true,
    permissions: mayWrite,
    parameters: { ...options, id, type: string({ enum: types }) },
    handler: create,
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/acme/plugins/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: {
      ...options,
      id,
      delete: string({ optional: true, maxLength: 4096, format: configIdListFormat }),
      digest,
    },
    handler: update,
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/acme/plugins/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: { id },
    handler: async (call) => {
      await call.lock(clusterFileLock("priv/acme/plugins.cfg"), {}, () => {
        delete call.world.acme.plugins[call.params.id];
      });
      return null;
    },
  }),
];
