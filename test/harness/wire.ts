import { join } from "node:path";
import { type ChannelCredentials, Client, type ClientReadableStream, credentials } from "@grpc/grpc-js";
import { loadSync, type MethodDefinition, type PackageDefinition } from "@grpc/proto-loader";

/**
 * Terraform's side of the protocol, read from the `.proto` files by an implementation that shares nothing with ours.
 * Only the fields the harness looks at are typed.
 */
export interface Calls {
  GetProviderSchema: [Empty, SchemaResponse];
  GetMetadata: [Empty, Record<string, unknown>];
  GetFunctions: [Empty, { functions: Record<string, unknown> }];
  GetResourceIdentitySchemas: [Empty, { identity_schemas: Record<string, WireIdentitySchema> } & Diagnosed];
  ValidateProviderConfig: [{ config: WireValue }, Diagnosed];
  ConfigureProvider: [{ terraform_version: string; config: WireValue; client_capabilities: Capabilities }, Diagnosed];
  ValidateResourceConfig: [{ type_name: string; config: WireValue; client_capabilities: Capabilities }, Diagnosed];
  ValidateDataResourceConfig: [{ type_name: string; config: WireValue }, Diagnosed];
  UpgradeResourceState: [
    { type_name: string; version: number; raw_state: { json: Uint8Array } },
    { upgraded_state: WireValue | null } & Diagnosed,
  ];
  ReadResource: [ReadRequest, ReadResponse];
  PlanResourceChange: [PlanRequest, PlanResponse];
  ApplyResourceChange: [ApplyRequest, ApplyResponse];
  ImportResourceState: [
    { type_name: string; id?: string; identity?: WireIdentity; client_capabilities: Capabilities },
    { imported_resources: ImportedResource[] } & Diagnosed,
  ];
  MoveResourceState: [MoveRequest, MoveResponse];
  ReadDataSource: [{ type_name: string; config: WireValue }, { state: WireValue | null } & Diagnosed];
  GenerateResourceConfig: [{ type_name: string; state: WireValue }, { config: WireValue | null } & Diagnosed];
  CallFunction: [
    { name: string; arguments: WireValue[] },
    { result: WireValue | null; error: { text: string; function_argument?: string } | null },
  ];
  ValidateEphemeralResourceConfig: [{ type_name: string; config: WireValue }, Diagnosed];
  OpenEphemeralResource: [
    { type_name: string; config: WireValue },
    { result: WireValue | null; private?: Uint8Array } & Diagnosed,
  ];
  RenewEphemeralResource: [{ type_name: string; private: Uint8Array }, { private?: Uint8Array } & Diagnosed];
  CloseEphemeralResource: [{ type_name: string; private: Uint8Array }, Diagnosed];
  StopProvider: [Empty, { Error: string }];
}

/** The calls that answer with several messages. */
export interface Streams {
  ListResource: [
    { type_name: string; config: WireValue; include_resource_object: boolean; limit: number },
    { identity: WireIdentity; display_name: string; resource_object?: WireValue; diagnostic: WireDiagnostic[] },
  ];
  InvokeAction: [
    { action_type: string; config: WireValue; client_capabilities: Capabilities },
    { progress?: { message: string }; completed?: Diagnosed },
  ];
}

export type Empty = Record<string, never>;
export interface Diagnosed {
  diagnostics: WireDiagnostic[];
}
export interface WireDiagnostic {
  severity: "ERROR" | "WARNING";
  summary: string;
  detail: string;
  attribute: WirePath | null;
}
export interface WirePath {
  steps: { attribute_name?: string; element_key_string?: string; element_key_int?: string }[];
}
export interface WireValue {
  msgpack: Uint8Array;
  json?: Uint8Array;
}
export interface WireIdentity {
  identity_data: WireValue;
}
export interface WireIdentitySchema {
  version: string;
  identity_attributes: { name: string; type: Uint8Array; required_for_import: boolean }[];
}
export interface Capabilities {
  write_only_attributes_allowed: boolean;
}

interface SchemaResponse extends Diagnosed {
  provider: WireSchema;
  resource_schemas: Record<string, WireSchema>;
  data_source_schemas: Record<string, WireSchema>;
  ephemeral_resource_schemas: Record<string, WireSchema>;
  list_resource_schemas: Record<string, WireSchema>;
  action_schemas: Record<string, { schema: WireSchema }>;
  functions: Record<string, WireFunction>;
  server_capabilities: Record<string, boolean>;
}
export interface WireFunction {
  parameters: { name: string; type: Uint8Array }[];
  variadic_parameter: { name: string; type: Uint8Array } | null;
  return: { type: Uint8Array };
}
export interface WireSchema {
  version: string;
  block: WireBlock;
}
export interface WireBlock {
  attributes: WireAttribute[];
  block_types: { type_name: string }[];
}
export interface WireAttribute {
  name: string;
  type: Uint8Array;
  nested_type: { nesting: string; attributes: WireAttribute[] } | null;
  required: boolean;
  optional: boolean;
  computed: boolean;
  sensitive: boolean;
  write_only: boolean;
}

interface ReadRequest {
  type_name: string;
  current_state: WireValue;
  private: Uint8Array;
  client_capabilities: Capabilities;
  current_identity?: WireIdentity;
}
interface ReadResponse extends Diagnosed {
  new_state: WireValue | null;
  private: Uint8Array;
  new_identity: WireIdentity | null;
  deferred: object | null;
}
interface PlanRequest {
  type_name: string;
  prior_state: WireValue;
  proposed_new_state: WireValue;
  config: WireValue;
  prior_private: Uint8Array;
  client_capabilities: Capabilities;
  prior_identity?: WireIdentity;
}
export interface PlanResponse extends Diagnosed {
  planned_state: WireValue | null;
  requires_replace: WirePath[];
  planned_private: Uint8Array;
  planned_identity: WireIdentity | null;
  legacy_type_system: boolean;
  deferred: object | null;
}
interface ApplyRequest {
  type_name: string;
  prior_state: WireValue;
  planned_state: WireValue;
  config: WireValue;
  planned_private: Uint8Array;
  planned_identity?: WireIdentity;
}
export interface ApplyResponse extends Diagnosed {
  new_state: WireValue | null;
  private: Uint8Array;
  new_identity: WireIdentity | null;
  legacy_type_system: boolean;
}
interface ImportedResource {
  type_name: string;
  state: WireValue;
  private: Uint8Array;
  identity: WireIdentity | null;
}
interface MoveRequest {
  source_provider_address: string;
  source_type_name: string;
  source_schema_version: number;
  source_state: { json: Uint8Array };
  target_type_name: string;
}
interface MoveResponse extends Diagnosed {
  target_state: WireValue | null;
  target_private: Uint8Array;
  target_identity: WireIdentity | null;
}

const protoFolder = join(import.meta.dirname, "../../schema/proto");
const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/** One open connection to a provider. */
export class Wire {
  readonly #client: Client;
  readonly #methods: Methods;

  constructor(address: string, trust: ChannelCredentials = credentials.createInsecure()) {
    const options = {
      ...unlimited,
      "grpc.ssl_target_name_override": "localhost",
      "grpc.default_authority": "localhost",
      "grpc.use_local_subchannel_pool": 1, // else two of these to one address would share a connection
    };
    this.#client = new Client(address, trust, options);
    this.#methods = serviceMethods("tfplugin6.proto", "tfplugin6.Provider");
  }

  call<Name extends keyof Calls>(name: Name, request: Calls[Name][0]): Promise<Calls[Name][1]> {
    return this.#unary(this.#method(name), request) as Promise<Calls[Name][1]>;
  }

  stream<Name extends keyof Streams>(name: Name, request: Streams[Name][0]): ClientReadableStream<Streams[Name][1]> {
    const { path, requestSerialize, responseDeserialize } = this.#method(name);
    const call = this.#client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request);
    return call as ClientReadableStream<Streams[Name][1]>;
  }

  /** Asks the provider to exit, as go-plugin does. */
  async shutdown(): Promise<void> {
    const methods = serviceMethods("grpc_controller.proto", "plugin.GRPCController");
    await this.#unary(methods["Shutdown"] as MethodDefinition<object, object>, {});
  }

  close(): void {
    this.#client.close();
  }

  #method(name: string): MethodDefinition<object, object> {
    const method = this.#methods[name];
    if (!method) throw new Error(`tfplugin6.proto has no call ${name}`);
    return method;
  }

  #unary(method: MethodDefinition<object, object>, request: object): Promise<object> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        (error, response) => (response ? resolve(response) : reject(error)),
      );
    });
  }
}

type Methods = Record<string, MethodDefinition<object, object>>;

/** Parsed files by name: a test makes many connections. */
const parsed = new Map<string, PackageDefinition>();

function serviceMethods(file: string, service: string): Methods {
  const definition = parsed.get(file) ?? parse(file);
  parsed.set(file, definition);
  return definition[service] as unknown as Methods;
}

function parse(file: string): PackageDefinition {
  return loadSync(join(protoFolder, file), {
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
    arrays: true,
    objects: true,
    includeDirs: [protoFolder],
  });
}
