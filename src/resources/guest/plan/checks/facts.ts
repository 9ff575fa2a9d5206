import { isPveError, oncePerRunFor } from "#kit";

/** Null where the caller lacks the privilege: a check without data refuses nothing. */
export async function ifAllowed<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (reason) {
    if (isPveError(reason, "permission")) return null;
    throw reason;
  }
}

// Answers that the checks of all guests in a run share.

/** Volumes and files of a storage, of one kind of content. */
export const volumesOn = oncePerRunFor((api, node: string, storage: string, content: string) =>
  ifAllowed(api.storage.listVolumes(node, storage, { content })),
);

/** Image formats that each storage of the node can allocate. */
export const formatsOn = oncePerRunFor(async (api, node: string) => {
  const storages = await ifAllowed(api.storage.listOnNode(node, { format: true }));
  return new Map((storages ?? []).map(({ storage, formats }) => [storage, formats?.supported]));
});

export const bridgesOn = oncePerRunFor((api, node: string) => ifAllowed(api.network.list(node, "any_bridge")));
