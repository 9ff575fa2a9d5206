import type { Pseudonyms } from "./pseudonyms.ts";

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
  [/^metric_servers\.path$/, by("path")],
  [/^mappings\.dir\.map$/, sharedFolder],
  [/^sdn\.addresses\.hostname$/, by("guest")],
];

/** The text with other names; itself where it names nothing. */
export function withOtherNames(names: Pseudonyms, place: string, text: string): string {
  const [, replace] = members.find(([form]) => form.test(place)) ?? [];
  return replace === undefined ? text : replace(names, text);
}
