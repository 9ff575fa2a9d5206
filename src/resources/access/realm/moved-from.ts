import { bpg, type LegacyState } from "#kit";

const common = { id: "realm", comment: "comment", default: "default" } as const;

/** `scope=both,enable-new=1` */
function syncDefault(option: string) {
  return (old: LegacyState): string | undefined =>
    old
      .text("sync_defaults_options")
      ?.split(",")
      .find((part) => part.startsWith(`${option}=`))
      ?.slice(option.length + 1);
}

function syncAttributes(old: LegacyState): Record<string, string> | undefined {
  const pairs = old.text("sync_attributes")?.split(/,\s*/);
  return pairs && Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2)));
}

const words = (name: string) => (old: LegacyState) => old.text(name)?.split(/[,;\s]+/);

/** bpg's provider has types for LDAP and OpenID. It writes its defaults to the realm where nothing is given. */
export const realmsMovedFrom = [
  bpg("realm_ldap", {
    ...common,
    "ldap.server": "server1",
    "ldap.fallback_server": "server2",
    "ldap.port": "port",
    "ldap.mode": (old) => old.text("mode") ?? (old.flag("secure") ? "ldaps" : undefined),
    "ldap.base_dn": "base_dn",
    "ldap.user_attribute": "user_attr",
    "ldap.verify_certificate": "verify",
    "ldap.ca_path": "ca_path",
    "ldap.certificate_path": "cert_path",
    "ldap.certificate_key_path": "cert_key_path",
    "ldap.ssl_version": "ssl_version",
    "ldap.bind_dn": "bind_dn",
    "ldap.filter": "filter",
    "ldap.user_classes": words("user_classes"),
    "ldap.group_dn": "group_dn",
    "ldap.group_filter": "group_filter",
    "ldap.group_name_attribute": "group_name_attr",
    "ldap.group_classes": words("group_classes"),
    "ldap.case_sensitive": "case_sensitive",
    "ldap.sync_attributes": syncAttributes,
    "ldap.sync_defaults.scope": syncDefault("scope"),
    "ldap.sync_defaults.enable_new": (old) => {
      const value = syncDefault("enable-new")(old);
      return value === undefined ? undefined : value === "1";
    },
    "ldap.sync_defaults.remove_vanished": (old) => {
      const value = syncDefault("remove-vanished")(old);
      return value === undefined || value === "none" ? undefined : value.split(";");
    },
  }),
  bpg("realm_openid", {
    ...common,
    "openid.issuer_url": "issuer_url",
    "openid.client_id": "client_id",
    "openid.username_claim": "username_claim",
    "openid.autocreate": "autocreate",
    "openid.groups_claim": "groups_claim",
    "openid.groups_autocreate": "groups_autocreate",
    "openid.groups_overwrite": "groups_overwrite",
    "openid.scopes": "scopes",
    "openid.prompt": "prompt",
    "openid.acr_values": "acr_values",
    "openid.audiences": words("audiences"),
    "openid.query_userinfo": "query_userinfo",
  }),
];
