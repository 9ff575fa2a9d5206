import {
  alternatives,
  base64Text,
  bpg,
  defineCrud,
  disabled,
  int,
  map,
  matches,
  nested,
  oncePerRun,
  type PlanContext,
  type Session,
  set,
  string,
} from "#kit";

/** `KEY=value` lines in base64. */
const lines = {
  parse: (raw: unknown) => raw,
  print: (values: unknown) =>
    base64Text.print(
      Object.entries(values as Record<string, string>)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name}=${value}`)
        .join("\n"),
    ),
};

const nodes = {
  type: set(string(), { min: 1 }),
  mode: "optional",
  wire: "nodes",
  refers: "node",
  doc: "Nodes that the plugin is for. Left out: all.",
} as const;

const attributes = {
  id: {
    type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
    mode: "required",
    wire: "id",
    replace: true,
    doc: "Name of the plugin. The plugin `standalone` comes with Proxmox VE.",
  },
  enabled: {
    ...disabled("disable"),
    doc: "Whether the plugin can be used. Left out: a new one can; otherwise it stays as it is.",
  },
  dns: {
    type: nested({
      api: {
        type: string({ check: matches(/^\w+$/, "the name of a DNS API, such as `cf`") }),
        mode: "required",
        wire: "api",
        doc: "Name of the DNS provider's API, such as `cf` or `aws`; `proxmox_acme_directories` lists them.",
      },
      data: {
        type: map(string({ check: matches(/^[^\n]*$/, "one line") }), {
          min: 1,
          keys: matches(/^\w+$/, "the name of a setting: letters, digits and `_`"),
        }),
        mode: "optional",
        writeOnly: { trigger: "data_version" },
        sensitive: true,
        wire: "data",
        as: lines,
        doc: "Settings and secrets of the API by name, such as `{ CF_Token = var.token }`; never stored. They are sent when the plugin is created and when `data_version` changes, and then take the place of all others. Proxmox VE shows them to callers with `Sys.Modify` on `/`.",
      },
      data_version: { type: int(), mode: "optional", local: true, doc: "Any number; another one sends `data` again." },
      validation_delay: {
        type: int({ min: 0, max: 172_800 }),
        mode: "optional",
        wire: "validation-delay",
        doc: "Seconds between setting the DNS record and asking the authority to check it. Left out: 30.",
      },
      nodes,
    }),
    mode: "optional",
    doc: "A challenge by a DNS record. Exactly one of `dns` and `standalone` must be given.",
  },
  standalone: {
    type: nested({ nodes }, { mayBeEmpty: true }),
    mode: "optional",
    doc: "A challenge over HTTP that the node answers itself, on port 80.",
  },
} as const;

/** `proxmox_acme_plugin`. Server side: pve-manager `PVE/API2/ACMEPlugin.pm`. */
export const acmePlugin = defineCrud({
  type: "proxmox_acme_plugin",
  subcategory: "Cluster",
  doc: "A way to prove to a certificate authority that a domain is yours, for `proxmox_acme_certificate`.",
  noun: "ACME plugin",
  path: "/cluster/acme/plugins/{id}",
  file: "the ACME plugins",
  identity: ["id"],
  variants: { names: ["dns", "standalone"] },
  movedFrom: [
    bpg("acme_dns_plugin", {
      id: "plugin",
      "dns.api": "api",
      "dns.validation_delay": "validation_delay",
      enabled: (old) => old.flag("disable") !== true,
    }),
  ],
  isListWhole: true,
  listedId: ({ plugin }) => ({ id: plugin }),
  isOwn: ({ plugin }) => plugin !== "standalone",
  plannedAs: "acme_plugin",
  attributes,
  plan: checkApi,
});

const apis = oncePerRun(async (api: Session) =>
  (await api.collect("/cluster/acme/challenge-schema", {})).map(({ id }) => String(id)),
);

async function checkApi(
  { config, changes, report }: PlanContext<typeof attributes, object, Session>,
  api: Session,
): Promise<void> {
  const name = config.dns?.api;
  if (name === undefined || !changes.has("dns")) return;
  const known = await apis(api);
  if (known.includes(name)) return;
  report.error(
    "dns.api",
    "No such DNS API",
    `Proxmox VE has no API \`${name}\`. ${alternatives(name, new Set(known))}`,
  );
}
