import { allOf, given } from "./fields.ts";
import type { Fields, Reader } from "./reader.ts";

type Tree = Fields & { readonly name?: string; readonly children?: readonly Tree[] };

/** What was made of the disks of a node: ZFS pools, volume groups, thin pools, directories. */
export async function exportDiskPools(reader: Reader, node: string): Promise<Fields[]> {
  const at = { node };
  const [zfs, lvm, thin, directories] = await Promise.all([
    reader.listIfThere("/nodes/{node}/disks/zfs", at),
    reader.oneIfThere("/nodes/{node}/disks/lvm", at),
    reader.listIfThere("/nodes/{node}/disks/lvmthin", at),
    reader.listIfThere("/nodes/{node}/disks/directory", at),
  ]);
  const groups = (lvm as Tree | null)?.children ?? [];
  return [
    ...(await allOf(zfs, async ({ name, size }) => {
      const status = await reader.oneIfThere("/nodes/{node}/disks/zfs/{name}", { node, name: String(name) });
      return given({ type: "zfs", name, size, ...zfsParts((status ?? {}) as Tree) });
    })),
    // A thin pool that Proxmox VE makes has a volume group of its own, of the same name.
    ...groups
      .filter(({ name }) => !thin.some(({ lv, vg }) => lv === name && vg === name))
      .map(({ name, size, children }) => given({ type: "lvm", name, size, devices: namesOf(children) })),
    ...thin.map(({ lv, vg, lv_size: size }) => {
      const own = lv === vg ? { devices: namesOf(groups.find(({ name }) => name === vg)?.children) } : { vg };
      return given({ type: "lvmthin", name: lv, size, ...own });
    }),
    ...directories.flatMap(({ path, device, type }) => {
      const [, name] = /^\/mnt\/pve\/([^/]+)$/.exec(String(path)) ?? [];
      const devices = device === undefined ? [] : [device];
      return name === undefined ? [] : [given({ type: "directory", name, devices, filesystem: type })];
    }),
  ];
}

const namesOf = (children: readonly Tree[] = []): string[] => children.map(({ name }) => String(name));

/** The disks of a pool, and its level as far as the groups that they are in tell it. */
function zfsParts({ children = [] }: Tree): Fields {
  const groups = children[0]?.children ?? [];
  const leaves = (tree: Tree): string[] =>
    tree.children === undefined || tree.children.length === 0 ? [String(tree.name)] : tree.children.flatMap(leaves);
  const [, kind, number] = /^(mirror|raidz|draid)(\d?)/.exec(groups[0]?.name ?? "") ?? [];
  const mirrors = groups.length > 1 ? "raid10" : "mirror";
  const level = kind === "mirror" ? mirrors : kind === undefined ? "single" : `${kind}${number === "1" ? "" : number}`;
  return { devices: groups.flatMap(leaves), raidlevel: groups.length === 0 ? undefined : level };
}
