import { die } from "../kernel/failure.ts";
import { listOf, type NamedFormat, namedFormat, optionalOf, splitList } from "./format.ts";
import { matches } from "./pattern.ts";
import { propertyFormat } from "./property-string.ts";
import { integer, number, string } from "./schema.ts";
import { parseSize } from "./size.ts";

// The general formats of pve-common `src/PVE/JSONSchema.pm`; formats of one area are in its folder.

function pattern(name: string, expression: string, text: (value: string) => string, flags: "" | "i" = "") {
  return namedFormat(name, (value) => {
    if (!matches(expression, value, flags)) {
      die(text(value));
    }
  });
}

export const configIdFormat = pattern(
  "pve-configid",
  "[a-z][a-z0-9_-]+",
  (value) => `invalid configuration ID '${value}'`,
  "i",
);
export const configIdListFormat = listOf(configIdFormat);

/** Storage and plugin ids: PVE::JSONSchema::parse_id. */
export function identifierFormat(name: string, kind: string): NamedFormat {
  return namedFormat(name, (value) => {
    if (value.length < 2) {
      die(`${kind} ID '${value}' cannot be shorter than 2 characters`);
    }
    if (!matches("[a-z][a-z0-9\\-_.]*[a-z0-9]", value, "i")) {
      die(`${kind} ID '${value}' contains illegal characters`);
    }
  });
}

export const storageIdFormat = identifierFormat("pve-storage-id", "storage");
export const storageIdListFormat = listOf(storageIdFormat);

export const bridgeIdFormat = pattern("pve-bridge-id", "[-_.\\w\\d]+", (value) => `invalid bridge ID '${value}'`);

export const vmidFormat = pattern("pve-vmid", "[1-9][0-9]{2,8}", () => "value does not look like a valid VM ID");
export const vmidListFormat = listOf(vmidFormat);

export const nodeFormat = pattern(
  "pve-node",
  "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?",
  () => "value does not look like a valid node name",
);
export const nodeListFormat = listOf(nodeFormat);

export const interfaceFormat = pattern(
  "pve-iface",
  "[a-z][a-z0-9_]{1,20}(?:[:.]\\d+)?",
  (value) => `invalid network interface name '${value}'`,
  "i",
);
export const interfaceListFormat = listOf(interfaceFormat);

export const urlEncodedFormat = pattern(
  "urlencoded",
  "[-%a-zA-Z0-9_.!~*'()]*",
  (value) => `invalid urlencoded string: ${value}`,
);

const emailUser = "[\\w\\+\\-\\~]+(?:\\.[\\w\\+\\-\\~]+)*";
const emailAddress = `${emailUser}@[a-zA-Z0-9\\-]+(?:\\.[a-zA-Z0-9\\-]+)*`;

export const emailFormat = pattern("email", emailAddress, () => "value does not look like a valid email address");
export const emailListFormat = listOf(emailFormat);
export const emailOptionalFormat = optionalOf(emailFormat);
export const emailOrUsernameFormat = pattern(
  "email-or-username",
  `${emailAddress}|${emailUser}`,
  () => "value does not look like a valid email address or user name",
);
export const emailOrUsernameListFormat = listOf(emailOrUsernameFormat);

export const tagFormat = pattern("pve-tag", "[a-z0-9_][a-z0-9_\\-+.]*", () => "invalid characters in tag", "i");
export const tagListFormat = listOf(tagFormat);

export const taskStatusFormat = pattern(
  "pve-task-status-type",
  "ok|error|warning|unknown",
  (value) => `invalid status '${value}'`,
  "i",
);
export const taskStatusListFormat = listOf(taskStatusFormat);

export const stringListFormat = listOf(namedFormat("string", () => undefined));

export const diskSizeFormat = namedFormat("disk-size", (value) => {
  if (parseSize(value) === undefined) {
    die(`value does not look like a valid disk size: ${value}`);
  }
});

export const vlanIdOrRangeFormat = namedFormat("pve-vlan-id-or-range", (value) => {
  const [, start, end] = /^(\d+)(?:-(\d+))?\n?$/.exec(value) ?? [];
  if (start === undefined) {
    die(`invalid VLAN configuration '${value}'`);
  }
  for (const tag of end === undefined ? [start] : [start, end]) {
    if (Number(tag) < 2 || Number(tag) > 4094) {
      die(`invalid VLAN tag '${tag}'`);
    }
  }
  if (end !== undefined && Number(start) >= Number(end)) {
    die(`VLAN range must go from lower to higher tag '${value}'`);
  }
});
export const vlanIdOrRangeListFormat = listOf(vlanIdOrRangeFormat);

/** `1`, `<target>` or `<source>:<target>`; PVE::JSONSchema::parse_idmap for one list entry. */
function idPairFormat(name: string, id: NamedFormat): NamedFormat {
  return namedFormat(name, (value) => {
    for (const entry of splitList(value)) {
      if (entry === "1") {
        continue;
      }
      const pair = /^([^:]+):([^:]+)\n?$/.exec(entry);
      try {
        for (const part of pair === null ? [entry] : pair.slice(1)) {
          id.verify(part);
        }
      } catch (thrown) {
        die(`entry '${entry}' contains invalid ID - ${(thrown as Error).message}\n\n`);
      }
    }
  });
}

export const storagePairListFormat = listOf(idPairFormat("storage-pair", storageIdFormat));

export const bridgeIdListFormat = listOf(bridgeIdFormat);
export const bridgePairListFormat = listOf(idPairFormat("bridge-pair", bridgeIdFormat));

/** Another cluster: `host=…,apitoken=…`. */
export const remoteFormat = propertyFormat(
  {
    host: string(),
    port: integer({ optional: true }),
    apitoken: string(),
    fingerprint: string({ optional: true, pattern: "([A-Fa-f0-9]{2}:){31}[A-Fa-f0-9]{2}" }),
  },
  { name: "proxmox-remote" },
);

export const startupOrderFormat = namedFormat("pve-startup-order", (value) => {
  const parts = value.split(",").filter((part) => !/^\s*$/.test(part));
  if (value === "" || value === "0" || !parts.every((part) => matches("(?:order=)?\\d+|up=\\d+|down=\\d+", part))) {
    die("unable to parse startup options");
  }
});

const limit = number({ optional: true, minimum: 0 });

export const bandwidthLimitFormat = propertyFormat(
  { default: limit, restore: limit, migration: limit, clone: limit, move: limit },
  { name: "bwlimit" },
);
