import { matches } from "#kit";

/** PVE's format `pve-iface` (pve-common: src/PVE/JSONSchema.pm). */
export const interfaceName = matches(/^[a-z]\w{1,20}([:.]\d+)?$/i, "the name of an interface");

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";

/** PVE's format `dns-name`; `hint` completes "must be …". */
export const dnsName = (hint: string) => matches(new RegExp(`^(?:${label}\\.)*${label}$`), hint);
