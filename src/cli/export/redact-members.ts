import { otherUuid, type Pseudonyms } from "./pseudonyms.ts";

/** Members that name what no list of the seed has: another name for each, the same wherever it stands. */
export const namedElsewhere = {
  "disk-pool": ["pve", "data", "rpool", "rbd"],
  path: ["/var/lib/vz"],
} as const;

type Replace = (names: Pseudonyms, text: string) => string;

const by =
  (kind: string): Replace =>
  (names, text) =>
    text === "" ? "" : names.of(kind, text);

const login: Replace = (names, text) => text.replace(/^[^@]+/, (user) => names.of("login", user));

/** `dc=corp,dc=com` */
const directoryName: Replace = (names, text) =>
  text.replaceAll(/=([^,]+)/g, (_, value: string) => `=${names.of("dn", value)}`);

/** `rpool/data`: a pool, and what is in it. */
const datasets: Replace = (names, text) =>
  text
    .split("/")
    .map((part) => (names.knows("ceph-pool", part) ? names.of("ceph-pool", part) : names.of("disk-pool", part)))
    .join("/");

const folder: Replace = (names, text) => {
  const [, storage] = /^\/mnt\/pve\/([^/]+)$/.exec(text) ?? [];
  if (storage !== undefined && names.knows("storage", storage)) return `/mnt/pve/${names.of("storage", storage)}`;
  return names.knows("path", text) ? text : `/mnt/${names.of("path", text)}`;
};

const device: Replace = (names, text) =>
  text.replace(/^(\/dev\/disk\/by-[a-z]+\/).*$/, (_, start: string) => `${start}${names.of("disk", text)}`);

const model: Replace = (names, text) =>
  text.replaceAll(/\bcustom-([\w.-]+)/g, (_, name: string) => `custom-${names.of("model", name)}`);

const sharedFolder: Replace = (names, text) =>
  text.replace(/(?<=\bpath=)\/[^,]+/, (path) => `/srv/${names.of("path", path)}`);

/** `iso/debian.iso`: another name with the same ending. */
export const otherFile: Replace = (names, text) =>
  text.replace(
    /^((?:iso|vztmpl|snippets|import)\/)(.*?)(\.(?:iso|img|tar\.\w+|ya?ml|qcow2|raw|ova|vmdk|sh|pl))?$/,
    (_, folder: string, stem: string, end = "") => `${folder}${names.of("file", stem)}${end}`,
  );

/** In the options of a guest: files on storages, and what identifies a disk. */
const inGuest: Replace = (names, text) =>
  text
    .replaceAll(/(?<=:)(?:iso|vztmpl|snippets|import)\/[^,]+/g, (file) => otherFile(names, file))
    .replaceAll(/(?<=,serial=)[^,]+/g, (serial) => names.of("serial", serial))
    .replaceAll(/(?<=,wwn=)[^,]+/g, (wwn) => `0x${otherUuid(wwn).replaceAll("-", "").slice(0, 16)}`);

/** `serial=…,product=…`, each in base64 if `base64=1` says so. */
const systemTexts: Replace = (names, text) => {
  const isEncoded = /\bbase64=1\b/.test(text);
  const other = (value: string) => names.of("smbios", isEncoded ? Buffer.from(value, "base64").toString() : value);
  return text.replaceAll(
    /\b(serial|manufacturer|product|version|sku|family)=([^,]+)/g,
    (_, name: string, value: string) =>
      `${name}=${isEncoded ? Buffer.from(other(value)).toString("base64") : other(value)}`,
  );
};

/** `exact:hostname=pve1`: what is compared, unless PVE has its words for it. */
const matchedField: Replace = (names, text) =>
  text.replace(/^(exact|regex):([^=]+)=(.*)$/s, (whole, kind: string, field: string, value: string) => {
    const known = ["node", "backup-job"].find((one) => kind === "exact" && names.knows(one, value));
    if (field === "type") return whole;
    return `${kind}:${field}=${names.of(known ?? (field === "hostname" ? "host" : "field"), value)}`;
  });

/** By the place of a member, from its list on. */
const members: readonly (readonly [place: RegExp, replace: Replace])[] = [
  [/^nodes\.disk_pools\.(?:name|vg)$/, by("disk-pool")],
  [/^nodes\.disk_pools\.devices$/, device],
  [/^storages\.(?:vgname|thinpool)$/, by("disk-pool")],
  [/^storages\.pool$/, datasets],
  [/^storages\.path$/, folder],
  [/^storages\.export$/, (names, text) => `/${names.of("export", text)}`],
  [/^storages\.(?:datastore|namespace|share|domain)$/, by("remote")],
  [/\.(?:username|ciuser)$/, login],
  [/^realms\.(?:base_dn|bind_dn|group_dn)$/, directoryName],
  [/^custom_cpu_models\.cputype$|^guests\.config\.cpu$/, model],
  [/\.smbios1$/, systemTexts],
  [/^guests\.|^backups\.config\./, inGuest],
  [/^notifications\.match-field$/, matchedField],
  [/^metric_servers\.path$/, by("path")],
  [/^mappings\.dir\.map$/, sharedFolder],
  [/^sdn\.addresses\.hostname$/, by("guest")],
];

/** The text with other names; itself where it names nothing. */
export function withOtherNames(names: Pseudonyms, place: string, text: string): string {
  const [, replace] = members.find(([form]) => form.test(place)) ?? [];
  return replace === undefined ? text : replace(names, text);
}
