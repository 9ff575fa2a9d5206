import { bool, certificateFacts, int, map, matches, nested, nullable, string, timeouts } from "#kit";

const name = string({ check: matches(/^[A-Za-z][\w-]+$/, "a name") });

export const attributes = {
  node: { type: string(), mode: "required", replace: true, doc: "Name of the node." },
  account: {
    type: name,
    mode: "optional_computed",
    keep: true,
    undo: "ignore",
    doc: "Account to order with. Left out: `default` for a new one; otherwise it stays as it is.",
  },
  domains: {
    type: map(
      nested(
        {
          plugin: {
            type: nullable(name),
            mode: "optional",
            doc: "Plugin that proves the domain to be yours. Left out: `standalone`, over HTTP on port 80 of the node.",
          },
          alias: {
            type: nullable(string({ check: matches(/^([\w-]+\.)*[\w-]+$/, "a domain") })),
            mode: "optional",
            doc: "Another domain in which the DNS record is set. Left out: none.",
          },
        },
        { mayBeEmpty: true },
      ),
      { min: 1 },
    ),
    mode: "required",
    doc: 'Domains of the certificate by name, such as `{ "pve1.example.com" = { plugin = "cloudflare" } }`. Up to 6 of them may have a plugin or an alias.',
  },
  renew_days: {
    type: int({ min: 1, max: 365 }),
    mode: "optional",
    local: true,
    doc: "Plans a renewal when the certificate ends within this many days. Left out: Proxmox VE renews it automatically, 30 days before its end.",
  },
  revoke_on_destroy: {
    type: bool(),
    mode: "optional",
    local: true,
    doc: "Whether the authority is asked to revoke the certificate when the resource is destroyed. Left out: the certificate is removed from the node and stays valid.",
  },
  ...certificateFacts,
  timeouts: timeouts({ create: "30m", update: "30m", delete: "10m" }),
} as const;
