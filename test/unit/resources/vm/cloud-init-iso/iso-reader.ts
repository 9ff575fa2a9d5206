/**
 * A strict reader: it checks everything that the standards leave to a writer, including both byte orders of every
 * number. It was written from ECMA-119, Joliet and RRIP, not from the writer.
 */
export interface IsoVolume {
  readonly label: string;
  /** Contents by the names of that tree; for the primary one also by Rock Ridge's. */
  readonly files: Readonly<Record<string, string>>;
  readonly rockRidge: Readonly<Record<string, { readonly text: string; readonly mode: number }>>;
}

const sector = 2048;

export function readIso(image: Uint8Array): { primary: IsoVolume; joliet: IsoVolume } {
  const reader = new Reader(image);
  must(image.length % sector === 0, "the image is whole sectors");
  const descriptors = new Map<number, number>();
  for (let at = 16 * sector; ; at += sector) {
    const type = reader.byte(at);
    must(reader.latin(at + 1, 5) === "CD001" && reader.byte(at + 6) === 1, "a descriptor has its signature");
    if (type === 255) break;
    descriptors.set(type, at);
  }
  return {
    primary: reader.volume(descriptors.get(1), (bytes) => Buffer.from(bytes).toString("latin1")),
    joliet: reader.volume(descriptors.get(2), (bytes) => Buffer.from(bytes).swap16().toString("utf16le")),
  };
}

interface Extent {
  readonly start: number;
  readonly size: number;
}

class Reader {
  readonly #image: Uint8Array;
  readonly #view: DataView;

  constructor(image: Uint8Array) {
    this.#image = image;
    this.#view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  }

  byte(at: number): number {
    must(at < this.#image.length, "nothing lies beyond the end");
    return this.#view.getUint8(at);
  }

  latin(at: number, length: number): string {
    return Buffer.from(this.#image.subarray(at, at + length)).toString("latin1");
  }

  volume(at: number | undefined, text: (bytes: Uint8Array) => string): IsoVolume {
    if (at === undefined) throw new Error("a descriptor is missing");
    must(this.#both32(at + 80) === this.#image.length / sector, "the volume has the stated length");
    must(this.#both16(at + 120) === 1 && this.#both16(at + 124) === 1, "it is the only volume");
    must(this.#both16(at + 128) === sector, "sectors are of 2048 bytes");
    must(this.byte(at + 881) === 1, "the structure is of version 1");
    const root = this.#record(at + 156);
    must(root.length === 34 && root.isDirectory, "the root is a directory");
    this.#checkPathTables(at, root);
    const label = text(this.#image.slice(at + 40, at + 72)).trimEnd();
    const records = this.#records(root);
    const [self, parent, ...files] = records;
    must(self?.start === root.start && self.id.join() === "0", "the first record is the directory itself");
    must(parent?.start === root.start && parent.id.join() === "1", "the second is its parent");
    const names = files.map(({ id }) => text(id));
    must(names.join() === [...names].sort().join(), "records are in order");
    const content = ({ start, size }: Extent) =>
      Buffer.from(this.#image.subarray(start, start + size)).toString("utf8");
    const entries = files.map((file) => [file, this.#entries(file.extras)] as const);
    const posix = entries.filter(([, { name }]) => name !== "");
    if (posix.length > 0) this.#checkRockRidge(self?.extras);
    return {
      label,
      files: Object.fromEntries(files.map((file, place) => [names[place], content(file)])),
      rockRidge: Object.fromEntries(posix.map(([file, { name, mode }]) => [name, { text: content(file), mode }])),
    };
  }

  #checkPathTables(at: number, root: Extent): void {
    must(this.#both32(at + 132) === 10, "there is one directory");
    const little = this.#view.getUint32(at + 140, true) * sector;
    const big = this.#view.getUint32(at + 148, false) * sector;
    must(this.#view.getUint32(little + 2, true) * sector === root.start, "the path table leads to the root");
    must(this.#view.getUint32(big + 2, false) * sector === root.start, "and so does the other one");
    must(
      this.#view.getUint16(little + 6, true) === 1 && this.#view.getUint16(big + 6, false) === 1,
      "it is its parent",
    );
  }

  #records({ start, size }: Extent) {
    const records = [];
    for (let at = start; at < start + size && this.byte(at) > 0; at += this.byte(at)) records.push(this.#record(at));
    return records;
  }

  #record(at: number) {
    const [length, idLength] = [this.byte(at), this.byte(at + 32)];
    must(length % 2 === 0, "a record has an even length");
    must(this.#both16(at + 28) === 1, "it is on this volume");
    const [start, size] = [this.#both32(at + 2) * sector, this.#both32(at + 10)];
    must(start + size <= this.#image.length, "a file ends within the image");
    const extrasAt = 33 + idLength + ((33 + idLength) % 2);
    const id = this.#image.slice(at + 33, at + 33 + idLength);
    return {
      length,
      start,
      size,
      id,
      isDirectory: this.byte(at + 25) === 2,
      extras: { at: at + extrasAt, end: at + length },
    };
  }

  /** Rock Ridge's name and mode. */
  #entries({ at, end }: { at: number; end: number }): { name: string; mode: number } {
    const found = { name: "", mode: 0 };
    for (const [signature, place, length] of this.#systemUse(at, end)) {
      if (signature === "NM") found.name += this.latin(place + 5, length - 5);
      if (signature === "PX") found.mode = this.#both32(place + 4);
    }
    return found;
  }

  #checkRockRidge(extras: { at: number; end: number } | undefined): void {
    const { at, end } = extras ?? { at: 0, end: 0 };
    const entries = this.#systemUse(at, end);
    const [first] = entries;
    must(first?.[0] === "SP" && this.byte(at + 4) === 0xbe && this.byte(at + 5) === 0xef, "the root begins with SP");
    const more = entries.find(([signature]) => signature === "CE")?.[1] ?? 0;
    const there = this.#both32(more + 4) * sector + this.#both32(more + 12);
    const [reference] = this.#systemUse(there, there + this.#both32(more + 20));
    must(reference?.[0] === "ER" && this.latin(there + 8, 10) === "RRIP_1991A", "the extension is named");
  }

  #systemUse(from: number, end: number): [signature: string, at: number, length: number][] {
    const entries: [string, number, number][] = [];
    for (let at = from; at + 4 <= end; ) {
      const length = this.byte(at + 2);
      must(length >= 4 && at + length <= end && this.byte(at + 3) === 1, "an entry has its length and version");
      entries.push([this.latin(at, 2), at, length]);
      at += length;
    }
    return entries;
  }

  #both16(at: number): number {
    must(this.#view.getUint16(at, true) === this.#view.getUint16(at + 2, false), "both byte orders agree");
    return this.#view.getUint16(at, true);
  }

  #both32(at: number): number {
    must(this.#view.getUint32(at, true) === this.#view.getUint32(at + 4, false), "both byte orders agree");
    return this.#view.getUint32(at, true);
  }
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not so: ${what}`);
}
