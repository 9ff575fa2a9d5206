import type { Row } from "./row.ts";

/** Attributes that LDAP and Active Directory share. */
const shared: Row["values"] = {
  server: ["ldap1.example.com", "2001:db8::20"],
  fallback_server: ["192.0.2.21", "ldap2.example.com"],
  port: [636, 3269],
  mode: ["ldaps", "ldap+starttls"],
  verify_certificate: [true, false],
  ca_path: ["/etc/pve/ca.pem", "/etc/ssl/other"],
  certificate_path: ["/etc/pve/client.pem", "/etc/ssl/client.pem"],
  certificate_key_path: ["/etc/pve/client.key", "/etc/ssl/client.key"],
  ssl_version: ["tlsv1_2", "tlsv1_3"],
  base_dn: ["ou=people,dc=example,dc=com", "dc=example,dc=org"],
  bind_dn: ["cn=reader,dc=example,dc=com", "reader@example.com"],
  user_attribute: ["cn", "mail"],
  filter: ["(memberof=cn=pve,dc=example,dc=com)", "(mail=*)"],
  user_classes: [["person"], ["user", "inetorgperson"]],
  group_dn: ["ou=groups,dc=example,dc=com", "dc=example,dc=org"],
  group_filter: ["(cn=pve*)", "(cn=*)"],
  group_name_attribute: ["cn", "displayName"],
  group_classes: [["group"], ["groupOfNames", "group"]],
  case_sensitive: [false, true],
  sync_attributes: [{ email: "mail" }, { firstname: "givenName", email: "mail" }],
  sync_defaults: [
    { scope: "both", enable_new: false },
    { scope: "users", remove_vanished: ["entry", "acl"] },
  ],
};

const directory = (type: string): Row["values"] =>
  Object.fromEntries(Object.entries(shared).map(([name, values]) => [`${type}.${name}`, values]));

const ldap = { server: "192.0.2.20", base_dn: "dc=example,dc=com", user_attribute: "uid" };

export const realmRow: Row = {
  type: "proxmox_realm",
  base: {
    id: "corp",
    ldap,
  },
  values: {
    comment: ["first", "second"],
    default: [true, false],
    "tfa.type": ["oath", "oath"],
    ...directory("ldap"),
  },
  others: [
    {
      base: { id: "codes", ldap, tfa: { type: "oath" } },
      values: { "tfa.digits": [8, 7], "tfa.step": [60, 20] },
    },
    {
      base: { id: "keys", ldap, tfa: { type: "yubico", id: "client", key: "secret" } },
      values: {
        "tfa.id": ["other", "third"],
        "tfa.url": ["https://yubi.example.com", "https://keys.example.com"],
      },
    },
    {
      base: { id: "windows", ad: { server: "192.0.2.30", domain: "example.com" } },
      values: { "ad.domain": ["EXAMPLE.COM", "example.org"], ...directory("ad") },
    },
    {
      base: { id: "sso", openid: { issuer_url: "https://id.example.com", client_id: "pve" } },
      values: {
        "openid.issuer_url": ["https://id.example.com/realms/pve", "https://login.example.com"],
        "openid.client_id": ["proxmox", "cluster"],
        "openid.autocreate": [true, false],
        "openid.groups_claim": ["groups", "roles"],
        "openid.groups_autocreate": [true, false],
        "openid.groups_overwrite": [true, false],
        "openid.scopes": ["openid email", "email"],
        "openid.prompt": ["login", "consent"],
        "openid.acr_values": ["urn:a", "urn:b"],
        "openid.audiences": [["api"], ["other", "api"]],
        "openid.query_userinfo": [false, true],
      },
    },
  ],
};
