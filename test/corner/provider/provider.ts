import { tmpdir } from "node:os";
import { join } from "node:path";
import { string } from "#framework";
import { blob } from "./cases/blob.ts";
import { chained } from "./cases/chained.ts";
import { fragile } from "./cases/fragile.ts";
import { inheriting } from "./cases/inheriting.ts";
import { judging } from "./cases/judging.ts";
import { label, shout, thingLookup } from "./cases/lookup.ts";
import { numbers } from "./cases/numbers.ts";
import { open } from "./cases/open.ts";
import { pair, pairs } from "./cases/pair.ts";
import { replaced } from "./cases/replaced.ts";
import { secret, token } from "./cases/secret.ts";
import { shapes } from "./cases/shapes.ts";
import { slow } from "./cases/slow.ts";
import { successor } from "./cases/successor.ts";
import { thing } from "./cases/thing.ts";
import { defineProvider } from "./define.ts";
import { Store } from "./store.ts";

/** A provider without an API: one resource per corner of Terraform's semantics, kept in a folder. */
export const cornerProvider = defineProvider({
  name: "corner",
  doc: "Every corner case of a provider, without an API.",
  attributes: {
    folder: { type: string(), mode: "optional", doc: "Where objects are kept; else `CORNER_FOLDER`." },
    label: { type: string(), mode: "optional", doc: "Distinguishes several provider configurations." },
  },
  resources: {
    corner_blob: () => blob,
    corner_chained: () => chained,
    corner_fragile: () => fragile,
    corner_inheriting: () => inheriting,
    corner_judging: () => judging,
    corner_numbers: () => numbers,
    corner_open: () => open,
    corner_pair: () => pair,
    corner_replaced: () => replaced,
    corner_secret: () => secret,
    corner_shapes: () => shapes,
    corner_slow: () => slow,
    corner_successor: () => successor,
    corner_thing: () => thing,
  },
  dataSources: { corner_thing: () => thingLookup },
  functions: { label: () => label },
  ephemerals: { corner_token: () => token },
  listResources: { corner_pair: () => pairs },
  actions: { corner_shout: () => shout },
  configure({ config }) {
    if (config.folder === undefined) return undefined;
    const folder = config.folder ?? process.env["CORNER_FOLDER"] ?? join(tmpdir(), "corner");
    return new Store(folder, config.label ?? "default");
  },
});
