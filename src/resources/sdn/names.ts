import { matches } from "#kit";

/** PVE's format `pve-iface` (pve-common: src/PVE/JSONSchema.pm). */
export const interfaceName = matches(/^[a-z]\w{1,20}([:.]\d+)?$/i, "the name of an interface");

/** PVE's formats `pve-sdn-prefix-list-id` and `pve-sdn-route-map-id`. */
export const listName = matches(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,30}[A-Za-z0-9]?$/,
  "1 to 32 letters, digits, `-` and `_`, the first one a letter or digit",
);

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";

/** PVE's format `dns-name`; `hint` completes "must be …". */
export const dnsName = (hint: string) => matches(new RegExp(`^(?:${label}\\.)*${label}$`), hint);
