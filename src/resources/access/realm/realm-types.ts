import { line, matches, nested, set, string } from "#kit";
import { directory, flag, version } from "./directory-members.ts";

const { server, fallback_server, port, mode, ...search } = directory;
const connection = { server, fallback_server, port, mode } as const;

const userAttribute = {
  type: string({ check: matches(/^\S{2,256}$/, "an LDAP attribute of two or more characters without blanks") }),
  wire: "user_attr",
} as const;

/** PVE keeps these in one text; none of them may have blanks or any of `<>#"` in it. */
const plain = matches(/^[^\s<>#",;]+$/, 'a text without blanks and without any of `<>#",;`');

export const realmNames = ["ldap", "ad", "openid", "pam", "pve"] as const;

/** One attribute for each type of realm; exactly one of them is given. */
export const realmTypes = {
  ldap: {
    type: nested({
      ...connection,
      base_dn: {
        type: line(256, "a distinguished name"),
        mode: "required",
        wire: "base_dn",
        doc: "Where users are searched, such as `ou=people,dc=example,dc=com`.",
      },
      user_attribute: { ...userAttribute, mode: "required", doc: "Attribute with the name of a user, such as `uid`." },
      ...search,
    }),
    mode: "optional",
    doc: "An LDAP directory. Exactly one of `ldap`, `ad`, `openid`, `pam` and `pve` must be given.",
  },
  ad: {
    type: nested({
      ...connection,
      domain: {
        type: string({ check: matches(/^\S{1,256}$/, "a domain without blanks") }),
        mode: "required",
        wire: "domain",
        doc: "Domain of the directory, such as `example.com`.",
      },
      base_dn: {
        type: line(256, "a distinguished name"),
        mode: "optional",
        wire: "base_dn",
        doc: "Where users are searched when they are synchronised. Left out: in the domain.",
      },
      user_attribute: {
        ...userAttribute,
        mode: "optional",
        doc: "Attribute with the name of a user. Left out: `sAMAccountName`.",
      },
      ...search,
    }),
    mode: "optional",
    doc: "An Active Directory.",
  },
  openid: {
    type: nested({
      issuer_url: {
        type: string({ check: matches(/^https?:\/\/\S{1,248}$/, "an address that begins with `https://`") }),
        mode: "required",
        wire: "issuer-url",
        doc: "Address of the OpenID Connect provider.",
      },
      client_id: {
        type: line(256, "the ID of a client"),
        mode: "required",
        wire: "client-id",
        doc: "ID of the client that Proxmox VE is there.",
      },
      client_key: {
        type: line(256, "the key of a client"),
        mode: "optional",
        writeOnly: { trigger: "client_key_version" },
        sensitive: true,
        wire: "client-key",
        doc: "Key of the client; never stored. It is sent when the realm is created and when `client_key_version` changes. Callers who may audit realms can read it in Proxmox VE.",
      },
      client_key_version: version("client_key"),
      username_claim: {
        type: line(256, "the name of a claim"),
        mode: "optional",
        wire: "username-claim",
        replace: "Proxmox VE never changes the claim of a realm: the realm is removed and made again. Its users stay.",
        doc: "Claim with the name of a user, such as `email` or `username`. Left out: `sub`.",
      },
      autocreate: flag("autocreate", "Whether users that log in are created. Left out: they must exist."),
      groups_claim: {
        type: string({ check: matches(/^[A-Za-z0-9._-]{1,256}$/, "the name of a claim") }),
        mode: "optional",
        wire: "groups-claim",
        doc: "Claim with the groups of a user. Left out: groups are not taken from claims.",
      },
      groups_autocreate: flag(
        "groups-autocreate",
        "Whether groups of the claim are created. Left out: they must exist.",
      ),
      groups_overwrite: flag(
        "groups-overwrite",
        "Whether a user leaves groups that the claim does not have. Left out: it stays in them.",
      ),
      scopes: {
        type: line(256, "scopes separated by blanks"),
        mode: "optional",
        wire: "scopes",
        doc: "Scopes to ask for, separated by blanks. Left out: `email profile`.",
      },
      prompt: {
        type: string({ check: matches(/^\S+$/, "`none`, `login`, `consent`, `select_account` or another word") }),
        mode: "optional",
        wire: "prompt",
        doc: "Whether the provider asks users again: `none`, `login`, `consent` or `select_account`. Left out: as the provider does.",
      },
      acr_values: {
        type: string({ check: plain }),
        mode: "optional",
        wire: "acr-values",
        doc: "Authentication context classes to ask for. Left out: none.",
      },
      audiences: {
        type: set(string({ check: plain }), { min: 1 }),
        mode: "optional",
        wire: "audiences",
        doc: "Audiences of tokens to accept besides `client_id`. Left out: none.",
      },
      query_userinfo: flag(
        "query-userinfo",
        "Whether the provider is asked for claims besides those of the token. Left out: it is.",
      ),
    }),
    mode: "optional",
    doc: "An OpenID Connect provider.",
  },
  pam: {
    type: nested({}, { mayBeEmpty: true }),
    mode: "optional",
    doc: "The accounts of each node's own system: `pam = {}`. The realm comes with Proxmox VE, so it has to be imported.",
  },
  pve: {
    type: nested({}, { mayBeEmpty: true }),
    mode: "optional",
    doc: "The accounts that Proxmox VE keeps itself: `pve = {}`. The realm comes with Proxmox VE, so it has to be imported.",
  },
} as const;
