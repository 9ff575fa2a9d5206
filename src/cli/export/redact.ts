import { otherAddress, otherMac, otherUuid, Pseudonyms } from "./pseudonyms.ts";
import type { Fields } from "./reader.ts";
import { namedElsewhere, otherFile, withOtherNames } from "./redact-members.ts";

type List = readonly Fields[];

/** What names an object, by its place in the seed; references to it are found by these names. */
const namedBy: readonly (readonly [path: readonly string[], member: string, kind: string])[] = [
  [["nodes"], "name", "node"],
  [["storages"], "storage", "storage"],
  [["pools"], "poolid", "pool"],
  [["groups"], "groupid", "group"],
  [["realms"], "realm", "realm"],
  [["backup_jobs"], "id", "backup-job"],
  [["realm_sync_jobs"], "id", "sync-job"],
  [["ha_rules"], "rule", "ha-rule"],
  [["metric_servers"], "id", "metrics"],
  [["notifications"], "name", "notification"],
  [["acme", "accounts"], "name", "account"],
  [["acme", "plugins"], "id", "plugin"],
  [["mappings", "pci"], "id", "mapping"],
  [["mappings", "usb"], "id", "mapping"],
  [["mappings", "dir"], "id", "mapping"],
  [["sdn", "zones"], "zone", "zone"],
  [["sdn", "vnets"], "vnet", "vnet"],
  [["sdn", "controllers"], "controller", "ctl"],
  [["sdn", "fabrics"], "id", "fab"],
  [["sdn", "ipams"], "ipam", "ipam"],
  [["sdn", "dns"], "dns", "dns"],
  [["ceph", "pools"], "name", "ceph-pool"],
  [["firewall", "cluster", "groups"], "group", "fw-group"],
  [["firewall", "cluster", "aliases"], "name", "alias"],
  [["firewall", "cluster", "ipsets"], "name", "ipset"],
];

/** Names that every cluster has, and that reveal nothing. */
const kept: Readonly<Record<string, readonly string[]>> = {
  storage: ["local", "local-lvm", "local-zfs"],
  user: ["root"],
  realm: ["pam", "pve"],
  ipam: ["pve"],
  plugin: ["standalone"],
  account: ["default"],
  ipset: ["management", "blacklist"],
  alias: ["local_network"],
};

/** Members whose text is replaced as a whole. */
const prose =
  /^(?:description|comments?|notes|alias|firstname|lastname|email(?:_from)?|contact|consent-text|mailto(?:-user)?|from-address|author|body|header|args|env|entrypoint)$/;

/** Members that are left out: what they hold is of no use to others, or cannot be replaced. */
const dropped = new Set([
  "sshkeys",
  "cipassword",
  "hosts",
  "certificate",
  "args",
  "env",
  "searchdomain",
  "search",
  "filter",
  "group_filter",
  "notes-template",
  "tag-style",
]);

/** Members that hold words of PVE, which may be names, too. */
const untouched =
  /^(?:type|content|macro|proto|[ds]port|log|method6?|families|schedule|mode|protocol|release|version|repoid|size|devpath|model|types|uris|suites|components|iface|ostype|path|mac_prefix|timezone|privs|dhcp|key|api)$/;

/** Members that name nodes; elsewhere a word that is a node's name is something else. */
const nodeMembers = /^(?:name|node|nodes|source|target|exitnodes(?:-primary)?|node_id|map)$/;

/** Every name, address and description by another one, the same wherever it stands. */
export function redact(seed: Fields): Fields {
  return new Redaction(seed).seed();
}

interface Named {
  readonly kind: string;
  readonly name: string;
}

class Redaction {
  readonly #seed: Fields;
  readonly #names = new Pseudonyms();
  readonly #known: Named[] = [];

  constructor(seed: Fields) {
    this.#seed = seed;
    for (const [kind, names] of Object.entries({ ...kept, ...namedElsewhere }))
      for (const name of names) this.#names.keep(kind, name);
    for (const [path, member, kind] of namedBy) for (const one of listAt(seed, path)) this.#learn(kind, one[member]);
    for (const { userid } of listAt(seed, ["users"])) this.#learn("user", String(userid).replace(/@[^@]*$/, ""));
    for (const role of Object.keys((seed["roles"] ?? {}) as Fields)) this.#learn("Role", role);
  }

  #learn(kind: string, name: unknown): void {
    this.#names.of(kind, String(name));
    this.#known.push({ kind, name: String(name) });
  }

  seed(): Fields {
    const { description: _, ...seed } = this.#seed;
    return this.#object(seed, []) as Fields;
  }

  #value(value: unknown, path: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#value(one, path));
    if (typeof value === "object" && value !== null) return this.#object(value as Fields, path);
    return typeof value === "string" ? this.#text(value, path) : value;
  }

  #object(object: Fields, path: readonly string[]): Fields {
    const entries = Object.entries(object)
      .filter(([key]) => !dropped.has(key))
      .map(([key, value]) => [this.#key(key, path), this.#value(value, [...path, key])]);
    return Object.fromEntries(entries);
  }

  /** Members that are named by the user: firewall files, snapshots, roles, volumes of a storage. */
  #key(key: string, path: readonly string[]): string {
    const place = path.join(".");
    if (place === "firewall.nodes") return this.#names.of("node", key);
    if (place === "firewall.vnets") return this.#names.of("vnet", key);
    if (place === "volumes") return this.#names.of("storage", key);
    if (place === "roles") return this.#names.of("Role", key);
    return path.at(-1) === "snapshots" ? this.#names.of("snapshot", key) : key;
  }

  #text(original: string, path: readonly string[]): string {
    const key = path.at(-1) ?? "";
    const text = withOtherNames(this.#names, path.join("."), original);
    const isGuest = path[0] === "guests" || (path[0] === "backups" && path[1] === "config");
    if (prose.test(key) && /^[^@\s]+@[^@\s]+$/.test(text)) return this.#addresses(text);
    if (prose.test(key) && !(path[0] === "sdn" && key === "contact"))
      return text === "" ? "" : this.#names.of("text ", text);
    if (isGuest && (key === "name" || key === "hostname")) return this.#names.of("guest", text);
    if (isGuest && key === "node") return this.#names.of("node", text);
    if (key === "serial") return this.#names.of("serial", text);
    if (key === "tags" || key === "registered-tags")
      return text
        .split(/[;,\s]+/)
        .filter(Boolean)
        .map((tag) => this.#names.of("tag", tag))
        .join(";");
    if (key === "parent") return this.#names.of("snapshot", text);
    if (key === "tokenid")
      return text.replace(
        /^(.*)@([^!]*)!(.*)$/,
        (_, user, realm, token) =>
          `${this.#names.of("user", user)}@${this.#names.of("realm", realm)}!${this.#names.of("token", token)}`,
      );
    if (key === "hookscript") return this.#volume(original, true);
    if (path[0] === "notifications" && key === "match-field") return text;
    if (/^server\d?$/.test(key) && !text.includes("://")) return this.#host(text);
    if (key === "volid" || key === "volume") return this.#addresses(this.#volume(text, key === "volid"));
    if (path[0] === "cluster" && key === "name") return this.#names.of("cluster", text);
    if (path[0] === "acl" && key === "path") return this.#aclPath(text);
    if (untouched.test(key)) return path.includes("interfaces") ? this.#addresses(text) : text;
    if (isGuest) return this.#addresses(this.#inGuest(text));
    return this.#addresses(this.#references(text, ({ kind }) => kind !== "node" || nodeMembers.test(key)));
  }

  /** `/storage/tank`: what stands behind the first words is named by the user. */
  #aclPath(text: string): string {
    const [, area = text, rest = ""] =
      /^(\/(?:nodes|storage|pool|access\/groups|access\/realm|sdn\/[a-z]+|mapping\/[a-z]+)\/)(.*)$/.exec(text) ?? [];
    return `${area}${this.#references(rest, ({ kind }) => kind !== "node" || area === "/nodes/")}`;
  }

  /** Files get other names and keep their endings; names of disks say only whose they are. */
  #volume(text: string, hasStorage: boolean): string {
    const [, storage = "", name = text] = hasStorage ? (/^([^:]+):(.*)$/.exec(text) ?? []) : [];
    const file = otherFile(this.#names, name);
    return hasStorage ? `${this.#names.of("storage", storage)}:${file}` : file;
  }

  /** Names of objects, where a whole word of the text is one. */
  #references(text: string, isMeant: (one: Named) => boolean): string {
    const meant = this.#known.filter(isMeant);
    const users = meant.filter(({ kind }) => kind === "user");
    const others = meant.filter(({ kind }) => kind !== "user");
    return this.#replace(this.#replace(text, others, "^|[^\\w.-]", "(?![\\w.-])"), users, "^|[\\s,;/]", "(?=@)");
  }

  /** In the options of a guest: before the colon of a volume, after `bridge=`, after `mapping=`. */
  #inGuest(text: string): string {
    const ofKind = (kind: string) => this.#known.filter((one) => one.kind === kind);
    const inVolumes = this.#replace(text, ofKind("storage"), "^|[=,]", "(?=:)");
    const inBridges = this.#replace(inVolumes, ofKind("vnet"), "bridge=", "(?=$|,)");
    return this.#replace(inBridges, ofKind("mapping"), "(?:mapping|dirid)=|^", "(?=$|,)");
  }

  /** In one pass: a new name may be the old name of something else. */
  #replace(text: string, names: readonly Named[], before: string, after: string): string {
    if (names.length === 0) return text;
    const kinds = new Map(names.map(({ kind, name }) => [name, kind]));
    const words = [...kinds.keys()].sort((a, b) => b.length - a.length).map((name) => escaped(name));
    return text.replace(new RegExp(`(${before})(${words.join("|")})${after}`, "g"), (_, left: string, name: string) => {
      return `${left}${this.#names.of(kinds.get(name) ?? "", name)}`;
    });
  }

  #addresses(text: string): string {
    const parts = text.split(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s,]+)/i);
    return parts.map((part, index) => (index % 2 === 0 ? this.#plainAddresses(part) : this.#url(part))).join("");
  }

  /** Of an address on the web, only its kind and its port stay: paths and queries may hold names and tokens. */
  #url(text: string): string {
    const [, scheme = "", user = "", host = "", port = "", rest = ""] =
      /^([^:]+:\/\/)([^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(:\d+)?(.*)$/s.exec(text) ?? [];
    if (host.endsWith("letsencrypt.org")) return text;
    return `${scheme}${user}${this.#host(host)}${port}${rest.length > 1 ? `/${this.#names.of("url", rest)}` : rest}`;
  }

  #host(text: string): string {
    const isName = /^(?![\d.]+$)[^\s:/[]+$/.test(text);
    return isName ? `${this.#names.of("host", text)}.example.com` : this.#plainAddresses(text);
  }

  #plainAddresses(text: string): string {
    return text
      .replaceAll(/\b[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}\b/g, (mac) => otherMac(mac))
      .replaceAll(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, (uuid) => otherUuid(uuid))
      .replaceAll(/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, (address) => otherAddress(address))
      .replaceAll(/\b[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*::[0-9a-f:]*/gi, (address) => otherAddress(address))
      .replaceAll(/[\w.+-]+@[\w-]+\.[\w.-]+/g, (address) => `${this.#names.of("mail", address)}@example.com`)
      .replaceAll(/\b(?:[a-z0-9-]+\.)+(?:com|net|org|de|lan|local|internal|home|io|dev|test|example)\b/gi, (host) =>
        host.endsWith("letsencrypt.org") ? host : `${this.#names.of("host", host)}.example.com`,
      );
  }
}

const listAt = (seed: Fields, path: readonly string[]): List =>
  (path.reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], seed) ?? []) as List;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
