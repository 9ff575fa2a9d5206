import { checkReference, enumerate, type FileContent, type Need, type Report, type Session, storagePlaces } from "#kit";
import type { StorageResource } from "#pve";

/** What a plan says of the place of a file or a disk. `undefined`: not known yet; `null`: not given. */
export interface WantedPlace {
  readonly storage: string | undefined;
  readonly node: string | null | undefined;
  readonly content: FileContent | "images" | undefined;
}

/** Refuses a place where the file or disk cannot go. Returns the node to use, where that is certain. */
export async function checkPlace(
  api: Session,
  report: Report,
  { storage, node, content }: WantedPlace,
): Promise<string | undefined> {
  const { storages, isOnline } = await api.inventory.snapshot();
  if (node && !(await checkReference(api, report, { kind: "node", name: node, path: "node" }))) return undefined;
  if (!storage || api.planned.has("storage", storage)) return node ?? undefined;
  const places = (await storagePlaces(api, storage)).filter((one) => !node || one.node === node);
  const [place] = places;
  if (place === undefined) {
    const names = storages.filter((one) => !node || one.node === node).map((one) => one.storage);
    const among = { names, where: node ? `on ${node}` : "" };
    await checkReference(api, report, { kind: "storage", name: storage, path: "storage", among });
    return node ?? undefined;
  }
  if (content && place.content && !place.content.includes(content)) {
    report.error(
      "storage",
      "Storage does not take it",
      `The storage \`${storage}\` is set up for ${enumerate(place.content)}, not for \`${content}\`. Add \`${content}\` to its content, or use one that has it: ${enumerate(namesWith(storages, content))}.`,
    );
  }
  if (node !== null) return node;
  const chosen = choose(isOnline, places);
  if (chosen === null) {
    report.error(
      "node",
      "Node needed",
      `The storage \`${storage}\` is another one on each node. Say on which \`node\` the ${content === "images" ? "disk" : "file"} belongs: ${enumerate(places.map((one) => one.node))}.`,
    );
  }
  return chosen ?? undefined;
}

/** Any node will do where all have the same content; the first that is online, so that the next plan says the same. */
function choose(isOnline: (node: string) => boolean, places: readonly StorageResource[]): string | null {
  const [first, ...others] = places.map(({ node }) => node).sort();
  if (first === undefined || (others.length > 0 && !places[0]?.shared)) return null;
  return [first, ...others].find(isOnline) ?? first;
}

const namesWith = (storages: readonly StorageResource[], content: string): string[] =>
  storages.filter((one) => one.content?.includes(content)).map(({ storage }) => storage);

/**
 * A node that can be asked about the file: the one it came through, or, where the storage is shared, any other while
 * that one is away. Null: not known now.
 */
export async function nodeToAsk(api: Session, node: string, storage: string): Promise<string | null> {
  const { nodes, storages, isOnline } = await api.inventory.snapshot();
  if (isOnline(node) || nodes.size === 0) return node;
  const others = storages.filter((one) => one.storage === storage && one.shared && isOnline(one.node));
  return others.map((one) => one.node).sort()[0] ?? null;
}

/** pve-storage: src/PVE/API2/Storage/Status.pm, `upload` and `download_url`. */
export const needsToPut = (storage: string): Need[] => [
  { privileges: ["Datastore.AllocateTemplate"], paths: [`/storage/${storage}`], attribute: "storage" },
  { privileges: ["Datastore.Audit", "Datastore.AllocateSpace"], paths: [`/storage/${storage}`], attribute: "storage" },
];

/** pve-storage: src/PVE/API2/Storage/Content.pm, `delete`. */
export const needsToRemove = (storage: string): Need[] => [
  { privileges: ["Datastore.Allocate"], paths: [`/storage/${storage}`], attribute: "storage" },
];
