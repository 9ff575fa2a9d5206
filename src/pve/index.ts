/**
 * A typed client of the Proxmox VE 9 API, published as `terraform-provider-proxmox/client`. Start with `createClient`.
 * The exports of this file are stable; everything else may change.
 */
export type { AclEntry, AclKey } from "./access/acl.ts";
export type { Role } from "./access/roles.ts";
export type { SecondFactor } from "./access/tfa.ts";
export type { Token, TokenId, TokenValues } from "./access/tokens.ts";
export type { User, UserValues } from "./access/users.ts";
export type { Permissions } from "./access.ts";
export type { CallOptions } from "./api.ts";
export type { AptEntry, AptRepositories } from "./apt.ts";
export type { Credentials } from "./auth/credentials.ts";
export type { Certificate } from "./certificates.ts";
export { type ClientOptions, createClient, type PveClient } from "./client.ts";
export type { ClusterMember, GuestResource, NodeResource, PveVersion, StorageResource } from "./cluster.ts";
export { parseDuration, settingsFromEnvironment } from "./environment.ts";
export {
  errorKinds,
  isPveError,
  type LockHeld,
  type MissingPrivilege,
  orNull,
  PveError,
  type PveErrorDetails,
  type PveErrorKind,
} from "./errors.ts";
export type {
  FirewallPlace,
  FirewallReference,
  FirewallRule,
  FirewallRuleCalls,
  FirewallSetCalls,
  FirewallSetEntry,
} from "./firewall.ts";
export type { HaResource, HaRule } from "./ha.ts";
export type { ClusterSnapshot, GuestType, InventoryGuest } from "./inventory/cluster-view.ts";
export { type Inventory, showVm } from "./inventory/inventory.ts";
export { type LogFields, type Logger, silentLogger } from "./logger.ts";
export type { ContainerInterface, ContainerStatus, ListedContainer } from "./lxc.ts";
export type { Mapping, MappingValues } from "./mappings.ts";
export type { NetworkInterface } from "./network.ts";
export type { DiskUse, NodeDisk } from "./node-disks.ts";
export type { ListedNode, NodeStatus } from "./nodes.ts";
export type { ConfigObject, ObjectCalls, ObjectPaths } from "./objects.ts";
export type { CloneCalls, Cloned, CloneOperation, Operation, Operations } from "./operations.ts";
export { type Mark, markInConfig, type Outcome, type WriteTrace } from "./outcome.ts";
export type { ListedPool, Pool } from "./pools.ts";
export { containerCodecOf, containerCodecs, type PackedContainerOption } from "./properties/container.ts";
export type { EfiDisk, IdeDrive, SataDrive, ScsiDrive, TpmState, VirtioDrive } from "./properties/drives.ts";
export type { ListCodec, ListString } from "./properties/list-string.ts";
export type { Agent, Cpu, Machine, Smbios, Vga } from "./properties/machine.ts";
export type { IpConfig, Net } from "./properties/network.ts";
export {
  codecOf,
  optionCodecs,
  type PackedOption,
  parseSlot,
  type SlotFamily,
} from "./properties/option-codecs.ts";
export type { HostPci, Usb, Virtiofs } from "./properties/passthrough.ts";
export type { Changes, PropertyCodec, PropertyString, ValuesOf } from "./properties/property-string.ts";
export type {
  CloneRequest,
  ConfigChange,
  GuestAddress,
  GuestConfig,
  ListedVm,
  PendingOption,
  VmStatus,
} from "./qemu.ts";
export type { GuestInterface, GuestProgramStatus } from "./qemu-agent.ts";
export type { MigrationCheck } from "./qemu-migration.ts";
export type { Snapshot } from "./qemu-snapshots.ts";
export { type RetryPolicy, retry } from "./retry.ts";
export type { PendingObject } from "./sdn.ts";
export {
  type ClientSettings,
  mergeSettings,
  parseEndpoint,
  type ResolvedSettings,
  resolveSettings,
} from "./settings.ts";
export {
  isAgentSilent,
  isCloudInitDriveInTheWay,
  isForcedStop,
  isOfThatSize,
  isOnlyDelayed,
  isOutdated,
  isReservedForRoot,
  isShutdownTimeout,
  isUsedByClones,
  readLeftVolume,
  readMissingVolume,
} from "./single-texts.ts";
export { parseSize, printSize } from "./size.ts";
export { containerSlotLimits, slotLimits } from "./slots.ts";
export type { DownloadRequest, StorageDefinition, StorageStatus, Volume } from "./storage.ts";
export type { ListedTask, TaskFilter, TaskStatus } from "./tasks.ts";
export type { Appliance } from "./templates.ts";
export { authoritiesOfThisMachine } from "./transport/authorities.ts";
export type { Parameters, Repeated, Scalar, Upload } from "./transport/call.ts";
export { normaliseFingerprint, readPem } from "./transport/tls.ts";
export { parseUpid, type Upid } from "./upid.ts";
export { parseVolumeId, type VolumeId } from "./volume-id.ts";
export type { TaskResult } from "./watch/task-result.ts";
export type { TaskWatch, WaitOptions } from "./watch/task-watch.ts";
export { type TaskFate, WaitAborted } from "./watch/wait-aborted.ts";
