import { type ConfigDraft, isPveError, type Logger, type Session } from "#kit";
import type { Addresses } from "../../guest/outputs.ts";
import { askAgent } from "../lifecycle/agent.ts";
import { configuredAddresses, macAddresses } from "../outputs.ts";

interface Asked {
  readonly api: Session;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

interface Place {
  readonly vmid: number;
  readonly node: string;
  readonly status: string;
}

/**
 * Addresses by slot: those cloud-init sets and, if somebody wants to know, those the guest agent tells now. An agent
 * that does not answer is nothing to wait for; one that may not be asked is worth an error.
 */
export async function addressesOf(
  { api, signal, log }: Asked,
  { vmid, node, status }: Place,
  draft: ConfigDraft,
  isAgentAsked: boolean,
): Promise<Addresses> {
  const configured = configuredAddresses(draft);
  if (!isAgentAsked || status !== "running") return configured;
  const told = await askAgent(api, { vmid, node }, macAddresses(draft), signal).catch((reason: unknown) => {
    if (isPveError(reason, "permission", "auth")) throw reason;
    log.debug("the guest agent does not answer", { vmid, error: String(reason) });
    return {};
  });
  return { ...configured, ...told };
}
