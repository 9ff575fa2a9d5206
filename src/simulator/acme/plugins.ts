import { clusterFileLock } from "../core/kernel/locks.ts";
import { configIdFormat, nodeListFormat } from "../core/schema/formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import type { OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { digestOf, type SectionFile, typedSection } from "../core/sections/section-file.ts";
import type { Acme } from "../core/world/acme.ts";
import type { World } from "../core/world/world.ts";
import { dnsApis } from "./dns-apis.ts";

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
    data: { optional: true, lines: true },
    nodes: { optional: true },
    disable: { optional: true },
    "validation-delay": { optional: true },
  },
  standalone: { nodes: { optional: true }, disable: { optional: true } },
};

const all = ({ acme }: World): Acme["plugins"] => ({
  ...acme.plugins,
  standalone: { type: "standalone", options: {} },
});

const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;

/** pve-manager `PVE/API2/ACMEPlugin.pm`. */
const pluginFile: SectionFile = {
  path: "/cluster/acme/plugins",
  key: "id",
  id: string({ format: configIdFormat }),
  type: string({ enum: types }),
  options,
  parameters: { list: { type: string({ optional: true, enum: types }) } },
  protectedReads: ["list", "read"],
  permissions: { list: mayWrite, read: mayWrite, create: mayWrite, update: mayWrite, delete: mayWrite },
  texts: {
    exists: (id) => `ACME plugin ID '${id}' already exists`,
    missing: (id, action) =>
      action === "read" ? `ACME plugin '${id}' not defined` : `ACME plugin ID '${id}' does not exist`,
  },
  sections: ({ acme }) => acme.plugins,
  rulesOf: (type) => rules[type] ?? {},
  view: ({ world }) =>
    Object.fromEntries(
      Object.entries(all(world)).map(([plugin, section]) => [
        plugin,
        { ...typedSection(pluginFile, section), plugin, digest: digestOf(pluginFile, world) },
      ]),
    ),
  change: (call, _, body) => call.lock(clusterFileLock("priv/acme/plugins.cfg"), {}, body),
  exists: (world, id) => all(world)[id] !== undefined,
  checks: "when free",
  // `data` is sent in base64 and stored decoded; Perl's decoder skips characters that are not base64.
  verify: ({ section, given }) => {
    if (given["data"]) {
      section.options["data"] = Buffer.from(String(given["data"]), "base64").toString("latin1");
    }
  },
  deletesMissing: true,
};

export const acmePluginEndpoints = sectionEndpoints(pluginFile);
