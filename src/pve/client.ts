import { type AccessCalls, accessCalls } from "./access.ts";
import { type Api, type CallOptions, createApi } from "./api.ts";
import { type AptCalls, aptCalls } from "./apt.ts";
import { identityOf, type PasswordCredentials, secretsOf } from "./auth/credentials.ts";
import type { Ticket } from "./auth/login.ts";
import type { OwnCredentials } from "./auth/own-credentials.ts";
import { type BackupCalls, backupCalls } from "./backup.ts";
import { type CertificateCalls, certificateCalls } from "./certificates.ts";
import { type ClusterCalls, clusterCalls } from "./cluster.ts";
import { type FirewallCalls, firewallCalls } from "./firewall.ts";
import { fileWriters } from "./guard/config-file.ts";
import { KnownGuests, type KnownReads } from "./guard/known-guests.ts";
import { SdnLock } from "./guard/sdn-lock.ts";
import { type HaCalls, haCalls } from "./ha.ts";
import { createInventory, type Inventory } from "./inventory/inventory.ts";
import { type Logger, silentLogger } from "./logger.ts";
import { containerConfig, type LxcCalls, lxcCalls } from "./lxc.ts";
import { type ContainerPowerCalls, containerPowerCalls } from "./lxc-power.ts";
import { type ContainerSnapshotCalls, containerSnapshotCalls } from "./lxc-snapshots.ts";
import { type MappingCalls, mappingCalls } from "./mappings.ts";
import { type NetworkCalls, networkCalls } from "./network.ts";
import { type NodeDiskCalls, nodeDiskCalls } from "./node-disks.ts";
import { type NodeCalls, nodeCalls } from "./nodes.ts";
import { type ConfigObject, collect, type ObjectCalls, type ObjectPaths, objectCalls } from "./objects.ts";
import { createOperations, type Operations } from "./operations.ts";
import { type Outcome, proveOutcome, type WriteTrace } from "./outcome.ts";
import { type PoolCalls, poolCalls } from "./pools.ts";
import { type QemuCalls, qemuCalls, vmConfig } from "./qemu.ts";
import { type AgentCalls, agentCalls } from "./qemu-agent.ts";
import { type DiskCalls, diskCalls } from "./qemu-disks.ts";
import { type MigrationCalls, migrationCalls } from "./qemu-migration.ts";
import { type PowerCalls, powerCalls } from "./qemu-power.ts";
import { type SnapshotCalls, snapshotCalls } from "./qemu-snapshots.ts";
import { type ReplicationCalls, replicationCalls } from "./replication.ts";
import { type SdnCalls, sdnCalls } from "./sdn.ts";
import type { ResolvedSettings } from "./settings.ts";
import { type StorageCalls, storageCalls } from "./storage.ts";
import { type TaskCalls, taskCalls } from "./tasks.ts";
import { type TemplateCalls, templateCalls } from "./templates.ts";
import type { Parameters } from "./transport/call.ts";
import { createTransport, type Transport } from "./transport/transport.ts";
import { createVmidAllocator, type VmidAllocator } from "./vmid.ts";
import { isWithin } from "./vmid-range.ts";
import { createTaskWatch, type TaskWatch } from "./watch/task-watch.ts";

/** Options that are not user settings. */
export interface ClientOptions {
  readonly logger?: Logger;
  readonly userAgent?: string;
  /** Receives every secret that the client has or obtains, so that a log can hide it everywhere. */
  readonly conceal?: (secret: string) => void;
  /**
   * Keeps what `inventory` has read even after this client has changed the cluster, until `inventory.forget()`. For callers that
   * make hundreds of changes and know which of them matter.
   */
  readonly keepInventory?: boolean;
  /** Receives the warnings in the log of each task of this client that has succeeded with warnings. */
  readonly onTaskWarnings?: (upid: string, lines: readonly string[]) => void;
}

/** A Proxmox VE cluster: the API by area, and the functions that make it reliable. */
export interface PveClient {
  readonly settings: ResolvedSettings;
  /** `user@realm` or `user@realm!token`. */
  readonly identity: string;

  readonly access: AccessCalls;
  readonly agent: AgentCalls;
  readonly backup: BackupCalls;
  readonly apt: AptCalls;
  readonly certificates: CertificateCalls;
  readonly cluster: ClusterCalls;
  readonly containerPower: ContainerPowerCalls;
  readonly containerSnapshots: ContainerSnapshotCalls;
  readonly disks: DiskCalls;
  readonly firewall: FirewallCalls;
  readonly ha: HaCalls;
  readonly lxc: LxcCalls & KnownReads;
  readonly mappings: MappingCalls;
  readonly migration: MigrationCalls;
  readonly network: NetworkCalls;
  readonly nodeDisks: NodeDiskCalls;
  readonly nodes: NodeCalls;
  /** Any list of the API, by its path: places and other parameters are given together. */
  collect(path: string, given: Parameters, options?: CallOptions): Promise<ConfigObject[]>;
  /** Any object of the configuration, by the file it is kept in and its paths. */
  objects(file: string, paths: ObjectPaths): ObjectCalls;
  readonly pools: PoolCalls;
  readonly power: PowerCalls;
  readonly qemu: QemuCalls & KnownReads;
  readonly sdn: SdnCalls;
  readonly replication: ReplicationCalls;
  readonly snapshots: SnapshotCalls;
  readonly storage: StorageCalls;
  readonly tasks: TaskCalls;
  readonly templates: TemplateCalls;

  readonly inventory: Inventory;
  readonly operations: Operations;
  readonly vmids: VmidAllocator;
  readonly watch: TaskWatch;
  /** The fingerprint of the cluster's authority; undefined with one endpoint only, or if it is not known. */
  clusterOfEndpoints(): string | undefined;
  /** The endpoint that has answered last. */
  endpointInUse(): string | undefined;
  /** Logs in as a user, besides what the client does itself. */
  login(credentials: PasswordCredentials): Promise<Ticket>;
  /** The server's clock in Unix seconds, for `proveOutcome`. */
  serverTime(): number;
  /** The result of a write whose response was lost. */
  proveOutcome(trace: WriteTrace): Promise<Outcome>;
  close(): Promise<void>;
}

/** How many times the task list is read for a write without a response. */
const looksForLostWrite = 5;

/**
 * A client of one cluster. It makes no call on its own: it logs in, and finds a reachable host, with the first one. It
 * keeps connections and watches tasks, so the caller must `close` it. Every call rejects with a `PveError`.
 */
export function createClient(settings: ResolvedSettings, options: ClientOptions = {}): PveClient {
  const { logger = silentLogger, userAgent = "terraform-provider-proxmox", conceal = () => {} } = options;
  const { keepInventory: keepsData = false } = options;
  const { credentials, locks, clones } = settings;
  for (const one of [credentials, settings.root]) if (one) secretsOf(one).forEach(conceal);
  warnOfInsecurity(settings, logger);
  const transport = createTransport({ ...settings, userAgent }, { logger, conceal });
  let changedAt = Number.NEGATIVE_INFINITY;
  const noteChange = () => {
    changedAt = performance.now();
  };
  const known = new KnownGuests();
  const api = createApi((call) => {
    if (call.method === "GET") return transport.send(call);
    known.wasCalled(call);
    return transport.send(call).finally(() => {
      noteChange();
      known.wasCalled(call);
    });
  });
  const identity = identityOf(credentials);
  const caller = credentials.kind === "token" ? "token" : "user";
  const finish = (upid: string, signal: AbortSignal | undefined) => watch.wait(upid, { signal });
  const sdnLock = new SdnLock();
  const changing = fileWriters(sdnLock.carriedBy(api), { settings: locks, logger, finish });
  const userConfig = changing("user.cfg");
  const access = accessCalls(userConfig, { conceal, own: transport.own, now: transport.serverTime });
  const qemu = known.remembering("qemu", qemuCalls(api), (options) => vmConfig.parse(options));
  const lxc = known.remembering("lxc", lxcCalls(api), (options) => containerConfig.parse(options));
  const [cluster, tasks] = [clusterCalls(api), taskCalls(api)];
  const watch = createTaskWatch(tasks, settings.tasks, logger, {
    onWarnings: options.onTaskWarnings,
    onEnd({ id }) {
      noteChange();
      known.wasChanged(id);
    },
  });
  const { pollMs, timeoutMs } = settings.tasks;
  const proof = { tasks, watch, identity, pauseMs: pollMs, graceMs: looksForLostWrite * pollMs, patienceMs: timeoutMs };
  return {
    settings: withOwn(settings, transport.own),
    identity,
    ...plainCalls(api),
    access,
    apt: aptCalls(changing("the package repositories")),
    cluster,
    firewall: firewallCalls(changing),
    ha: haCalls(changing("the HA configuration")),
    lxc,
    mappings: mappingCalls(changing("the mappings")),
    collect: (path, given, options) => collect(api, path, given, options),
    objects: (file, paths) => objectCalls(changing(file), paths),
    pools: poolCalls(userConfig),
    qemu,
    sdn: sdnCalls(changing("SDN"), sdnLock),
    replication: replicationCalls(changing("replication.cfg")),
    tasks,
    inventory: createInventory({ cluster, qemu, lxc, access, caller, changedAt: () => changedAt, keepsData }),
    operations: createOperations({ qemu, tasks, watch, locks, clones, logger }),
    vmids: createVmidAllocator(cluster, logger, (vmid) => isWithin(settings.diskOwners, vmid)),
    watch,
    ...connectionOf(transport),
    proveOutcome: (trace) => proveOutcome(trace, proof),
  };
}

const connectionOf = ({ serverTime, cluster, endpoint, login, close }: Transport) => ({
  serverTime,
  clusterOfEndpoints: cluster,
  endpointInUse: endpoint,
  login,
  close,
});

/** The settings with the credentials that are in use. */
const withOwn = (settings: ResolvedSettings, own: OwnCredentials): ResolvedSettings => ({
  ...settings,
  get credentials() {
    return own.current;
  },
});

function warnOfInsecurity({ tls }: ResolvedSettings, logger: Logger): void {
  if (tls.isInsecure && tls.fingerprint === undefined)
    logger.warn("the server's certificate is not verified: an attacker on the network can read the credentials");
}

/** Areas whose calls need nothing but the connection. */
const plainCalls = (api: Api) => ({
  agent: agentCalls(api),
  backup: backupCalls(api),
  certificates: certificateCalls(api),
  containerPower: containerPowerCalls(api),
  containerSnapshots: containerSnapshotCalls(api),
  disks: diskCalls(api),
  migration: migrationCalls(api),
  network: networkCalls(api),
  nodeDisks: nodeDiskCalls(api),
  nodes: nodeCalls(api),
  power: powerCalls(api),
  snapshots: snapshotCalls(api),
  storage: storageCalls(api),
  templates: templateCalls(api),
});
