import { both16, both32, joined, latin, padded, sectorSize, sectorsOf, uint32 } from "./bytes.ts";
import { joliet, type Naming, rockRidge } from "./naming.ts";

export interface IsoFile {
  /** Plain letters. */
  readonly name: string;
  readonly content: Uint8Array;
}

interface PlacedFile extends IsoFile {
  readonly sector: number;
}

/** Where a tree of names lies, and with it everything that points to it. */
interface Tree {
  readonly naming: Naming;
  readonly pathTables: readonly [little: number, big: number];
  readonly root: number;
  readonly continuation: number;
}

/** The first 16 sectors are reserved for boot code. */
const systemSectors = 16;
const trees: readonly Tree[] = [
  { naming: rockRidge, pathTables: [19, 20], root: 23, continuation: 24 },
  { naming: joliet, pathTables: [21, 22], root: 25, continuation: 25 },
];
const firstFile = 26;

/**
 * An ISO 9660 image (ECMA-119) with a few small files in its root, under their own names for Linux (Rock Ridge) and for
 * Windows (Joliet). The same files make the same bytes: there are no dates in it.
 */
export function isoImage(volume: string, given: readonly IsoFile[]): Uint8Array {
  const files = placed(given);
  const last = files.at(-1);
  const sectors = last ? last.sector + sectorsOf(last.content.length) : firstFile;
  const image = new Uint8Array(sectors * sectorSize);
  const put = (sector: number, bytes: Uint8Array) => image.set(bytes, sector * sectorSize);
  for (const [place, tree] of trees.entries()) {
    put(systemSectors + place, volumeDescriptor(tree, volume, sectors));
    put(tree.pathTables[0], pathTable(tree, "little"));
    put(tree.pathTables[1], pathTable(tree, "big"));
    put(tree.root, rootDirectory(tree, files));
    if (tree.naming.continuation.length > 0) put(tree.continuation, tree.naming.continuation);
  }
  put(systemSectors + trees.length, joined(Uint8Array.of(255), latin("CD001"), Uint8Array.of(1)));
  for (const { sector, content } of files) put(sector, content);
  return image;
}

/** One behind the other, in the order a directory must have, which is the same for both kinds of names. */
function placed(files: readonly IsoFile[]): PlacedFile[] {
  let next = firstFile;
  return [...files]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((file) => {
      const sector = next;
      next += sectorsOf(file.content.length);
      return { ...file, sector };
    });
}

/** ECMA-119, 8.4 and 8.5. */
function volumeDescriptor({ naming, pathTables, root }: Tree, volume: string, sectors: number): Uint8Array {
  const noDate = joined(latin("0".repeat(16)), Uint8Array.of(0));
  return joined(
    Uint8Array.of(naming.descriptor),
    latin("CD001"),
    Uint8Array.of(1, 0),
    naming.field("", 32), // system
    naming.field(volume, 32),
    new Uint8Array(8),
    both32(sectors),
    naming.escapes,
    both16(1), // volumes in the set
    both16(1), // which of them this is
    both16(sectorSize),
    both32(pathTableSize),
    uint32(pathTables[0], "little"),
    uint32(0, "little"),
    uint32(pathTables[1], "big"),
    uint32(0, "big"),
    directoryRecord(Uint8Array.of(0), { sector: root, size: sectorSize, isDirectory: true }),
    naming.field("", 128), // set
    naming.field("", 128), // publisher
    naming.field("", 128), // preparer
    naming.field("", 128), // application
    naming.field("", 37), // copyright file
    naming.field("", 37), // abstract file
    naming.field("", 37), // bibliographic file
    noDate, // creation
    noDate, // modification
    noDate, // expiration
    noDate, // effective from
    Uint8Array.of(1), // version of the structure
  );
}

const pathTableSize = 10;

/** The root is the only directory (ECMA-119, 9.4). */
function pathTable({ root }: Tree, order: "little" | "big"): Uint8Array {
  const parent = order === "little" ? [1, 0] : [0, 1];
  return joined(Uint8Array.of(1, 0), uint32(root, order), Uint8Array.of(...parent, 0, 0));
}

function rootDirectory({ naming, root, continuation }: Tree, files: readonly PlacedFile[]): Uint8Array {
  const self = { sector: root, size: sectorSize, isDirectory: true };
  const records = files.map(({ name, sector, content }) => {
    const extent = { sector, size: content.length, isDirectory: false };
    return directoryRecord(naming.identifier(name), extent, naming.extras({ name }, continuation));
  });
  return joined(
    directoryRecord(Uint8Array.of(0), self, naming.extras("root", continuation)),
    directoryRecord(Uint8Array.of(1), self, naming.extras("parent", continuation)),
    ...records,
  );
}

interface Extent {
  readonly sector: number;
  readonly size: number;
  readonly isDirectory: boolean;
}

/** ECMA-119, 9.1. Its parts begin and end on even bytes. */
function directoryRecord(
  identifier: Uint8Array,
  { sector, size, isDirectory }: Extent,
  extras: Uint8Array = new Uint8Array(),
): Uint8Array {
  const name = padded(identifier, identifier.length + ((33 + identifier.length) % 2));
  const use = padded(extras, extras.length + (extras.length % 2));
  return joined(
    Uint8Array.of(33 + name.length + use.length, 0),
    both32(sector),
    both32(size),
    new Uint8Array(7), // no date
    Uint8Array.of(isDirectory ? 2 : 0, 0, 0),
    both16(1), // volume
    Uint8Array.of(identifier.length),
    name,
    use,
  );
}
