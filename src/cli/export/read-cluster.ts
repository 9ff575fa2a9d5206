import type { PveClient } from "#pve";
import { exportAccess, exportPools } from "./access.ts";
import { given, optionsIn } from "./fields.ts";
import { exportFirewall } from "./firewall.ts";
import { exportGuests } from "./guests.ts";
import { exportNodes } from "./nodes.ts";
import { type Fields, Reader, type Unseen } from "./reader.ts";
import { exportSdn } from "./sdn.ts";
import { exportSections } from "./sections.ts";
import { type MeasuredSpeed, measureSpeeds } from "./speeds.ts";
import { exportContents, exportStorages } from "./storages.ts";
import { withoutSecrets } from "./without-secrets.ts";

export interface Exported {
  /** A seed of the simulator. */
  readonly seed: Fields;
  readonly unseen: readonly Unseen[];
  /** In `bytes_per_second` of the storages; here with where they come from. */
  readonly speeds: readonly MeasuredSpeed[];
}

/** Reads a whole cluster, with GET requests only. `progress` hears of each area that is done. */
export async function readCluster(client: PveClient, progress: (line: string) => void): Promise<Exported> {
  const reader = new Reader(client);
  const report = <T extends readonly unknown[]>(area: string, found: T): T => {
    progress(`Read ${found.length} ${area}`);
    return found;
  };
  const [version, status] = await Promise.all([reader.one("/version"), reader.list("/cluster/status")]);
  const nodes = report("nodes", await exportNodes(reader, status));
  const online = nodes.filter((node) => node.status === "online").map(({ name }) => name);
  const options = await reader.one("/cluster/options");
  const access = await exportAccess(reader);
  report("users", access["users"] as readonly unknown[]);
  const pools = report("pools", await exportPools(reader));
  const speeds = await measureSpeeds(reader, online);
  const storages = report("storages", await exportStorages(reader, online, speeds));
  const contents = await exportContents(reader, online);
  const guests = report("guests", await exportGuests(reader, online));
  const sections = await exportSections(reader, online[0] ?? "");
  const sdn = await exportSdn(reader);
  const vnets = report("vnets", (sdn["vnets"] ?? []) as readonly Fields[]);
  const firewall = await exportFirewall(reader, online, guests, vnets);
  const { version: number, release, repoid } = version ?? {};
  const name = status.find(({ type }) => type === "cluster")?.["name"];
  const seed = {
    format: 1,
    version: given({ version: number, release, repoid }),
    nodes,
    cluster: given({ name, options: options === null ? undefined : datacenterOptions(options) }),
    ...access,
    ...given({ pools, storages, ...contents, guests, ...sections, sdn, firewall }),
  };
  return { seed: withoutSecrets(seed), unseen: reader.unseen, speeds };
}

/** Tags are a list in the answer, and text in the file; those that are allowed follow from others. */
function datacenterOptions(options: Fields): Fields {
  const { "registered-tags": tags, "allowed-tags": _, ...others } = options;
  return { ...optionsIn(others), ...(Array.isArray(tags) && tags.length > 0 && { "registered-tags": tags.join(";") }) };
}
