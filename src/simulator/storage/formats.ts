import { die } from "../core/kernel/failure.ts";
import { listOf, namedFormat } from "../core/schema/format.ts";
import { isDnsName, isIP } from "../core/schema/network-formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { boolean, integer } from "../core/schema/schema.ts";
import { parseVolumeId } from "./volume-name.ts";

// Formats registered by pve-storage `src/PVE/Storage/Plugin.pm` and its plugins.

const contentNames = ["images", "rootdir", "vztmpl", "iso", "backup", "snippets", "import", "none"];

export const contentFormat = namedFormat("pve-storage-content", (value) => {
  if (!contentNames.includes(value)) {
    die(`invalid content type '${value}'`);
  }
});
export const contentListFormat = listOf(contentFormat);

export const storagePathFormat = namedFormat("pve-storage-path", (value) => {
  if (!/^\/[^;()]+/.test(value)) {
    die("value does not look like a valid absolute path");
  }
});

export const storageServerFormat = namedFormat("pve-storage-server", (value) => {
  if (!isIP(value) && !isDnsName(value)) {
    die("value does not look like a valid server name or IP address");
  }
});

export const volumeGroupFormat = namedFormat("pve-storage-vgname", (value) => {
  if (!/^[a-z0-9][a-z0-9\-_.]*[a-z0-9]$/i.test(value)) {
    die(`lvm name '${value}' contains illegal characters`);
  }
});

/** A host or IPv4 address with a port, any text in brackets with a port, or an IPv6 address (`parse_host_and_port`). */
export const portalFormat = namedFormat("pve-storage-portal-dns", (value) => {
  const [, bracketed] = /^\[(.+)\](?::\d+)?$/.exec(value) ?? [];
  const isHost = /^[a-zA-Z0-9\-.]+(?::\d+)?$/.test(value);
  if (!isHost && !isIP(bracketed ?? value) && !/^[a-zA-Z0-9\-.]+$/.test(bracketed ?? "")) {
    die("value does not look like a valid portal address");
  }
});
export const portalListFormat = listOf(portalFormat);

export const mountOptionsFormat = namedFormat("pve-storage-options", (value) => {
  if (!/^\S+$/.test(value)) {
    die(`invalid options '${value}'`);
  }
});

export const volumeIdFormat = namedFormat("pve-volume-id", (value) => {
  parseVolumeId(value);
});

const directoryOverrideFormat = namedFormat("pve-dir-override", (value) => {
  const [, content = "", path = ""] = /^([a-z]+)=([^.]*(?:\.?[^.]+)+)$/.exec(value) ?? [];
  const isShort = path.length < 1023 && path.split("/").every((part) => part.length < 255);
  if (!contentNames.includes(content) || path === "" || !isShort) {
    die(`invalid override '${value}'`);
  }
});
export const directoryOverrideListFormat = listOf(directoryOverrideFormat);

const count = integer({ optional: true, minimum: 0 });

export const pruneBackupsFormat = propertyFormat(
  {
    "keep-all": boolean({ optional: true }),
    "keep-last": count,
    "keep-hourly": count,
    "keep-daily": count,
    "keep-weekly": count,
    "keep-monthly": count,
    "keep-yearly": count,
  },
  {
    name: "prune-backups",
    validate: ({ "keep-all": all, ...counts }) => {
      if (Object.values(counts).every((value) => Number(value) === 0)) {
        return { "keep-all": "1" };
      }
      return all === "1" ? die("keep-all cannot be set together with other options.") : counts;
    },
  },
);

/** ZFSPoolPlugin.pm `verify_zfs_blocksize`. */
export const zfsBlockSizeFormat = namedFormat("pve-storage-zfs-blocksize", (value) => {
  if (value === "") {
    return;
  }
  const [, digits, unit = ""] = /^([1-9][0-9]*)([km])?$/i.exec(value) ?? [];
  if (digits === undefined) {
    die(
      `invalid ZFS blocksize format '${value}'. Use a positive number (no leading zeros) with an optional 'k' or 'm' suffix.`,
    );
  }
  const bytes = Number(digits) * ({ "": 1, k: 1024, m: 1024 ** 2 }[unit.toLowerCase()] ?? 1);
  if (bytes < 512 || bytes > 16 * 1024 ** 2 || !Number.isInteger(Math.log2(bytes))) {
    die(
      `value '${value}' is not a valid ZFS blocksize. Must be a power of 2 between 512B and 16MiB (e.g., 4k, 8k, 16k, 64k, 1m).`,
    );
  }
});
