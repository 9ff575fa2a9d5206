import { decodePercent } from "./percent-encoded.ts";

/** The configuration of a guest in a backup: its options as PVE's texts, without snapshots and pending changes. */
export type ArchivedConfig = Readonly<Record<string, string>>;

/**
 * Parses the file of a guest as backups contain it (qemu-server: src/PVE/QemuServer.pm, `parse_vm_config`; pve-container:
 * src/PVE/LXC/Config.pm, `parse_pct_config`). Comments are the description; those of `vzdump` itself, and lines of the
 * container runtime, are no options.
 */
export function parseArchivedConfig(text: string): ArchivedConfig {
  const options: Record<string, string> = {};
  const comments: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("[")) break;
    if (line.startsWith("#")) {
      if (!line.startsWith("#qmdump#")) comments.push(decodePercent(line.slice(1)));
      continue;
    }
    const [, key, value] = /^([A-Za-z][\w-]*):\s*(.*?)\s*$/s.exec(line) ?? [];
    if (key !== undefined && value !== undefined) options[key] = value;
  }
  return comments.length === 0 ? options : { ...options, description: `${comments.join("\n")}\n` };
}
