import { allOf, given, numeric, optionsIn } from "./fields.ts";
import type { Fields, Reader } from "./reader.ts";

export interface ExportedGuest extends Fields {
  readonly vmid: number;
  readonly type: "qemu" | "lxc";
  readonly node: string;
}

/** Guests with their configuration, what waits for a restart, and their snapshots. */
export async function exportGuests(reader: Reader, nodes: readonly string[]): Promise<ExportedGuest[]> {
  const listed = (await reader.list("/cluster/resources", { type: "vm" })).filter(({ node }) =>
    nodes.includes(String(node)),
  );
  const isKnown = ({ type }: Fields) => type === "qemu" || type === "lxc";
  for (const { id, type } of listed.filter((one) => !isKnown(one)))
    reader.note(`/cluster/resources: ${String(id)}`, `a guest of an unknown type, \`${String(type)}\``);
  const guests = await allOf(listed.filter(isKnown), (guest) => exportGuest(reader, guest));
  return guests.flat().sort((a, b) => a.vmid - b.vmid);
}

async function exportGuest(reader: Reader, { vmid, node, type, status }: Fields): Promise<ExportedGuest[]> {
  const at = { node: String(node), vmid: Number(vmid) };
  const base = `/nodes/{node}/${type}/{vmid}`;
  const [options, snapshots] = await Promise.all([
    reader.list(`${base}/pending`, at),
    reader.list(`${base}/snapshot`, at),
  ]);
  if (options.length === 0) return [];
  const valuesOf = (member: string) =>
    Object.fromEntries(
      options.filter((one) => one[member] !== undefined).map((one) => [String(one["key"]), one[member]]),
    );
  const config = optionsIn(valuesOf("value"));
  const saved = await exportSnapshots(reader, base, at, snapshots);
  return [
    {
      vmid: at.vmid,
      type: type === "lxc" ? "lxc" : "qemu",
      node: at.node,
      config: textOnly(reader, base, at, config),
      ...given({
        running: status === "running" ? 1 : undefined,
        pending: optionsIn(valuesOf("pending")),
        pending_delete: options.filter((one) => numeric(one["delete"])).map(({ key }) => String(key)),
        snapshots: saved,
      }),
    },
  ];
}

type Place = Readonly<{ node: string; vmid: number }>;

/** Raw lines of LXC have no place among the options of the API. */
function textOnly(reader: Reader, base: string, { node, vmid }: Place, config: Fields): Fields {
  const { digest: _, lxc, ...options } = config;
  if (lxc !== undefined) {
    const path = base.replace("{node}", node).replace("{vmid}", String(vmid));
    reader.note(`${path}/config: lxc`, "raw `lxc.` lines cannot be set by the API");
  }
  return options;
}

async function exportSnapshots(reader: Reader, base: string, at: Place, listed: readonly Fields[]): Promise<Fields> {
  const named = listed.filter(({ name }) => name !== "current");
  const ordered = [...named].sort((a, b) => Number(a["snaptime"] ?? 0) - Number(b["snaptime"] ?? 0));
  const saved = await allOf(ordered, async ({ name, snaptime, parent }) => {
    const config = await reader.one(`${base}/snapshot/{snapname}/config`, { ...at, snapname: String(name) });
    const options = optionsIn(config ?? {}, ["lxc"]);
    return [String(name), { ...options, ...given({ snaptime: numeric(snaptime), parent }) }] as const;
  });
  return Object.fromEntries(saved);
}
