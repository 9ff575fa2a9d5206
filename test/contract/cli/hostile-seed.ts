import { richSeed, type Seed } from "./rich-seed.ts";

/** Everything that HCL, a shell or a terminal could take for more than text. */
export const hostile = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what Terraform would evaluate, if it were not escaped
  '${file("/etc/passwd")} $${a} $$${b} %{ if true }yes%{ endif } %%{c} %%%{d}',
  '"quoted" \\ \\n \\" \'single\' `touch ran` $(touch ran) */ /* // # <<EOF {{ }}',
  "über 日本語 😀 e\u0301 \u2028 \u202e \u0085",
].join(" ");

/** Descriptions may have several lines. */
export const hostileLines = `${"long ".repeat(1000)}${hostile}\nEOF\n}\nresource "terraform_data" "ran" {\n  provisioner "local-exec" {\n    command = "touch ran"\n  }\n}\n#`;

/** As PVE returns it from a file that it does not encode: the bytes of UTF-8, each as a letter. */
const broken = Buffer.from(hostile).toString("latin1");

/** As long as a notification may have it. */
const short = hostile.slice(0, 128).trim();

type Member = Record<string, unknown>;

const each = (seed: Seed, name: string, more: (one: Member) => Member): Member => ({
  [name]: ((seed[name] ?? []) as Member[]).map((one) => ({ ...one, ...more(one) })),
});

const comment = () => ({ comment: hostile });

const firewall = richSeed["firewall"] as Record<string, Member>;
const commented = (list: unknown) => (list as Member[]).map((one) => ({ ...one, comment: hostile }));

/** A cluster whose users wrote that into every text that Proxmox VE lets them write. */
export const hostileSeed: Seed = {
  ...richSeed,
  groups: [{ groupid: "ops", comment: hostile }],
  pools: [
    { poolid: "web", comment: hostile, vms: [100], storage: ["thin"] },
    { poolid: "constructor", comment: hostileLines.slice(4900) },
    { poolid: "for", comment: `${hostile} ${"x".repeat(700)}` },
    { poolid: "null" },
    { poolid: "true" },
  ],
  ...each(richSeed, "realms", comment),
  ...each(richSeed, "users", () => ({ comment: hostile, firstname: hostile, lastname: hostile })),
  ...each(richSeed, "tokens", comment),
  ...each(richSeed, "ha_resources", () => ({ comment: broken })),
  ...each(richSeed, "ha_rules", comment),
  ...each(richSeed, "backup_jobs", comment),
  ...each(richSeed, "realm_sync_jobs", comment),
  ...each(richSeed, "notifications", () => ({ comment: short })),
  ...each(richSeed, "nodes", ({ config }) => ({ config: { ...(config as Member), description: hostileLines } })),
  ...each(richSeed, "guests", ({ config }) => ({ config: { ...(config as Member), description: hostileLines } })),
  cluster: { name: "lab", options: { description: hostileLines, "registered-tags": "a;b" } },
  mappings: { pci: [{ id: "gpu", description: broken, map: ["node=pve1,path=0000:01:00.0,id=10de:1eb8"] }] },
  firewall: {
    ...firewall,
    cluster: {
      ...firewall["cluster"],
      rules: commented(firewall["cluster"]?.["rules"]),
      aliases: commented(firewall["cluster"]?.["aliases"]),
      ipsets: [{ name: "office", comment: hostile, entries: [{ cidr: "192.0.2.0/24", comment: hostile }] }],
      groups: [{ group: "web", comment: hostile, rules: [{ type: "in", action: "ACCEPT", comment: hostile }] }],
    },
  },
};
