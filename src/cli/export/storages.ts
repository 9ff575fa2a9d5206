import { allOf, given, listed, numeric, optionsIn } from "./fields.ts";
import type { Fields, Reader } from "./reader.ts";
import type { MeasuredSpeed } from "./speeds.ts";

/** Storages with their size; of one that every node has alone, that of the first node. */
export async function exportStorages(
  reader: Reader,
  nodes: readonly string[],
  speeds: readonly MeasuredSpeed[],
): Promise<Fields[]> {
  const [storages, ...perNode] = await Promise.all([
    reader.list("/storage"),
    ...nodes.map((node) => reader.list("/nodes/{node}/storage", { node })),
  ]);
  return storages.map(({ storage, type, content, nodes: only, shared, disable, ...options }) => {
    const status = perNode.flat().find((one) => one["storage"] === storage && Number(one["total"] ?? 0) > 0);
    return {
      storage,
      type,
      ...optionsIn(options),
      ...given({
        content: listed(content).sort(),
        nodes: listed(only).sort(),
        shared: numeric(shared),
        enabled: numeric(disable) === 1 ? 0 : undefined,
        total_bytes: status?.["total"],
        avail_bytes: status?.["avail"],
        bytes_per_second: speeds.find((one) => one.storage === storage)?.bytesPerSecond,
      }),
    };
  });
}

type Lists = Record<"iso_files" | "container_templates" | "snippets" | "import_files" | "backups", Fields[]>;

const listOf: Readonly<Record<string, keyof Lists>> = {
  iso: "iso_files",
  vztmpl: "container_templates",
  snippets: "snippets",
  import: "import_files",
  backup: "backups",
};

/** What the storages hold: disks by storage, files by kind. */
export async function exportContents(reader: Reader, nodes: readonly string[]): Promise<Fields> {
  const lists: Lists = { iso_files: [], container_templates: [], snippets: [], import_files: [], backups: [] };
  const volumes: Record<string, Fields[]> = {};
  for (const { node, storage, isShared, entries } of await contents(reader, nodes)) {
    for (const entry of entries) {
      const list = listOf[String(entry["content"])];
      const where = isShared ? {} : { node };
      const size = String(entry["size"] ?? 0);
      if (list === undefined) {
        volumes[storage] ??= [];
        volumes[storage].push({
          volume: String(entry["volid"]).slice(storage.length + 1),
          size,
          ...where,
          ...usedOf(entry),
        });
      } else {
        const { notes, protected: isProtected } = entry;
        lists[list].push(given({ volid: entry["volid"], size, ...where, notes, protected: isProtected || undefined }));
      }
    }
  }
  await allOf(lists.backups, async (backup) => {
    const config = await reader.archived(String(backup["node"] ?? nodes[0]), String(backup["volid"]));
    if (config !== null) Object.assign(backup, { config });
  });
  return given({ volumes, ...lists });
}

const usedOf = ({ used, size }: Fields): Fields =>
  used === undefined || used === 0 || used === size ? {} : { used: String(used) };

async function contents(reader: Reader, nodes: readonly string[]) {
  const statuses = await allOf(nodes, async (node) =>
    (await reader.list("/nodes/{node}/storage", { node })).map((status) => ({ node, status })),
  );
  const seen = new Set<unknown>();
  const wanted = statuses.flat().filter(({ status: { storage, shared, active } }) => {
    if (numeric(active) !== 1 || seen.has(storage)) return false;
    if (numeric(shared) === 1) seen.add(storage);
    return true;
  });
  return allOf(wanted, async ({ node, status }) => {
    const storage = String(status["storage"]);
    const entries = await reader.list("/nodes/{node}/storage/{storage}/content", { node, storage });
    return { node, storage, isShared: numeric(status["shared"]) === 1, entries };
  });
}
