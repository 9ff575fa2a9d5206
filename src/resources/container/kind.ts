import type { Members } from "#kit";
import { addressOf } from "../guest/address.ts";
import { sourcesIn, volumeSourcesIn } from "../guest/attributes.ts";
import type { GuestKind } from "../guest/kind.ts";
import { configure } from "../guest/lifecycle/configure.ts";
import { configOf } from "../guest/lifecycle/known.ts";
import { planAddresses } from "../guest/plan/plan-addresses.ts";
import { attributes, settings } from "./attributes.ts";
import { containerBase } from "./base.ts";
import type { ContainerChange, ContainerDesired, ContainerRead, ContainerUpdate } from "./contexts.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { awaitAddresses, describeRead, isWaitedFor } from "./lifecycle/addresses.ts";
import { changeContainer, changedSettings } from "./lifecycle/change.ts";
import { createParameters, isSetLater } from "./lifecycle/create.ts";
import { takesEffectLive } from "./live-changes.ts";
import { attributesOf } from "./option-names.ts";
import { configuredAddresses, macAddresses } from "./outputs.ts";
import { containerPlanSteps } from "./plan/plan-steps.ts";
import { clonedConfig, emptyConfig } from "./plan/predict.ts";
import { takeBackRequests } from "./requests.ts";
import { containerRestore } from "./restore.ts";
import { families, type MountTree, mountsIn, volumeAt } from "./slots.ts";
import { stopReasons } from "./stop-reasons.ts";

/** LXC containers. */
export const containerKind: GuestKind = {
  ...containerBase,
  haType: "ct",
  tool: "pct",
  tasks: { create: "vzcreate", clone: "vzclone" },
  sources: sourcesIn(attributes),
  volumeSources: volumeSourcesIn(attributes),
  plannedAs: "container",
  movesLive: false,
  cloneLock: "create",
  shutdownHint: "Its init process has to obey the signal to shut down;",

  attributes,
  settings,
  nameOption: "hostname",
  families,
  permanentSlot: "rootfs",
  volumeMap: "mounts",
  volumeContent: "rootdir",
  namedVolumes: [],
  volumesIn: (tree: MountTree) => mountsIn(tree),
  volumeAt,
  macAddresses,
  attributesOf,
  removeSlot: (draft, slot) => draft.set(slot, null),

  draft: (api, config) => api.containerDraft(config),
  fingerprint: fingerprintOf,

  isSetLater,
  createParameters: (desired) => createParameters(desired as ContainerDesired),
  cloneParameters({ name, clone }) {
    const isFull = clone?.full ?? (clone?.storage ? true : null);
    return { ...(name && { hostname: name }), ...(isFull !== null && { full: isFull }) };
  },
  locksSource: () => true,
  clonedConfig,
  restore: containerRestore,
  keepPinned: (desired) => desired,
  newConfig: async () => ({}),
  startConfig: async () => emptyConfig,
  emptyConfig,
  attemptCreate: (_, __, ___, create) => create(),

  plan: containerPlanSteps,
  takesEffectLive,
  unreadOptions: () => [],
  stopReasons,
  planAddresses: (context, after, power) =>
    planAddresses(context, after, power, { isAsked: isWaitedFor, configured: configuredAddresses }),
  needsAfterStart: () => [],

  configureNew: async (context, container, { edit }) =>
    (await configure(context, container, context.handover.config, edit)).draft,
  async afterConfigure({ kind, api, desired, signal }, container, draft) {
    const { mounts } = desired as ContainerDesired;
    const isOpen = Object.values(mounts ?? {}).some((mount) => mount.volume && mount.size);
    return isOpen
      ? kind.draft(api, (await api.lxc.getConfig(container, {}, { signal })).options)
      : kind.draft(api, draft.config);
  },
  // The container is restarted by it.
  async beforeMigrate(context, container, draft) {
    await takeBackRequests(context, container, await configOf(context, container));
    return draft;
  },
  afterPlacement: async () => {},
  awaitAddresses: (context, container) => awaitAddresses(context as ContainerChange, container),
  changedSettings: (context): Members => changedSettings(context as ContainerUpdate, []),
  change: (context, container, starting) => changeContainer(context as ContainerUpdate, container, starting),
  describe: (context, place, draft, addresses) => describeRead(context as ContainerRead, place, draft, addresses),

  beforeDestroy: (context, found) => takeBackRequests(context, addressOf(found), found.config),
};
