import type { ConfigDraft, Logger, RawConfig, Session } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestBase } from "../base.ts";
import type { Addresses } from "../outputs.ts";

export interface ReaderContext {
  readonly api: Session;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** What data sources need of a kind of guest. */
export interface GuestReader extends GuestBase {
  draft(api: Session, config: RawConfig): ConfigDraft;
  /** Static addresses in the configuration, by slot. */
  configuredAddresses(draft: ConfigDraft): Addresses;
  /** These, and with `isGuestAsked` also those that the guest reports now. Does not wait for it. */
  addressesOf(
    context: ReaderContext,
    place: GuestAddress & { readonly status: string },
    draft: ConfigDraft,
    isGuestAsked: boolean,
  ): Promise<Addresses>;
}
