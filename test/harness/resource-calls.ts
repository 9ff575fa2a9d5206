import { decode, encode } from "./cty-codec.ts";
import { expectKnown, expectRule, expectWriteOnlyNull } from "./expectations.ts";
import { RuleViolation } from "./problem.ts";
import { proposeNew } from "./proposed-new.ts";
import { type Body, objectType, parseBlock } from "./schema.ts";
import { parseType, type Type } from "./type.ts";
import { equals, join, type ObjectValue, show, type Value } from "./value.ts";
import type {
  Capabilities,
  Diagnosed,
  Wire,
  WireDiagnostic,
  WireIdentity,
  WireIdentitySchema,
  WirePath,
  WireSchema,
  WireValue,
} from "./wire.ts";

/** One object in Terraform's state. */
export interface Instance {
  state: ObjectValue;
  private: Uint8Array;
  identity: Value;
  /** What the provider said while it applied the change that led here. */
  warnings?: WireDiagnostic[];
}

/** What the provider answers to a request for a plan. */
export interface PlannedChange {
  planned: Value;
  private: Uint8Array;
  identity: Value;
  replacePaths: string[];
  warnings: WireDiagnostic[];
}

export interface ResourceSchema {
  version: number;
  body: Body;
  type: Type;
  identity: Type | undefined;
}

export function resourceSchema(schema: WireSchema, identity: WireIdentitySchema | undefined): ResourceSchema {
  const body = parseBlock(schema.block);
  return {
    version: Number(schema.version),
    body,
    type: objectType(body),
    identity: identity && identityType(identity),
  };
}

export const noPrivate = new Uint8Array();
const client_capabilities: Capabilities = { write_only_attributes_allowed: true };

/** The provider answered with error diagnostics: an ordinary failure, unlike a broken rule. */
export class ProviderErrors extends Error {
  readonly diagnostics: WireDiagnostic[];
  /** The object that exists despite the failure; Terraform saves it, tainted if it was being created. */
  readonly remains: Instance | null;

  constructor(call: string, diagnostics: WireDiagnostic[], remains: Instance | null = null) {
    super(`${call}: ${diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n")}`);
    this.name = "ProviderErrors";
    this.diagnostics = diagnostics;
    this.remains = remains;
  }
}

/** Whether the provider blames itself, or broke a rule, rather than saying what the user can do. */
export const isBug = (reason: unknown): boolean =>
  !(reason instanceof ProviderErrors) || /bug in the provider/i.test(reason.message);

/** The calls that Terraform makes for one resource type, and its checks of each single answer. */
export class ResourceCalls {
  readonly typeName: string;
  readonly schema: ResourceSchema;
  readonly #wire: Wire;
  /** What the provider said in the last apply. */
  applyWarnings: WireDiagnostic[] = [];

  constructor(wire: Wire, typeName: string, schema: ResourceSchema) {
    this.#wire = wire;
    this.typeName = typeName;
    this.schema = schema;
  }

  async validate(config: Value): Promise<WireDiagnostic[]> {
    const request = { type_name: this.typeName, config: this.#pack(config), client_capabilities };
    return diagnose("ValidateResourceConfig", await this.#wire.call("ValidateResourceConfig", request));
  }

  /** A null configuration asks for destruction. */
  async plan(prior: Instance | null, priorPrivate: Uint8Array, config: Value): Promise<PlannedChange> {
    const priorState = prior?.state ?? null;
    const response = await this.#wire.call("PlanResourceChange", {
      type_name: this.typeName,
      prior_state: this.#pack(priorState),
      proposed_new_state: this.#pack(proposeNew(this.schema.body, priorState, config)),
      config: this.#pack(config),
      prior_private: priorPrivate,
      client_capabilities,
      ...this.#packIdentity("prior_identity", prior?.identity),
    });
    const warnings = diagnose("PlanResourceChange", response);
    this.#expectHonest(response);
    const planned = this.#unpack(response.planned_state);
    expectWriteOnlyNull(this.typeName, this.schema.body, planned);
    const identity = this.#unpackIdentity(response.planned_identity);
    // Terraform accepts an unknown identity, OpenTofu fails.
    expectKnown(this.typeName, identity, "identity is known and stays");
    return {
      planned,
      private: response.planned_private,
      identity,
      replacePaths: response.requires_replace.map(pathText),
      warnings,
    };
  }

  /** Null if the object no longer exists. A failure carries the object that remains. */
  async apply(prior: Instance | null, change: PlannedChange, config: Value): Promise<Instance | null> {
    const response = await this.#wire.call("ApplyResourceChange", {
      type_name: this.typeName,
      prior_state: this.#pack(prior?.state ?? null),
      planned_state: this.#pack(change.planned),
      config: this.#pack(config),
      planned_private: change.private,
      ...this.#packIdentity("planned_identity", change.identity),
    });
    this.#expectHonest(response);
    const result = response.new_state && this.#instance(response.new_state, response.private, response.new_identity);
    const warnings = diagnose("ApplyResourceChange", response, result);
    this.applyWarnings = warnings;
    if (result && change.planned !== null) this.#expectStableIdentity(result, prior);
    return result && { ...result, warnings };
  }

  /** Null if the object no longer exists. */
  async read(instance: Instance): Promise<Instance | null> {
    const response = await this.#wire.call("ReadResource", {
      type_name: this.typeName,
      current_state: this.#pack(instance.state),
      private: instance.private,
      client_capabilities,
      ...this.#packIdentity("current_identity", instance.identity),
    });
    diagnose("ReadResource", response);
    this.#expectHonest(response);
    const found = response.new_state && this.#instance(response.new_state, response.private, response.new_identity);
    if (found) this.#expectStableIdentity(found, instance);
    return found;
  }

  async upgrade(version: number, json: string): Promise<ObjectValue> {
    const request = { type_name: this.typeName, version, raw_state: { json: Buffer.from(json) } };
    const response = await this.#wire.call("UpgradeResourceState", request);
    diagnose("UpgradeResourceState", response);
    const state = this.#unpack(response.upgraded_state);
    expectKnown(this.typeName, state);
    expectWriteOnlyNull(this.typeName, this.schema.body, state);
    return state as ObjectValue;
  }

  /** The state that the provider returns for an id or an identity, before Terraform reads it. */
  async import(by: { id: string } | { identity: Value }): Promise<Instance> {
    const key = "id" in by ? by : this.#packIdentity("identity", by.identity);
    const request = { type_name: this.typeName, ...key, client_capabilities };
    const response = await this.#wire.call("ImportResourceState", request);
    diagnose("ImportResourceState", response);
    const [first, ...others] = response.imported_resources;
    const fits = first && others.length === 0 && first.type_name === this.typeName;
    const imported = fits ? this.#instance(first.state, first.private, first.identity) : null;
    if (imported) return imported;
    const names = response.imported_resources.map((one) => one.type_name).join(", ");
    throw new RuleViolation("import yields the imported type", this.typeName, [
      { path: "", text: `yielded ${fits ? "null" : names || "nothing"}` },
    ]);
  }

  /** The state that the provider makes of another type's. */
  async move(provider: string, type: string, state: object): Promise<Instance> {
    const response = await this.#wire.call("MoveResourceState", {
      source_provider_address: provider,
      source_type_name: type,
      source_schema_version: 0,
      source_state: { json: Buffer.from(JSON.stringify(state)) },
      target_type_name: this.typeName,
    });
    diagnose("MoveResourceState", response);
    const { target_state: moved, target_private: hidden, target_identity: identity } = response;
    const instance = moved && this.#instance(moved, hidden, identity);
    if (instance === null) throw new Error(`${type} became nothing`);
    return instance;
  }

  #pack(value: Value): WireValue {
    return { msgpack: encode(this.schema.type, value) };
  }

  #unpack(wire: WireValue | null): Value {
    return this.#fitting(() => unpackValue(this.schema.type, wire));
  }

  #packIdentity<Name extends string>(name: Name, identity: Value | undefined): Partial<Record<Name, WireIdentity>> {
    const { identity: type } = this.schema;
    if (!type || !identity) return {};
    return { [name]: { identity_data: { msgpack: encode(type, identity) } } } as Record<Name, WireIdentity>;
  }

  #unpackIdentity(wire: WireIdentity | null): Value {
    const { identity: type } = this.schema;
    return type && wire ? this.#fitting(() => unpackValue(type, wire.identity_data)) : null;
  }

  #instance(state: WireValue, privateBytes: Uint8Array, identity: WireIdentity | null): Instance | null {
    const value = this.#unpack(state);
    if (value === null) return null;
    expectKnown(this.typeName, value);
    expectWriteOnlyNull(this.typeName, this.schema.body, value);
    return { state: value as ObjectValue, private: privateBytes, identity: this.#unpackIdentity(identity) };
  }

  #fitting(unpack: () => Value): Value {
    try {
      return unpack();
    } catch (error) {
      throw new RuleViolation("values fit the schema", this.typeName, [{ path: "", text: String(error) }]);
    }
  }

  #expectHonest(response: { deferred?: object | null; legacy_type_system?: boolean }): void {
    const { deferred, legacy_type_system: legacy } = response;
    expectRule(
      "nothing is deferred unless allowed",
      this.typeName,
      deferred ? [{ path: "", text: "was deferred" }] : [],
    );
    expectRule(
      "the legacy type system is not claimed",
      this.typeName,
      legacy ? [{ path: "", text: "was claimed" }] : [],
    );
  }

  #expectStableIdentity(after: Instance, before: Instance | null): void {
    const { identity: type } = this.schema;
    if (!type) return;
    const same = before === null || before.identity === null || equals(type, before.identity, after.identity);
    const text =
      after.identity === null ? "is missing" : `was ${show(before?.identity ?? null)} and is ${show(after.identity)}`;
    expectRule("identity is known and stays", this.typeName, after.identity && same ? [] : [{ path: "", text }]);
    expectKnown(this.typeName, after.identity, "identity is known and stays");
  }
}

function unpackValue(type: Type, wire: WireValue | null): Value {
  if (!wire || wire.msgpack.length === 0) throw new Error("no value was sent");
  return decode(type, wire.msgpack);
}

/** Throws the errors among the diagnostics and returns the warnings. */
export function diagnose(call: string, response: Diagnosed, remains: Instance | null = null): WireDiagnostic[] {
  const errors = response.diagnostics.filter(({ severity }) => severity === "ERROR");
  if (errors.length > 0) throw new ProviderErrors(call, errors, remains);
  return response.diagnostics;
}

/** A path in the form that values are walked with: `disks[scsi0].size`. */
export function pathText(path: WirePath): string {
  return path.steps.reduce((text, step) => {
    // A value of the harness has keys of maps and attributes of objects alike.
    const name = step.attribute_name || step.element_key_string;
    return name ? join(text, name) : `${text}[${step.element_key_int}]`;
  }, "");
}

function identityType(schema: WireIdentitySchema): Type {
  const attributes = schema.identity_attributes.map(({ name, type }): [string, Type] => [
    name,
    parseType(JSON.parse(Buffer.from(type).toString("utf8"))),
  ]);
  return { kind: "object", attributes: Object.fromEntries(attributes) };
}
