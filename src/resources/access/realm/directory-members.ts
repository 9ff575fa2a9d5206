import { bool, type ConfigDraft, int, line, map, matches, nested, oneOf, set, string } from "#kit";

export const version = (of: string) =>
  ({ type: int(), mode: "optional", local: true, doc: `Any number; another one sends \`${of}\` again.` }) as const;

export const flag = (wire: string, doc: string) => ({ type: bool(), mode: "optional", wire, doc }) as const;

const server = string({
  check: matches(
    /^(?=.{1,256}$)([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[A-Fa-f0-9:.]*:[A-Fa-f0-9:.]*)$/,
    "a host name or an IP address",
  ),
});

const attribute = matches(/^[A-Za-z0-9]{1,256}$/, "the name of an LDAP attribute, of letters and digits");
const absolutePath = matches(/^\/\S*$/, "an absolute path without blanks");

export const scopes = ["users", "groups", "both"] as const;

/** `acl;entry`, and `none` for nothing (pve-access-control: src/PVE/Auth/Plugin.pm, `remove-vanished`). */
export const vanished = {
  type: set(oneOf(["acl", "entry", "properties"]), { min: 1 }),
  parse: (raw: unknown) => (raw === null || String(raw) === "none" ? null : String(raw).split(";")),
  print: (parts: unknown) => [...(parts as readonly string[])].sort().join(";"),
};

/** `email=mail,firstname=givenName` */
const attributeMap = {
  parse: (raw: unknown) =>
    Object.fromEntries(
      String(raw)
        .split(/,\s*/)
        .map((pair) => [pair.replace(/=.*/s, ""), pair.replace(/^[^=]*=/, "")]),
    ),
  print: (pairs: unknown) =>
    Object.entries(pairs as object)
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join(","),
};

/** What LDAP and Active Directory have in common. */
export const directory = {
  server: { type: server, mode: "required", wire: "server1", doc: "Host name or IP address of the server." },
  fallback_server: {
    type: server,
    mode: "optional",
    wire: "server2",
    doc: "Server to ask when the first does not answer. Left out: none.",
  },
  port: {
    type: int({ min: 1, max: 65_535 }),
    mode: "optional",
    wire: "port",
    doc: "Port of the servers. Left out: 636 for `ldaps`, otherwise 389.",
  },
  mode: {
    type: oneOf(["ldap", "ldaps", "ldap+starttls"]),
    mode: "optional",
    wire: "mode",
    custom: {
      // `secure` is the old form of `ldaps`, and counts where there is no mode.
      parse: (realm: ConfigDraft) => realm.raw("mode") ?? (String(realm.raw("secure")) === "1" ? "ldaps" : null),
      patch: (realm: ConfigDraft) => realm.set("secure", null),
    },
    doc: "How the connection is encrypted. Left out: `ldap`, which is not.",
  },
  verify_certificate: flag("verify", "Whether the certificate of the server must be valid. Left out: it need not."),
  ca_path: {
    type: string({ check: absolutePath }),
    mode: "optional",
    wire: "capath",
    doc: "File or directory on the nodes with the certificate authorities to trust. Left out: `/etc/ssl/certs`.",
  },
  certificate_path: {
    type: string({ check: absolutePath }),
    mode: "optional",
    wire: "cert",
    doc: "File on the nodes with the certificate that they show to the server. Left out: none.",
  },
  certificate_key_path: {
    type: string({ check: absolutePath }),
    mode: "optional",
    wire: "certkey",
    doc: "File on the nodes with the key of that certificate.",
  },
  ssl_version: {
    type: oneOf(["tlsv1", "tlsv1_1", "tlsv1_2", "tlsv1_3"]),
    mode: "optional",
    wire: "sslversion",
    doc: "Version of TLS to use. Left out: the newest that both sides know.",
  },
  bind_dn: {
    type: line(256, "a distinguished name"),
    mode: "optional",
    wire: "bind_dn",
    doc: "Account that searches the directory. Left out: searches are anonymous.",
  },
  password: {
    type: string({ check: matches(/^[^\n]+$/, "one line") }),
    mode: "optional",
    writeOnly: { trigger: "password_version" },
    sensitive: true,
    wire: "password",
    doc: "Password of `bind_dn`; never stored. It is sent when the realm is created and when `password_version` changes.",
  },
  password_version: version("password"),
  filter: {
    type: line(2048, "an LDAP filter"),
    mode: "optional",
    wire: "filter",
    doc: "Filter for users when they are synchronised. Left out: none.",
  },
  user_classes: {
    type: set(string({ check: attribute }), { min: 1 }),
    mode: "optional",
    wire: "user_classes",
    doc: "Object classes of users. Left out: `inetorgperson`, `posixaccount`, `person` and `user`.",
  },
  group_dn: {
    type: line(256, "a distinguished name"),
    mode: "optional",
    wire: "group_dn",
    doc: "Where groups are searched. Left out: in `base_dn`.",
  },
  group_filter: {
    type: line(2048, "an LDAP filter"),
    mode: "optional",
    wire: "group_filter",
    doc: "Filter for groups. Left out: none.",
  },
  group_name_attribute: {
    type: string({ check: attribute }),
    mode: "optional",
    wire: "group_name_attr",
    doc: "Attribute with the name of a group. Left out: the first part of its distinguished name.",
  },
  group_classes: {
    type: set(string({ check: attribute }), { min: 1 }),
    mode: "optional",
    wire: "group_classes",
    doc: "Object classes of groups. Left out: `groupOfNames`, `group`, `univentionGroup` and `ipausergroup`.",
  },
  case_sensitive: flag("case-sensitive", "Whether upper and lower case matter in names of users. Left out: they do."),
  sync_attributes: {
    type: map(string({ check: matches(/^[^,\s]+$/, "the name of an LDAP attribute") }), {
      min: 1,
      keys: matches(/^\w+$/, "the name of a property, such as `email`"),
    }),
    mode: "optional",
    wire: "sync_attributes",
    as: attributeMap,
    doc: 'Attributes of users by property of Proxmox VE, such as `{ email = "mail", firstname = "givenName" }`. Left out: names only.',
  },
  sync_defaults: {
    type: nested({
      scope: {
        type: oneOf(scopes),
        mode: "optional",
        wire: "sync-defaults-options/scope",
        doc: "What is synchronised.",
      },
      enable_new: {
        type: bool(),
        mode: "optional",
        wire: "sync-defaults-options/enable-new",
        doc: "Whether new users are enabled. Left out: they are.",
      },
      remove_vanished: {
        type: vanished.type,
        mode: "optional",
        wire: "sync-defaults-options/remove-vanished",
        as: vanished,
        doc: "What is removed when the directory does not have it any more: `entry` (users and groups), `properties` (of users), `acl` (what was granted to them). Left out: nothing.",
      },
    }),
    mode: "optional",
    doc: "What a synchronisation does unless it is said otherwise.",
  },
} as const;
