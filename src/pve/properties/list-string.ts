import { decodePercent } from "./percent-encoded.ts";

/** An option that is a plain list: `tags`, `hotplug`, `nameserver`, `sshkeys`. Printed unchanged unless its items change. */
export interface ListCodec {
  parse(text: string): ListString;
  print(items: readonly string[]): string;
}

export interface ListString {
  readonly items: readonly string[];
  with(items: readonly string[]): ListString;
  toString(): string;
}

function listString(split: (text: string) => string[], join: (items: readonly string[]) => string): ListCodec {
  const make = (text: string, items: readonly string[]): ListString => ({
    items,
    with: (next) =>
      next.length === items.length && next.every((item, index) => item === items[index])
        ? make(text, items)
        : make(join(next), next),
    toString: () => text,
  });
  return {
    parse: (text) =>
      make(
        text,
        split(text).filter((item) => item !== ""),
      ),
    print: join,
  };
}

/** PVE splits its lists at any mix of these (pve-common: src/PVE/Tools.pm, `split_list`). */
const separators = /[,;\s\0]+/;

export const tags = listString(
  (text) => text.split(separators),
  (items) => items.join(";"),
);

export const hotplug = listString(
  (text) => text.split(separators),
  (items) => (items.length === 0 ? "0" : items.join(",")),
);

export const nameserver = listString(
  (text) => text.split(separators),
  (items) => items.join(" "),
);

/**
 * One OpenSSH key per line, the whole percent-encoded *inside* the value: a form body encodes it a second time. PVE
 * accepts exactly the characters that `encodeURIComponent` leaves unchanged (qemu-server: src/PVE/API2/Qemu.pm).
 */
export const sshKeys = listString(
  (text) => decodePercent(text).split(/\r?\n/),
  (items) => encodeURIComponent(items.join("\n")),
);
