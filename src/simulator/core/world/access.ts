import type { Privilege } from "../access/privileges.ts";
import type { ConfigSection } from "./section.ts";

/** user.cfg, domains.cfg, token secrets, passwords and second factors. */
export interface Access {
  users: Record<string, User>;
  groups: Record<string, { comment?: string }>;
  /** Custom roles; the built-in ones are constants. */
  roles: Record<string, Privilege[]>;
  acl: AclEntry[];
  /** domains.cfg. */
  realms: Record<string, ConfigSection>;
  pools: Record<string, Pool>;
  /** The contents of the directories behind LDAP and AD realms, by realm. */
  directories?: Record<string, Directory>;
}

export interface Directory {
  users: { name: string; firstname?: string; lastname?: string; email?: string; comment?: string }[];
  groups: { name: string; members: string[] }[];
}

export interface User {
  enable: boolean;
  /** Seconds since the epoch; 0 means never, undefined that the file has no such line. */
  expire?: number;
  firstname?: string;
  lastname?: string;
  email?: string;
  comment?: string;
  keys?: string;
  groups: string[];
  tokens: Record<string, Token>;
  /** In plain text: the simulator protects no real account. Undefined: no password login. */
  password?: string;
  tfa: SecondFactor[];
}

export interface Token {
  secret: string;
  privsep: boolean;
  expire: number;
  comment?: string;
}

export interface SecondFactor {
  id: string;
  type: "totp" | "recovery" | "yubico" | "webauthn";
  description: string;
  created: number;
  enable: boolean;
  /** Base32 secret of a TOTP factor. */
  secret?: string;
  /** Seconds for which a code of a TOTP factor is valid. */
  period?: number;
  /** Unused recovery keys. */
  codes?: string[];
}

export interface AclEntry {
  path: string;
  type: "user" | "group" | "token";
  ugid: string;
  roleid: string;
  propagate: boolean;
}

export interface Pool {
  comment?: string;
  vms: number[];
  storage: string[];
}
