/**
 * Terraform's semantics, without protobuf, sockets or a system to manage. A provider is written as values:
 *
 *     const { defineProvider, defineResource } = definitions<Client>();
 *     const thing = defineResource({ type: "corner_thing", attributes: { … }, create …, read …, delete … });
 *     const server = createServer(defineProvider({ …, resources: { corner_thing: () => thing }, configure: () => new Client() }));
 */
export type {
  ActionContext,
  ActionDefinition,
  ActionPlanContext,
} from "./define/action-definition.ts";
export type { Awaitable, CallContext, ValidateContext } from "./define/context.ts";
export { Created } from "./define/created.ts";
export type { DataSourceDefinition, DataSourceReadContext } from "./define/data-source-definition.ts";
export { definitions } from "./define/definitions.ts";
export type { EphemeralContext, EphemeralDefinition, EphemeralOpenContext } from "./define/ephemeral-definition.ts";
export type { FunctionContext, FunctionDefinition, Parameter, Parameters } from "./define/function-definition.ts";
export type { ListContext, Listed, ListResourceDefinition } from "./define/list-resource-definition.ts";
export type {
  ConfigureContext,
  Explanation,
  Failed,
  Operation,
  ProviderDefinition,
  Registered,
} from "./define/provider-definition.ts";
export type {
  BeforeContext,
  ChangeContext,
  CreateContext,
  CreateResult,
  DeleteContext,
  IdentityDefinition,
  IdentityOf,
  ImportContext,
  LeavingKey,
  MoveContext,
  MoveDefinition,
  PlanContext,
  PlanDeleteContext,
  ReadContext,
  ResourceDefinition,
  SettleContext,
  UpdateContext,
} from "./define/resource-definition.ts";
export type { Diagnostic, Path, PathStep } from "./diagnostics.ts";
export { AlreadyReported, Failure } from "./failure.ts";
export type { Logger } from "./logger.ts";
export type { PathLike, Report } from "./report.ts";
export type { Attribute, Attributes, ConditionalReplacement, Mode } from "./schema/attribute.ts";
export { isOneOf, lengthBetween, matches } from "./schema/checks.ts";
export { parseDuration, timeouts } from "./schema/timeouts.ts";
export type { Check, Shape, Type } from "./schema/type.ts";
export {
  bool,
  decimal,
  dynamic,
  int,
  list,
  map,
  nested,
  nullable,
  number,
  object,
  oneOf,
  set,
  string,
  tuple,
} from "./schema/types.ts";
export type {
  Computable,
  Config,
  Desired,
  Found,
  Observed,
  PathOf,
  Planned,
  State,
  Views,
  ViewsOf,
} from "./schema/views.ts";
export { createServer } from "./server/create-server.ts";
export type { ServerOptions } from "./server/runtime.ts";
export type {
  ActionEvent,
  ActionRequest,
  ApplyRequest,
  ApplyResponse,
  CallFunctionResponse,
  ClientCapabilities,
  CtyType,
  DeferredReason,
  Diagnosed,
  DynamicValue,
  EphemeralHandle,
  FunctionParameter,
  FunctionSchema,
  IdentitySchema,
  ImportRequest,
  ImportResponse,
  ListEvent,
  ListRequest,
  Metadata,
  MoveRequest,
  MoveResponse,
  OpenEphemeralRequest,
  OpenEphemeralResponse,
  PlanRequest,
  PlanResponse,
  ProviderSchema,
  ProviderServer,
  RawState,
  ReadDataSourceRequest,
  ReadResourceRequest,
  ReadResourceResponse,
  Schema,
  SchemaAttribute,
  SchemaBlock,
  SchemaNesting,
  ServerCapabilities,
  UpgradeRequest,
  ValidateRequest,
} from "./server.ts";
export { Decimal } from "./values/decimal.ts";
export type { Json } from "./values/json.ts";
