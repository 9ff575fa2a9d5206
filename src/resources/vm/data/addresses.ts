import { type ConfigDraft, isPveError } from "#kit";
import type { GuestAddress } from "#pve";
import type { ReaderContext } from "../../guest/data/reader.ts";
import type { Addresses } from "../../guest/outputs.ts";
import { askAgent } from "../lifecycle/agent.ts";
import { configuredAddresses, macAddresses } from "../outputs.ts";

/**
 * Addresses by slot: those that cloud-init configures and, with `isAgentAsked`, those that the guest agent reports now. An
 * agent that does not answer is not waited for. A missing privilege to ask it is an error.
 */
export async function addressesOf(
  { api, signal, log }: ReaderContext,
  { vmid, node, status }: GuestAddress & { readonly status: string },
  draft: ConfigDraft,
  isAgentAsked: boolean,
): Promise<Addresses> {
  const configured = configuredAddresses(draft);
  if (!isAgentAsked || status !== "running") return configured;
  const reported = await askAgent(api, { vmid, node }, macAddresses(draft), signal).catch((reason: unknown) => {
    if (isPveError(reason, "permission", "auth")) throw reason;
    log.debug("the guest agent does not answer", { vmid, error: String(reason) });
    return {};
  });
  return { ...configured, ...reported };
}
