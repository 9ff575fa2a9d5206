import { enumerate, Failure, type FileId, findFile, type Logger, parseFileVolume, type Session } from "#kit";

interface Importing {
  readonly api: Session;
  readonly id: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** By volume ID, with the node before it where several nodes have a storage of that name. */
export async function importFile(context: Importing): Promise<FileId> {
  const { api, id } = context;
  const [, given, volume_id = ""] = /^(?:([^/:]+)\/)?(.*)$/.exec(id) ?? [];
  const place = parseFileVolume(volume_id);
  if (place === null) {
    throw new Failure(
      "Not the ID of a file",
      `\`${id}\` is not a volume ID of an ISO image, a disk image to import or a container template. Write \`local:iso/debian.iso\`, or \`pve1/local:iso/debian.iso\` where the storage is another one on each node.`,
    );
  }
  if (given !== undefined) return { node: given, volume_id };
  const { storages, isOnline } = await api.inventory.snapshot();
  const places = storages.filter(({ storage, node }) => storage === place.storage && isOnline(node));
  const isShared = places.some(({ shared }) => shared);
  const asked = places.map(({ node }) => node).sort();
  const found = await Promise.all(
    (isShared ? asked.slice(0, 1) : asked).map(async (node) =>
      (await findFile(context, { node, volume_id })) ? [node] : [],
    ),
  );
  const [only, ...others] = found.flat();
  if (only === undefined) {
    throw new Failure("No such file", `There is no \`${volume_id}\` on ${enumerate(asked)}.`);
  }
  if (others.length > 0) {
    throw new Failure(
      "Several files have this ID",
      `\`${volume_id}\` is on ${enumerate([only, ...others])}. Say which one: \`${only}/${volume_id}\`.`,
    );
  }
  return { node: only, volume_id };
}
