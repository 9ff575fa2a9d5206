/**
 * What the kit needs of the client's codecs. They are handed in rather than imported: the client is loaded when a
 * provider is configured, and a schema must be there long before.
 */
export interface OptionCodecs {
  /** Null where the value is plain (`name`, `serial0`). */
  codecOf(option: string): OptionCodec | null;
}

export interface OptionCodec {
  parse(text: string): PackedLine | ListLine;
}

/** `virtio=BC:24:11:00:00:01,bridge=vmbr0`: printed letter by letter as it was read, except for what is changed. */
export interface PackedLine {
  readonly values: object;
  /** An explicit `undefined` takes the sub-key out. */
  with(changes: object): PackedLine;
  toString(): string;
}

/** `tags`, `nameserver`, `sshkeys` …: an option that is a list. */
export interface ListLine {
  readonly items: readonly string[];
  with(items: readonly string[]): ListLine;
  toString(): string;
}

export const isListLine = (line: PackedLine | ListLine): line is ListLine => "items" in line;
