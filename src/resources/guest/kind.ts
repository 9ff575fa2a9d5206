import type { ConfigDraft, Families, Need, RawConfig, Session, WiredAttribute } from "#kit";
import type { CloneCalls, GuestAddress, GuestType, Parameters as Request } from "#pve";
import type { GuestCreate, GuestDelete, GuestDesired, GuestPlan } from "./context.ts";
import type { Fingerprint } from "./identity.ts";
import type { FoundGuest } from "./lifecycle/find.ts";
import type { Source } from "./lifecycle/source.ts";

type CallOptions = Parameters<Session["qemu"]["getStatus"]>[1];

/** The calls that VMs and containers have in common. Those that start a task return its id. */
export interface GuestCalls
  extends CloneCalls,
    Pick<Session["qemu"], "create" | "findConfig" | "getStatus" | "listPending" | "remove">,
    Pick<Session["power"], "reboot" | "shutdown" | "start" | "stop"> {
  /** Moves the guest to another node with its local volumes: a VM while it runs, a container by a restart. */
  migrate(guest: GuestAddress, target: string, options?: CallOptions): Promise<string>;
}

/** A volume of a guest, as a configuration, a plan or a state describes it. */
export interface VolumeIn {
  readonly slot: string;
  /** The attribute. */
  readonly path: readonly string[];
  readonly volume:
    | {
        readonly storage?: string | null | undefined;
        readonly format?: string | null | undefined;
        readonly size?: string | null | undefined;
        readonly volume?: string | null | undefined;
      }
    | null
    | undefined;
}

/** A running guest, and its configuration after the change. */
export interface LiveChange {
  /** Without pending changes. */
  readonly running: ConfigDraft;
  readonly after: ConfigDraft;
}

export interface StoppingChange extends LiveChange {
  readonly before: ConfigDraft;
  /** The plan, or the desired state. */
  readonly wanted: object;
}

/** A change that PVE refuses to store while the guest runs. */
export interface StopReason {
  readonly path: readonly string[];
  readonly why: string;
}

export interface PlannedPower {
  /** Whether the guest runs in the end; undefined: not known yet. */
  readonly isUp: boolean | undefined;
  /** Whether it is started on the way there. */
  readonly isStarted: boolean;
}

/** What distinguishes VMs from containers. Everything else about guests is in this folder. */
export interface GuestKind {
  /** In messages: `VM`, `container`. */
  readonly noun: string;
  /** The same at the beginning of a sentence. */
  readonly title: string;
  /** As PVE calls it in its lists and paths. */
  readonly type: GuestType;
  /** The resource type, for import blocks. */
  readonly resource: string;
  /** The type in the ids of HA resources: `vm:101`. */
  readonly haType: "vm" | "ct";
  /** The command-line tool on a node. */
  readonly tool: "qm" | "pct";
  /** Types of the tasks, by which a lost answer is looked up. */
  readonly tasks: { readonly create: string; readonly clone: string };
  /** The lock of a guest that PVE is still cloning. */
  readonly cloneLock: string;
  /** What a guest needs to be able to shut down, as the first half of a sentence. */
  readonly shutdownHint: string;

  /** Attributes that are options of the guest's configuration. */
  readonly settings: Readonly<Record<string, WiredAttribute>>;
  /** The option that holds the name. */
  readonly nameOption: "name" | "hostname";
  readonly families: {
    /** Slots whose value names a volume. */
    readonly volumes: Families;
  };
  /** The attribute that is a map of volumes by slot. */
  readonly volumeMap: string;
  /** Attributes that hold one volume, with its slot. */
  readonly namedVolumes: readonly (readonly [attribute: string, slot: string])[];
  /** The volumes of a configuration, a plan or a state. */
  volumesIn(tree: object): readonly VolumeIn[];
  /** The attributes that the options belong to, for messages. The draft shows what kind of device a slot holds. */
  attributesOf(options: readonly string[], draft: ConfigDraft): string;

  calls(api: Session): GuestCalls;
  /** A configuration of this kind, to be read and changed. */
  draft(api: Session, config: RawConfig): ConfigDraft;
  /** What distinguishes a guest from another one that has its VMID. */
  fingerprint(options: RawConfig): Fingerprint;

  /** Options that are set only after the guest exists. */
  readonly laterOptions: readonly string[];
  /** Parameters of a create and of a clone besides those that every kind has. */
  createParameters(desired: GuestDesired): Request;
  cloneParameters(desired: GuestDesired): Request;
  /** Whether PVE locks the source while it is cloned, so that clones of it run one after another. */
  locksSource(source: Source): boolean;
  /** The configuration that a clone starts with. `storage`: where its volumes are copied to. */
  clonedConfig(source: Source, storage: string | null | undefined): RawConfig;
  /** Runs the call that creates or clones a guest; may remove an obstacle and run it again. */
  attemptCreate<T>(
    context: GuestCreate,
    guest: GuestAddress,
    volumes: { readonly storages: readonly string[]; readonly draft: ConfigDraft },
    create: () => Promise<T>,
  ): Promise<T>;

  /** Whether a running guest applies a changed option at once; otherwise it stays pending. */
  takesEffectLive(option: string, change: LiveChange): boolean;
  /** Options that PVE stores at once and the guest reads only when it boots. */
  unreadOptions(context: GuestPlan, after: ConfigDraft): readonly string[];
  /** Changes that PVE refuses while the guest runs. */
  stopReasons(change: StoppingChange): readonly StopReason[];
  /** Plans the addresses of the guest. */
  planAddresses(context: GuestPlan, after: ConfigDraft, power: PlannedPower): void;
  /** What a start requires besides the privilege to start. */
  needsAfterStart(context: GuestPlan): readonly Need[];

  /** Removes what belongs to a guest but would outlive it. */
  beforeDestroy(context: GuestDelete, found: FoundGuest): Promise<void>;
}
