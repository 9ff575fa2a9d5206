import { both32, joined, latin } from "./bytes.ts";

/** System use entries (IEEE P1281, SUSP): two letters, length, version, and what the entry says. */
const entry = (signature: string, data: Uint8Array): Uint8Array =>
  joined(latin(signature), Uint8Array.of(data.length + 4, 1), data);

/** POSIX attributes: mode, links, owner and group. */
const attributes = (mode: number, links: number): Uint8Array =>
  entry("PX", joined(both32(mode), both32(links), both32(0), both32(0)));

const directory = attributes(0o040555, 2);

const identifier = "RRIP_1991A";
const descriptor = "THE ROCK RIDGE INTERCHANGE PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS";
const source =
  "PLEASE CONTACT DISC PUBLISHER FOR SPECIFICATION SOURCE.  SEE PUBLISHER IDENTIFIER IN PRIMARY VOLUME DESCRIPTOR FOR CONTACT INFORMATION.";

/** Says which extension is used. A record is too short for it, so the root's points to it. */
export const continuation: Uint8Array = entry(
  "ER",
  joined(
    Uint8Array.of(identifier.length, descriptor.length, source.length, 1),
    latin(identifier + descriptor + source),
  ),
);

/** The root's own record: entries begin here, and go on over there. */
export const rockRidgeRoot = (continuesAt: number): Uint8Array =>
  joined(
    entry("SP", Uint8Array.of(0xbe, 0xef, 0)),
    directory,
    entry("CE", joined(both32(continuesAt), both32(0), both32(continuation.length))),
  );

export const rockRidgeParent = (): Uint8Array => directory;

export const rockRidgeFile = (name: string): Uint8Array =>
  joined(attributes(0o100444, 1), entry("NM", joined(Uint8Array.of(0), latin(name))));
