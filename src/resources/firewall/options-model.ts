import { ObjectModel, provenWrite, type Session, withDigest } from "#kit";
import type { FirewallPlace } from "#pve";
import { awaitOtherChanges, type ChangeKey } from "./activity.ts";
import { clusterOptions, guestOptions, nodeOptions, vnetOptions } from "./option-attributes.ts";
import type { Scope, ScopeKind } from "./scope.ts";

type Members = Readonly<Record<string, unknown>>;

/** `enabled` is the same option in each, but not in its meaning. */
const models: Readonly<Record<ScopeKind, ObjectModel>> = {
  cluster: modelOf(clusterOptions),
  node: modelOf(nodeOptions),
  guest: modelOf(guestOptions),
  vnet: modelOf(vnetOptions),
};

function modelOf(attributes: ConstructorParameters<typeof ObjectModel>[0]["attributes"]): ObjectModel {
  return new ObjectModel({ noun: "firewall options", identity: [], attributes });
}

/** The options of a firewall as attributes, without its owner. */
export async function readOptions(
  api: Session,
  kind: ScopeKind,
  place: FirewallPlace,
  signal?: AbortSignal,
): Promise<Members> {
  const { digest: _, ...found } = await api.firewall.options.get(place, { signal });
  const { node, vmid, vnet, ...options } = models[kind].parse(found, {}, null);
  return options;
}

/** Sends what differs from what is desired, under the digest of what was read. Null unsets an option. */
export async function writeOptions(
  api: Session,
  { kind }: Pick<Scope, "kind">,
  place: FirewallPlace,
  desired: Members,
  { key, signal }: { readonly key: ChangeKey; readonly signal: AbortSignal },
): Promise<void> {
  const { options } = api.firewall;
  const model = models[kind];
  const read = () => options.get(place, { signal });
  const isNothing = ({ set, delete: unset }: ReturnType<ObjectModel["remaining"]>) =>
    Object.keys(set).length + unset.length === 0;
  if (kind === "cluster" && desired["enabled"] === true && !(await readOptions(api, kind, place, signal))["enabled"]) {
    await awaitOtherChanges(api, key, signal);
  }
  await withDigest(api, read, async (now) => {
    const patch = model.remaining(now, desired);
    if (isNothing(patch)) return;
    const change = {
      ...model.toParameters(patch.set),
      ...(patch.delete.length > 0 && { delete: patch.delete }),
      ...(now.digest && { digest: now.digest }),
    };
    const isDone = async () => isNothing(model.remaining(await read(), desired, { isProof: true }));
    await provenWrite(api, { write: () => options.update(place, change, { signal }), isDone, signal });
  });
}
