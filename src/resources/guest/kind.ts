import type { Attributes, ConfigDraft, Families, Members, Need, RawConfig, Session, WiredAttribute } from "#kit";
import type { GuestAddress, Parameters as Request } from "#pve";
import type { GuestBase } from "./base.ts";
import type { LeavingSlot } from "./changes.ts";
import type {
  GuestChange,
  GuestCreate,
  GuestDelete,
  GuestDesired,
  GuestPlan,
  GuestRead,
  GuestSettle,
  GuestState,
  GuestUpdate,
} from "./context.ts";
import type { Fingerprint } from "./identity.ts";
import type { Archive } from "./lifecycle/archive.ts";
import type { FoundGuest } from "./lifecycle/find.ts";
import type { Source } from "./lifecycle/source.ts";
import type { Addresses } from "./outputs.ts";
import type { Change } from "./plan/checks/change.ts";
import type { Zones } from "./plan/needs/network-needs.ts";
import type { PrivilegedChange } from "./plan/privileges.ts";
import type { Privilege } from "./privileges.ts";

type PlannedKind = Parameters<Session["planned"]["add"]>[0];
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
  readonly kind: GuestKind;
  readonly before: ConfigDraft;
  /** Slots with one volume, for which another one waits. */
  readonly exchanged: readonly string[];
  readonly leaving: readonly LeavingSlot[];
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

/** The steps of a plan that only one kind has. */
export interface PlanSteps {
  /** Plans a guest from a source that only this kind has. Returns whether there is one. */
  planSource(context: GuestPlan, api: Session): Promise<boolean>;
  /** Runs before it is known whether anything changes. */
  begin(context: GuestPlan): void;
  /** Plans what follows from other changes. */
  adjust(context: GuestPlan): void;
  /** Refuses changes of settings that are fixed at creation. */
  checkFixed(context: GuestPlan, prior: GuestState): void;
  /** The planned settings, including write-only ones. */
  wanted(context: GuestPlan): Members;
  /** The settings in the state, in the same form. */
  past(context: GuestPlan, prior: GuestState): Members;
  /** Plans devices that no line configures and that another device takes the slot of. */
  planDisplaced(context: GuestPlan): void;
  /** Adjusts the predicted configuration of a change. */
  adjustDraft(context: GuestPlan, after: ConfigDraft): void;
  /** Predicts what is uploaded for the guest. Returns what that requires. */
  predictData(context: GuestPlan, api: Session, after: ConfigDraft): Promise<readonly Need[]>;
  /** Refuses what PVE would refuse during the apply. `leaving`: slots that are removed. */
  check(context: GuestPlan, api: Session, change: Change, leaving: readonly string[]): Promise<void>;
  /** The privilege on the guest that an option requires; null: only root@pam may set it, or it depends on the value. */
  privilegeOf(option: string): Privilege | null;
  /** The privileges that the settings and devices of a change require. */
  needsOf(context: GuestPlan, change: PrivilegedChange, zones: Zones): readonly Need[];
  /** Refuses what only root@pam may do. */
  refuseReserved(context: GuestPlan, api: Session, change: PrivilegedChange): void;
  /** Attributes of a new guest that PVE chooses. */
  unpredictable(context: GuestPlan, before: ConfigDraft, after: ConfigDraft): readonly string[];
  /** Runs after inherited values are filled in. */
  afterFill(context: GuestPlan, after: ConfigDraft): void;
}

/** How a guest is made from a backup. */
export interface RestoreSteps {
  /** The type of the task. */
  readonly task: string;
  /** The configuration that the guest starts with. `wanted`: what is configured, or the desired state. */
  config(archive: Archive, wanted: object): RawConfig;
  /** Parameters of the call besides those that every kind has. */
  parameters(archive: Archive, desired: GuestDesired): Request;
  /** Options that only another call can set. */
  setLater(archive: Archive, desired: GuestDesired): Readonly<Record<string, string>>;
  /** Refuses and reports what only this kind has. */
  check(context: GuestPlan, api: Session, archive: Archive): void | Promise<void>;
}

/** What distinguishes VMs from containers. Everything else about guests is in this folder. */
export interface GuestKind extends GuestBase {
  /** The type in the ids of HA resources: `vm:101`. */
  readonly haType: "vm" | "ct";
  /** The command-line tool on a node. */
  readonly tool: "qm" | "pct";
  /** Types of the tasks, by which a lost answer is looked up. */
  readonly tasks: { readonly create: string; readonly clone: string };
  /** Attributes that say what a guest is made from, with the member that names it. Read only at creation. */
  readonly sources: readonly (readonly [attribute: string, member: string])[];
  /** Maps of volumes by slot, with the member that says what a volume is made from. Read only when the volume is created. */
  readonly volumeSources: readonly (readonly [map: string, member: string])[];
  /** How other resources refer to a guest that this plan creates. */
  readonly plannedAs: PlannedKind;
  /** Whether a running guest moves to another node without a restart. */
  readonly movesLive: boolean;
  /** The lock of a guest that PVE is still cloning. */
  readonly cloneLock: string;
  /** What a guest needs to be able to shut down, as the first half of a sentence. */
  readonly shutdownHint: string;

  readonly attributes: Attributes;
  /** Those of them that are options of the guest's configuration. */
  readonly settings: Readonly<Record<string, WiredAttribute>>;
  /** The option that holds the name. */
  readonly nameOption: "name" | "hostname";
  readonly families: {
    /** Slots whose value names a volume. */
    readonly volumes: Families;
    readonly networks: Families;
    /** Devices that a clone inherits. */
    readonly inherited: Families;
    /** Slots of volumes that are kept but not attached. */
    readonly unused: Families;
  };
  /** The slot that every guest has; null: there is none. */
  readonly permanentSlot: string | null;
  /** The content type of the guest's volumes on a storage. */
  readonly volumeContent: string;
  /** The attribute that is a map of volumes by slot. */
  readonly volumeMap: string;
  /** Attributes that hold one volume, with its slot. */
  readonly namedVolumes: readonly (readonly [attribute: string, slot: string])[];
  /** The volumes of a configuration, a plan or a state. */
  volumesIn(tree: object): readonly VolumeIn[];
  /** The volume in a slot, such as `local-lvm:vm-101-disk-0`. */
  volumeAt(draft: ConfigDraft, slot: string): string;
  /** Removes a slot, and the options that belong to it. */
  removeSlot(draft: ConfigDraft, slot: string): void;
  /** MAC addresses of the network cards, by slot. */
  macAddresses(draft: ConfigDraft): Readonly<Record<string, string>>;
  /** The attributes that the options belong to, for messages. The first draft that has a slot shows what it holds. */
  attributesOf(options: readonly string[], ...drafts: readonly ConfigDraft[]): string;

  /** A configuration of this kind, to be read and changed. */
  draft(api: Session, config: RawConfig): ConfigDraft;
  /** What distinguishes a guest from another one that has its VMID. */
  fingerprint(options: RawConfig): Fingerprint;

  /** Whether an option is set only after the guest exists. */
  isSetLater(option: string, created: { readonly draft: ConfigDraft; readonly desired: GuestDesired }): boolean;
  /** Parameters of a create and of a clone besides those that every kind has. */
  createParameters(desired: GuestDesired): Request;
  cloneParameters(desired: GuestDesired): Request;
  /** Whether PVE locks the source while it is cloned, so that clones of it run one after another. */
  locksSource(source: Source): boolean;
  /** The configuration that a clone starts with. `storage`: where its volumes are copied to. */
  clonedConfig(source: Source, storage: string | null | undefined): RawConfig;
  readonly restore: RestoreSteps;
  /** The options that the call creates a guest with that is no copy, besides those that are configured. */
  /** The settings of a new guest, where PVE or its source has fixed what the configuration leaves open: that stays. */
  keepPinned(desired: GuestDesired, present: ConfigDraft): GuestDesired;
  newConfig(context: GuestCreate, node: string): Promise<RawConfig>;
  /** The configuration of such a guest without what is configured. */
  startConfig(context: GuestCreate, node: string): Promise<RawConfig>;
  /** The same where nothing is imported. */
  readonly emptyConfig: RawConfig;
  /** Runs the call that creates or clones a guest; may remove an obstacle and run it again. */
  attemptCreate<T>(
    context: GuestCreate,
    guest: GuestAddress,
    volumes: { readonly storages: readonly string[]; readonly draft: ConfigDraft },
    create: () => Promise<T>,
  ): Promise<T>;

  /** Sends the first configuration of a new guest. Returns it as it will be. */
  configureNew(
    context: GuestSettle,
    guest: GuestAddress,
    change: { readonly isRunning: boolean; readonly edit: (draft: ConfigDraft) => void },
  ): Promise<ConfigDraft>;
  /** Runs after the first configuration. Returns the guest's configuration with the sizes of its volumes. */
  afterConfigure(context: GuestSettle, guest: GuestAddress, draft: ConfigDraft): Promise<ConfigDraft>;
  /** Removes what keeps a guest on its node. Returns its configuration after that. */
  beforeMigrate(context: GuestChange, guest: GuestAddress, draft: ConfigDraft): Promise<ConfigDraft>;
  /** Completes a new guest on its own node. */
  afterPlacement(
    context: GuestSettle,
    guest: GuestAddress,
    made: { readonly draft: ConfigDraft; readonly isRunning: boolean; readonly isFresh: boolean },
  ): Promise<void>;
  /** Waits for the addresses of a started guest, if that is configured. Null: it is not, or there are none. */
  awaitAddresses(context: GuestChange, guest: GuestAddress, draft: ConfigDraft): Promise<Addresses | null>;

  /** The settings that an update changes. */
  changedSettings(context: GuestUpdate): Members;
  /** Changes settings and volumes. Returns the new configuration, and options that the guest reads when it boots. */
  change(
    context: GuestUpdate,
    guest: GuestAddress,
    starting: {
      readonly before: ConfigDraft;
      readonly leaving: readonly LeavingSlot[];
      /** Options that PVE shows although the next start removes them. */
      readonly removed: readonly string[];
      readonly isRunning: boolean;
    },
  ): Promise<{ readonly draft: ConfigDraft; readonly unread: readonly string[] }>;
  /** The settings and outputs of a guest, as a read returns them. `addresses`: as the operation before found them. */
  describe(
    context: GuestRead,
    place: GuestAddress & { readonly status: string },
    draft: ConfigDraft,
    addresses: Addresses | undefined,
  ): Promise<object>;

  readonly plan: PlanSteps;
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
