/**
 * Where Terraform's semantics and the Proxmox VE client meet. Resources import this layer and nothing else of ours: the
 * builders of schemas, the wires between attributes and PVE's options, the session a provider block opens.
 */
export {
  type ActionContext,
  AlreadyReported,
  type Attributes,
  type Awaitable,
  type BeforeContext,
  bool,
  type ChangeContext,
  type ConditionalReplacement,
  type Config,
  type CreateContext,
  Created,
  type DeleteContext,
  type Desired,
  dynamic,
  Failure,
  type ImportContext,
  int,
  isOneOf,
  type Json,
  type LeavingKey,
  type ListContext,
  type Listed,
  type Logger,
  lengthBetween,
  list,
  type MoveContext,
  type MoveDefinition,
  map,
  matches,
  nested,
  nullable,
  number,
  type Observed,
  object,
  oneOf,
  type Path,
  type PathLike,
  type PlanContext,
  type PlanDeleteContext,
  type Planned,
  parseDuration,
  type ReadContext,
  type Report,
  type SettleContext,
  type State,
  set,
  string,
  type Type,
  timeouts,
  type UpdateContext,
  type ValidateContext,
} from "#framework";
export { quote } from "../text/quote.ts";
export { activeStorages } from "./active-storages.ts";
export { Activity } from "./activity.ts";
export { withAftermath } from "./aftermath.ts";
export { alreadyExists } from "./already-exists.ts";
export { type Attachment, attachmentsOf } from "./attachments.ts";
export { certificateFacts, customOf, factsOf } from "./certificate-facts.ts";
export { clusterIdentity, warnOfFailOver } from "./cluster-identity.ts";
export {
  type CollectionCall,
  type CollectionDefinition,
  type CollectionSource,
  defineCollection,
  shown,
} from "./collection.ts";
export { type Computed, computed } from "./computed.ts";
export { type BegunCreate, CreateNotes } from "./create-notes.ts";
export { createOnce } from "./create-once.ts";
export { base64Map, base64Text } from "./crud/base64.ts";
export { defineCrud } from "./crud/define-crud.ts";
export { defineSettings } from "./crud/define-settings.ts";
export type { CrudDefinition } from "./crud/definition.ts";
export { each } from "./crud/each.ts";
export { type Grants, grantsFor } from "./crud/grants.ts";
export { listObjects } from "./crud/list-objects.ts";
export { ObjectModel } from "./crud/object-model.ts";
export { oneAtATime } from "./crud/one-at-a-time.ts";
export { awaitReferrals } from "./crud/referrals.ts";
export { disabled } from "./crud/switches.ts";
export {
  defineAction,
  defineDataSource,
  defineEphemeral,
  defineFunction,
  defineListResource,
  defineProvider,
  defineResource,
} from "./define.ts";
export { removeAfterOthers } from "./departures.ts";
export { afterDestroyData } from "./destroy-data.ts";
export { diagnose } from "./diagnose.ts";
export { growAttached, growLoose, needsToGrow } from "./disk-grower.ts";
export { emailAddress, emailOrUser } from "./email.ts";
export { enumerate } from "./enumerate.ts";
export {
  type FileContent,
  type FilePlace,
  fileContents,
  normalName,
  parseFileVolume,
  volumeIdOf,
  whyUnfit,
} from "./files/file-name.ts";
export { bytesIn, type FileId, type FileWork, findFile, isLost, type ListFiles } from "./files/find-file.ts";
export { type FileToSend, inMemory, sendFile } from "./files/send-file.ts";
export { found } from "./found.ts";
export { glob } from "./glob.ts";
export {
  findSnapshot,
  isComplete,
  type LocatedGuest,
  listSnapshots,
  removeSnapshot,
  takeSnapshot,
} from "./guest-snapshots.ts";
export { onlyGrantable, privilegesOfHost, rolesOf } from "./host-privileges.ts";
export { cidr, location, remark } from "./host-values.ts";
export { inOrder } from "./in-order.ts";
export { takeOutFirst } from "./in-use.ts";
export { derived, group, inherits, slotted } from "./inherits.ts";
export { listed, listQuestion } from "./listed.ts";
export { findHidden, locateGuest } from "./locate-guest.ts";
export { ManagedObjects } from "./managed-objects.ts";
export { LegacyState } from "./moves/legacy-state.ts";
export { bpg, movesFrom, onlyIf, opposite, type Predecessor, telmate } from "./moves/predecessor.ts";
export { alternatives, nearNames } from "./near-names.ts";
export { getNode, nodesToAsk, notImportable } from "./nodes-to-ask.ts";
export { privateFolder } from "./notes-folder.ts";
export { oncePerRun, oncePerRunFor } from "./once-per-run.ts";
export { passedOn } from "./passed-on.ts";
export { isGranted, type Need, type Permissions } from "./permissions.ts";
export { persistentDisks } from "./persistent-disks.ts";
export {
  beyondAscii,
  beyondLatin,
  latinLine,
  line,
  notEmpty,
  notEmptyIfGiven,
  oneLine,
  plainLine,
} from "./plain-line.ts";
export { planNoteOf } from "./plan-note.ts";
export { PlannedObjects } from "./planned-objects.ts";
export { canAudit, checkPrivileges, permissionsOf, permissionsToCheck } from "./privileges.ts";
export { proveLost } from "./prove-lost.ts";
export { provenTask, repeatableTask, repeatableWrite } from "./proven-task.ts";
export { provenWrite, withDigest } from "./proven-write.ts";
export { prune, validatePrune } from "./prune.ts";
export { isPveError } from "./pve-error.ts";
export { type Grant, type Grantees, grantCommands, roleFor } from "./pveum.ts";
export { reachCluster } from "./reach.ts";
export { awaitReference, checkReference, isProvenMissing, missing, notFound } from "./references.ts";
export { findReservation, watchReservation } from "./reserved-vmid.ts";
export { schedule } from "./schedule.ts";
export { openSession, type Session, type SessionSettings } from "./session.ts";
export { showGuest } from "./show-guest.ts";
export { bytesOf, faultOfSize, mebibytes, size, sizeOf } from "./size.ts";
export { stagedAttributes } from "./staged/attributes.ts";
export type { StagedChange } from "./staged/group-commit.ts";
export { bondModes } from "./staged/interface-meaning.ts";
export { listedNetwork, stagedIn } from "./staged/listed-network.ts";
export { LockNote } from "./staged/lock-note.ts";
export {
  type CommitContext,
  type CommitResult,
  type IsOwn,
  networkScope,
  type StagedScope,
  whyKept,
} from "./staged/scope.ts";
export type { StagedState } from "./staged/staged-lines.ts";
export { announceChange, announcedWith, checkStaged, commitStaged, endStaged } from "./staged/staging.ts";
export { step } from "./step.ts";
export { isSharedStorage, storagePlaces } from "./storage-places.ts";
export type { Subcategory } from "./subcategory.ts";
export { attributesInUse, pathOfOption } from "./subject.ts";
export { runTask, showingLog, within } from "./task-log.ts";
export { explainTaskWarnings } from "./task-warnings.ts";
export { zoneFault } from "./time-zone.ts";
export { timestamp } from "./timestamp.ts";
export { trackCreate } from "./track-create.ts";
export { userConfigText } from "./user-config-text.ts";
export { parseVolumeId } from "./volume-id.ts";
export { ConfigDraft, type ConfigPatch, type RawConfig } from "./wire/config-draft.ts";
export { describeFamilies, type Families, familyOf, isSlot, numberOf } from "./wire/slot.ts";
export {
  type CustomWire,
  keepSpelling,
  type Members,
  parseWired,
  patchWired,
  type SlotMap,
  slotsIn,
  type WiredAttribute,
  wiresOf,
} from "./wire/wired.ts";
