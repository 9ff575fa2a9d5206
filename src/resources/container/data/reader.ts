import { type ConfigDraft, isPveError } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestReader, ReaderContext } from "../../guest/data/reader.ts";
import type { Addresses } from "../../guest/outputs.ts";
import { containerBase } from "../base.ts";
import { askContainer, configuredAddresses, macAddresses } from "../outputs.ts";

export const containerReader: GuestReader = {
  ...containerBase,
  draft: (api, config) => api.containerDraft(config),
  configuredAddresses,
  addressesOf,
};

/** Addresses by slot: static ones and, with `isAsked`, those that a running container has now. */
export async function addressesOf(
  { api, signal, log }: ReaderContext,
  { vmid, node, status }: GuestAddress & { readonly status: string },
  draft: ConfigDraft,
  isAsked: boolean,
): Promise<Addresses> {
  const configured = configuredAddresses(draft);
  if (!isAsked || status !== "running") return configured;
  const reported = await askContainer(api, { vmid, node }, macAddresses(draft), signal).catch((reason: unknown) => {
    if (isPveError(reason, "permission", "auth")) throw reason;
    log.debug("the container's interfaces cannot be read", { vmid, error: String(reason) });
    return {};
  });
  return { ...configured, ...reported };
}
