import type { Session } from "#kit";
import type { CloneCalls, ConfigChange, GuestAddress, Parameters as Request } from "#pve";

type CallOptions = Parameters<Session["qemu"]["getStatus"]>[1];

/** A call that starts a task and returns its id. The parameters are PVE's. */
type Act<R extends Request = Request> = (guest: GuestAddress, request?: R, options?: CallOptions) => Promise<string>;

/** A migration; local volumes are moved too. */
export interface Migration {
  readonly target: string;
  /** Where the volumes are moved to on the target; otherwise to storages of the same names. */
  readonly storage?: string;
  /** KiB/s. */
  readonly bandwidthLimit?: number;
  /** How long a guest that cannot be moved while it runs may take to shut down. */
  readonly graceSeconds?: number;
}

/** The calls that VMs and containers have in common. Those that start a task return its id. */
export interface GuestCalls
  extends CloneCalls,
    Pick<
      Session["qemu"],
      "create" | "findConfig" | "getStatus" | "hasFeature" | "knownConfig" | "knownPending" | "listPending" | "remove"
    >,
    Pick<Session["disks"], "resize"> {
  readonly start: Act<Record<never, never>>;
  readonly stop: Act<{ readonly "overrule-shutdown"?: boolean }>;
  readonly shutdown: Act<{ readonly timeout?: number; readonly forceStop?: boolean }>;
  readonly reboot: Act<{ readonly timeout?: number }>;
  readonly suspend: Act;
  readonly resume: Act<Record<never, never>>;
  /** Null: the call was all there is. `isLong`: it may take longer than a request may. */
  changeConfig(
    guest: GuestAddress,
    change: ConfigChange,
    options: { readonly isLong: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<string | null>;
  /** Moves the volume in a slot to another storage, or to another format; the old volume is deleted. */
  moveVolume(
    guest: GuestAddress,
    target: { readonly slot: string; readonly storage: string; readonly format?: string },
    options?: CallOptions,
  ): Promise<string>;
  listSnapshots(guest: GuestAddress, options?: CallOptions): Promise<readonly { readonly name: string }[]>;
  takeSnapshot(
    guest: GuestAddress,
    request: Request & { readonly snapname: string; readonly description?: string },
    options?: CallOptions,
  ): Promise<string>;
  rollback(
    guest: GuestAddress,
    snapshot: string,
    request: { readonly start?: boolean },
    options?: CallOptions,
  ): Promise<string>;
  makeTemplate(guest: GuestAddress, options?: CallOptions): Promise<string | null>;
  /** A VM is moved while it runs, a container by a restart. */
  migrate(guest: GuestAddress, migration: Migration, options?: CallOptions): Promise<string>;
}
