import type { Diagnostic, Path } from "./diagnostics.ts";

/**
 * All requests that Terraform may send to a provider, in framework terms. `plugin/` translates protobuf into these
 * calls and back and decides nothing; the framework uses neither protobuf nor sockets.
 *
 * Every method resolves: an ordinary failure is a diagnostic, and so is a bug in the provider. If a promise is
 * rejected, the transport must respond with a gRPC error, which users cannot act upon.
 */
export interface ProviderServer {
  getMetadata(): Promise<Metadata>;
  getProviderSchema(): Promise<ProviderSchema>;
  getResourceIdentitySchemas(): Promise<{ identitySchemas: Record<string, IdentitySchema>; diagnostics: Diagnostic[] }>;
  getFunctions(): Promise<{ functions: Record<string, FunctionSchema>; diagnostics: Diagnostic[] }>;

  validateProviderConfig(request: { config: DynamicValue }): Promise<Diagnosed>;
  configureProvider(request: {
    terraformVersion: string;
    config: DynamicValue;
    clientCapabilities: ClientCapabilities;
  }): Promise<Diagnosed>;

  validateResourceConfig(request: ValidateRequest & { clientCapabilities: ClientCapabilities }): Promise<Diagnosed>;
  upgradeResourceState(request: UpgradeRequest): Promise<Diagnosed & { upgradedState?: DynamicValue }>;
  upgradeResourceIdentity(request: UpgradeRequest): Promise<Diagnosed & { upgradedIdentity?: DynamicValue }>;
  readResource(request: ReadResourceRequest): Promise<ReadResourceResponse>;
  planResourceChange(request: PlanRequest): Promise<PlanResponse>;
  applyResourceChange(request: ApplyRequest): Promise<ApplyResponse>;
  importResourceState(request: ImportRequest): Promise<ImportResponse>;
  moveResourceState(request: MoveRequest): Promise<MoveResponse>;
  generateResourceConfig(request: {
    typeName: string;
    state: DynamicValue;
  }): Promise<Diagnosed & { config?: DynamicValue }>;

  validateDataResourceConfig(request: ValidateRequest): Promise<Diagnosed>;
  readDataSource(
    request: ReadDataSourceRequest,
  ): Promise<Diagnosed & { state?: DynamicValue; deferred?: DeferredReason }>;

  callFunction(request: { name: string; arguments: DynamicValue[] }): Promise<CallFunctionResponse>;

  validateEphemeralResourceConfig(request: ValidateRequest): Promise<Diagnosed>;
  openEphemeralResource(request: OpenEphemeralRequest): Promise<OpenEphemeralResponse>;
  renewEphemeralResource(request: EphemeralHandle): Promise<Diagnosed & { renewAt?: Date; private?: Uint8Array }>;
  closeEphemeralResource(request: EphemeralHandle): Promise<Diagnosed>;

  validateListResourceConfig(request: ValidateRequest): Promise<Diagnosed>;
  listResource(request: ListRequest, signal: AbortSignal): AsyncIterable<ListEvent>;

  validateActionConfig(request: ValidateRequest): Promise<Diagnosed>;
  planAction(request: ActionRequest): Promise<Diagnosed & { deferred?: DeferredReason }>;
  invokeAction(request: ActionRequest, signal: AbortSignal): AsyncIterable<ActionEvent>;

  /** Ctrl-C: aborts the one signal that every call in flight uses. Resolves to "" or to the reason why it failed. */
  stop(): Promise<string>;

  /** Nothing follows: completes or releases what is still held. */
  end?(): Promise<void>;
}

/** A value in Terraform's own encoding. The sender sets exactly one of the two; readers accept both. */
export interface DynamicValue {
  msgpack?: Uint8Array;
  json?: Uint8Array;
}

export interface RawState {
  json?: Uint8Array;
  /** Only states older than Terraform 0.12 have this form; the framework refuses it with a diagnostic. */
  flatmap?: Record<string, string>;
}

export interface ClientCapabilities {
  deferralAllowed: boolean;
  writeOnlyAttributesAllowed: boolean;
  storePlannedPrivate: boolean;
  computedBlocksAllowed: boolean;
}

export type DeferredReason = "resource_config_unknown" | "provider_config_unknown" | "absent_prereq";

export interface Diagnosed {
  diagnostics: Diagnostic[];
}

export interface ValidateRequest {
  typeName: string;
  config: DynamicValue;
}

export interface UpgradeRequest {
  typeName: string;
  version: number;
  raw: RawState;
}

export interface ReadResourceRequest {
  typeName: string;
  currentState: DynamicValue;
  private: Uint8Array;
  clientCapabilities: ClientCapabilities;
  currentIdentity?: DynamicValue;
}

export interface ReadResourceResponse extends Diagnosed {
  newState?: DynamicValue;
  private: Uint8Array;
  deferred?: DeferredReason;
  newIdentity?: DynamicValue;
}

export interface PlanRequest {
  typeName: string;
  priorState: DynamicValue;
  proposedNewState: DynamicValue;
  config: DynamicValue;
  priorPrivate: Uint8Array;
  plannedPrivate: Uint8Array;
  clientCapabilities: ClientCapabilities;
  priorIdentity?: DynamicValue;
}

export interface PlanResponse extends Diagnosed {
  plannedState?: DynamicValue;
  requiresReplace: Path[];
  plannedPrivate: Uint8Array;
  deferred?: DeferredReason;
  plannedIdentity?: DynamicValue;
}

export interface ApplyRequest {
  typeName: string;
  priorState: DynamicValue;
  plannedState: DynamicValue;
  config: DynamicValue;
  plannedPrivate: Uint8Array;
  plannedIdentity?: DynamicValue;
}

export interface ApplyResponse extends Diagnosed {
  newState?: DynamicValue;
  private: Uint8Array;
  newIdentity?: DynamicValue;
}

export interface ImportRequest {
  typeName: string;
  /** Either `id` or `identity` is set. */
  id: string;
  identity?: DynamicValue;
  clientCapabilities: ClientCapabilities;
}

export interface ImportResponse extends Diagnosed {
  imported: { typeName: string; state: DynamicValue; private: Uint8Array; identity?: DynamicValue }[];
  deferred?: DeferredReason;
}

export interface MoveRequest {
  sourceProviderAddress: string;
  sourceTypeName: string;
  sourceSchemaVersion: number;
  sourceState: RawState;
  sourcePrivate: Uint8Array;
  targetTypeName: string;
  sourceIdentity?: RawState;
}

export interface MoveResponse extends Diagnosed {
  targetState?: DynamicValue;
  targetPrivate: Uint8Array;
  targetIdentity?: DynamicValue;
}

export interface ReadDataSourceRequest {
  typeName: string;
  config: DynamicValue;
  clientCapabilities: ClientCapabilities;
}

export interface CallFunctionResponse {
  result?: DynamicValue;
  error?: { text: string; argument?: number };
}

export interface OpenEphemeralRequest {
  typeName: string;
  config: DynamicValue;
  clientCapabilities: ClientCapabilities;
}

export interface OpenEphemeralResponse extends Diagnosed {
  result?: DynamicValue;
  renewAt?: Date;
  private?: Uint8Array;
  deferred?: DeferredReason;
}

export interface EphemeralHandle {
  typeName: string;
  private: Uint8Array;
}

export interface ListRequest {
  typeName: string;
  config: DynamicValue;
  includeResourceObject: boolean;
  limit: number;
}

export interface ListEvent {
  identity?: DynamicValue;
  displayName: string;
  resourceObject?: DynamicValue;
  diagnostics: Diagnostic[];
}

export interface ActionRequest {
  typeName: string;
  config: DynamicValue;
  clientCapabilities: ClientCapabilities;
}

export type ActionEvent = { progress: string } | { completed: Diagnostic[] };

export interface ServerCapabilities {
  planDestroy: boolean;
  getProviderSchemaOptional: boolean;
  moveResourceState: boolean;
  generateResourceConfig: boolean;
}

export interface Metadata extends Diagnosed {
  serverCapabilities: ServerCapabilities;
  dataSources: string[];
  resources: string[];
  functions: string[];
  ephemeralResources: string[];
  listResources: string[];
  actions: string[];
}

export interface ProviderSchema extends Diagnosed {
  serverCapabilities: ServerCapabilities;
  provider: Schema;
  resources: Record<string, Schema>;
  dataSources: Record<string, Schema>;
  functions: Record<string, FunctionSchema>;
  ephemeralResources: Record<string, Schema>;
  listResources: Record<string, Schema>;
  actions: Record<string, Schema>;
}

/** The schema of one resource, data source … as Terraform receives it; derived from the definition. */
export interface Schema {
  version: number;
  description: string;
  /** The group of its page in the documentation. Terraform does not use it. */
  subcategory?: string;
  deprecationMessage?: string;
  attributes: SchemaAttribute[];
  blocks: SchemaBlock[];
}

export interface SchemaAttribute {
  name: string;
  /** cty type in JSON form (`"string"`, `["list","number"]` …); absent when `nested` is set. */
  type?: CtyType;
  nested?: SchemaNesting;
  description: string;
  required: boolean;
  optional: boolean;
  computed: boolean;
  sensitive: boolean;
  writeOnly: boolean;
  /** Whether a value that is there was set by a user, although it need not be configured. Terraform does not receive this. */
  settable?: boolean;
  deprecationMessage?: string;
}

export interface SchemaNesting {
  nesting: "single" | "list" | "set" | "map";
  attributes: SchemaAttribute[];
  /** Whether an object in which nothing is set is no mistake. Terraform does not receive this. */
  mayBeEmpty?: boolean;
}

export interface SchemaBlock {
  name: string;
  nesting: "single" | "list" | "set" | "map" | "group";
  minItems: number;
  maxItems: number;
  block: Omit<Schema, "version">;
}

export type CtyType = string | readonly [string, CtyType | Record<string, CtyType> | CtyType[], ...unknown[]];

export interface IdentitySchema {
  version: number;
  attributes: {
    name: string;
    type: CtyType;
    requiredForImport: boolean;
    optionalForImport: boolean;
    description: string;
  }[];
}

export interface FunctionSchema {
  parameters: FunctionParameter[];
  variadicParameter?: FunctionParameter;
  returnType: CtyType;
  summary: string;
  description: string;
  deprecationMessage?: string;
}

export interface FunctionParameter {
  name: string;
  type: CtyType;
  allowNull: boolean;
  allowUnknown: boolean;
  description: string;
}
