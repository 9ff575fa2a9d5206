import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Addition, additions } from "../../../schema/pve/additions.ts";
import { resourceTypes } from "../../../src/cli/doctor/compatibility/calls-by-type.ts";
import { type KnownApi, knownApi } from "../../../src/cli/doctor/compatibility/known-api.ts";
import { needsOf } from "../../../src/cli/doctor/compatibility/needs.ts";
import { since } from "../../../src/kit/releases.ts";
import type { Generated } from "../generated.ts";

const path = "docs/guides/upgrading-pve.md";
const [start, end] = ["<!-- Generated from schema/pve/additions.ts. -->", "<!-- End of the generated table. -->"];

/** The table of what came with which release, in the guide about upgrades. The rest of the page is written by hand. */
export const releaseTable = (root: string): Generated => ({
  owns: [path],
  async files() {
    const [before = "", after = ""] = readFileSync(join(root, path), "utf8").split(new RegExp(`${start}.*${end}`, "s"));
    return new Map([[path, `${before}${start}\n${await table()}\n${end}${after}`]]);
  },
});

async function table(): Promise<string> {
  const known = await knownApi();
  const offered = await offersByTopic(known);
  const topics = [...Map.groupBy(additions, ({ since: first, topic }) => `${first} ${topic}`).values()];
  const rows = topics.map((all) => {
    const [{ since: first = "", topic = "" } = {}] = all;
    const names = [...new Set(all.flatMap((one) => offered.get(keyOf(one)) ?? []))].sort();
    return `| ${first} | ${topic} | ${names.map((name) => `\`${name.replace(/=(.*)$/, ' = "$1"')}\``).join(", ")} |`;
  });
  return ["| since | in Proxmox VE | here |", "|---|---|---|", ...rows].join("\n");
}

type PlaceOf = Omit<Addition, "since" | "topic" | "call"> & { readonly call: string };

const keyOf = ({ topic, since: first }: Addition): string => `${first} ${topic}`;

/** Resources and attributes by the topic that they belong to. */
async function offersByTopic(known: KnownApi): Promise<ReadonlyMap<string, readonly string[]>> {
  const offers = new Map<string, string[]>();
  const add = (name: string, places: readonly PlaceOf[]) => {
    for (const addition of additions.filter((one) => places.some((place) => isAt(one, place))))
      offers.set(keyOf(addition), [...(offers.get(keyOf(addition)) ?? []), name]);
  };
  for (const name of Object.keys(since)) add(name, await placesIn(known, name));
  for (const type of resourceTypes) {
    if (since[type] === undefined)
      add(
        type,
        (await writesOf(known, type)).map((call) => ({ call })),
      );
  }
  return offers;
}

const isAt = (one: Addition, place: PlaceOf): boolean =>
  one.call !== undefined &&
  `${place.call}/`.startsWith(`${one.call}/`) &&
  (["parameter", "key", "value"] as const).every((member) => one[member] === place[member]);

const writesOf = async (known: KnownApi, type: string): Promise<string[]> =>
  (await needsOf(type, known.api)).calls.filter((call) => call.startsWith("POST "));

/** Where an entry of `kit/releases` is in the API: `proxmox_vm.intel_tdx` is `intel-tdx` of several calls. */
export async function placesIn(known: KnownApi, name: string): Promise<PlaceOf[]> {
  const [whole = "", value] = name.split("=");
  const [type = "", ...attribute] = whole.split(".");
  if (attribute.length === 0) return (await writesOf(known, type)).map((call) => ({ call }));
  const { attributes } = await needsOf(type, known.api);
  const below = attributes.filter((one) => `${one.path}.`.startsWith(`${attribute.join(".")}.`));
  return below.flatMap(({ places }) =>
    places.map(({ key, ...place }) => ({
      ...place,
      ...(key !== undefined && isKeyOf(key, place) && { key }),
      ...(value !== undefined && { value }),
    })),
  );
}

/** A parameter may be new as a whole: then its keys are not listed. */
const isKeyOf = (key: string, { call, parameter }: { readonly call: string; readonly parameter: string }): boolean =>
  additions.some((one) => one.call === call && one.parameter === parameter && one.key === key);
