import { die } from "../core/kernel/failure.ts";
import { listOf, namedFormat } from "../core/schema/format.ts";
import { diskSizeFormat } from "../core/schema/formats.ts";
import {
  ipFormat,
  ipv4ConfigFormat,
  ipv4Format,
  ipv6ConfigFormat,
  ipv6Format,
  isIP,
  macAddressFormat,
} from "../core/schema/network-formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { boolean, integer, number, string } from "../core/schema/schema.ts";
import { volumeIdFormat } from "../storage/formats.ts";

// Property strings of containers: pve-container `src/PVE/LXC/Config.pm`.

const flag = boolean({ optional: true });
const off = boolean({ optional: true, default: 0 });

const mountStringFormat = namedFormat("pve-lxc-mp-string", (value) => {
  if (/\/\.\.?\//.test(value) || /\/\.\.?$/.test(value) || value.startsWith("../")) {
    die(`${value} contains illegal character sequences`);
  }
});

const deviceStringFormat = namedFormat("pve-lxc-dev-string", (value) => {
  if (/\/\.\.?(?:\/|$)/.test(value) || !value.startsWith("/dev/")) {
    die(`${value} is not a valid device path`);
  }
});

/** An address, or a link-local address with its interface. */
const nameServerFormat = namedFormat("lxc-ip-with-ll-iface", (value) => {
  const [, address] = /^(fe80:[^%]+)%[a-z][a-z0-9_]{1,20}(?:[:.]\d+)?$/i.exec(value) ?? [];
  if (address === undefined || !isIP(address)) {
    ipFormat.verify(value);
  }
});
export const nameServerListFormat = listOf(nameServerFormat);

export const timezoneFormat = namedFormat("pve-ct-timezone", (value) => {
  if (value === "host" || value === "UTC") {
    return;
  }
  // Intl has older names of some places than zone.tab, and accepts both.
  const isPlace = /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//.test(value);
  try {
    new Intl.DateTimeFormat("en", { timeZone: isPlace ? value : "none" });
  } catch {
    die(`invalid time zone '${value}'`);
  }
});

const mountOption = "(discard|lazytime|noatime|nodev|noexec|nosuid)";

const rootProperties = {
  volume: string({ default_key: true, format: mountStringFormat }),
  size: string({ optional: true, format: diskSizeFormat }),
  acl: flag,
  idmap: string({
    optional: true,
    pattern: "(?:passthrough|[ug]:[0-9]+:[0-9]+:[1-9][0-9]*(?:;[ug]:[0-9]+:[0-9]+:[1-9][0-9]*)*)",
  }),
  mountoptions: string({ optional: true, pattern: `${mountOption}(;${mountOption})*` }),
  quota: flag,
  replicate: boolean({ optional: true, default: 1 }),
  ro: flag,
  shared: off,
};

export const rootFormat = propertyFormat(rootProperties);

export const mountPointFormat = propertyFormat({
  ...rootProperties,
  backup: flag,
  keepattrs: off,
  mp: string({ format: mountStringFormat }),
});

export const unusedFormat = propertyFormat({ volume: string({ default_key: true, format: volumeIdFormat }) });

export const networkFormat = propertyFormat({
  name: string({ pattern: "[-_.\\w\\d]+" }),
  bridge: string({ optional: true, pattern: "[-_.\\w\\d]+" }),
  firewall: flag,
  gw: string({ optional: true, format: ipv4Format }),
  gw6: string({ optional: true, format: ipv6Format }),
  "host-managed": flag,
  hwaddr: string({ optional: true, format: macAddressFormat }),
  ip: string({ optional: true, format: ipv4ConfigFormat }),
  ip6: string({ optional: true, format: ipv6ConfigFormat }),
  link_down: flag,
  mtu: integer({ optional: true, minimum: 64, maximum: 65535 }),
  rate: number({ optional: true }),
  tag: integer({ optional: true, minimum: 1, maximum: 4094 }),
  trunks: string({ optional: true, pattern: "\\d+(?:;\\d+)*" }),
  type: string({ optional: true, enum: ["veth"] }),
});

export const featuresFormat = propertyFormat({
  force_rw_sys: off,
  fuse: off,
  keyctl: off,
  mknod: off,
  mount: string({ optional: true, pattern: "[a-zA-Z0-9_; ]+" }),
  nesting: off,
});

export const deviceFormat = propertyFormat({
  path: string({ optional: true, default_key: true, format: deviceStringFormat }),
  "deny-write": off,
  gid: integer({ optional: true, minimum: 0 }),
  mode: string({ optional: true, pattern: "0[0-7]{3}" }),
  uid: integer({ optional: true, minimum: 0 }),
});
