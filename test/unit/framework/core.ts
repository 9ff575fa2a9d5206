import type { Attributes, ClientCapabilities, ProviderServer, SchemaAttribute } from "#framework";
import {
  createServer,
  type Diagnostic,
  type DynamicValue,
  type Path,
  type ProviderDefinition,
  type ServerOptions,
} from "#framework";
import { decode, encode } from "../../harness/cty-codec.ts";
import { compatibleProblems } from "../../harness/object-compatible.ts";
import { planProblems } from "../../harness/plan-valid.ts";
import { proposeNew } from "../../harness/proposed-new.ts";
import { type Attribute, type Body, type Nested, objectType } from "../../harness/schema.ts";
import { parseType, type Type } from "../../harness/type.ts";
import { Decimal, type Input, isObject, isUnknown, toValue, type Value, walk } from "../../harness/value.ts";

export const capabilities: ClientCapabilities = {
  deferralAllowed: false,
  writeOnlyAttributesAllowed: true,
  storePlannedPrivate: false,
  computedBlocksAllowed: false,
};

/** An object as Terraform stores it. */
export interface Held {
  state: Value;
  private: Uint8Array;
  identity?: DynamicValue;
  tainted?: boolean;
  diagnostics: Diagnostic[];
}

export interface Planned extends Held {
  replace: string[];
  prior: Held | null;
  config: Value;
  deferred?: string;
}

/**
 * Terraform core in miniature: sends the requests that core sends, and throws where core would blame the provider.
 * Values and rules are those of the conformance harness, so a mistake in the framework's own cannot hide itself.
 */
export class Core {
  readonly server: ProviderServer;
  readonly #bodies = new Map<string, Body>();
  readonly #capabilities: ClientCapabilities;

  constructor(server: ProviderServer, more: Partial<ClientCapabilities> = {}) {
    this.server = server;
    this.#capabilities = { ...capabilities, ...more };
  }

  static async start<A extends Attributes, Api>(
    provider: ProviderDefinition<A, Api>,
    config: Input = {},
    options: ServerOptions & { client?: Partial<ClientCapabilities> } = {},
  ): Promise<Core> {
    const core = new Core(createServer(provider, { lookAgainMs: [1, 1], ...options }), options.client);
    await core.learn();
    const sent = core.encode("provider", config);
    const { diagnostics } = await core.server.configureProvider({
      terraformVersion: "1.15.0",
      config: sent,
      clientCapabilities: core.#capabilities,
    });
    refuse(diagnostics);
    return core;
  }

  async learn(): Promise<void> {
    const schema = await this.server.getProviderSchema();
    refuse(schema.diagnostics);
    this.#bodies.set("provider", bodyOf(schema.provider.attributes));
    for (const kind of ["resources", "dataSources", "ephemeralResources", "listResources", "actions"] as const) {
      for (const [name, { attributes }] of Object.entries(schema[kind])) {
        this.#bodies.set(kind === "resources" ? name : `${kind}/${name}`, bodyOf(attributes));
      }
    }
  }

  body(type: string): Body {
    const body = this.#bodies.get(type);
    if (!body) throw new Error(`the provider has no ${type}`);
    return body;
  }

  encode(type: string, input: Input): DynamicValue {
    const of = objectType(this.body(type));
    return { msgpack: encode(of, toValue(of, input)) };
  }

  decode(type: string, value: DynamicValue | undefined): Value {
    return value?.msgpack ? decode(objectType(this.body(type)), value.msgpack) : null;
  }

  async validate(type: string, config: Input): Promise<Diagnostic[]> {
    const { diagnostics } = await this.server.validateResourceConfig({
      typeName: type,
      config: this.encode(type, config),
      clientCapabilities: this.#capabilities,
    });
    return diagnostics;
  }

  async plan(type: string, config: Input, prior: Held | null = null): Promise<Planned> {
    const body = this.body(type);
    const given = config === null ? null : toValue(objectType(body), config);
    const plan = await this.#plan(type, given, prior);
    if (plan.diagnostics.some(isError) || given === null) return plan;
    mustHold("plan", planProblems(body, prior?.state ?? null, given, plan.state));
    if (plan.replace.length === 0) return plan;
    // A replacement is planned a second time, as the creation it becomes.
    const anew = await this.#plan(type, given, null);
    mustHold("plan", planProblems(body, null, given, anew.state));
    return { ...anew, replace: plan.replace, prior, diagnostics: [...plan.diagnostics, ...anew.diagnostics] };
  }

  async #plan(type: string, config: Value, prior: Held | null): Promise<Planned> {
    const of = objectType(this.body(type));
    const proposed = proposeNew(this.body(type), prior?.state ?? null, config);
    const answer = await this.server.planResourceChange({
      typeName: type,
      priorState: { msgpack: encode(of, prior?.state ?? null) },
      proposedNewState: { msgpack: encode(of, proposed) },
      config: { msgpack: encode(of, config) },
      priorPrivate: prior?.private ?? new Uint8Array(),
      plannedPrivate: new Uint8Array(),
      clientCapabilities: this.#capabilities,
      ...(prior?.identity ? { priorIdentity: prior.identity } : {}),
    });
    return {
      prior,
      config,
      state: this.decode(type, answer.plannedState),
      private: answer.plannedPrivate,
      replace: answer.requiresReplace.map(pathText),
      diagnostics: answer.diagnostics,
      ...(answer.plannedIdentity ? { identity: answer.plannedIdentity } : {}),
      ...(answer.deferred ? { deferred: answer.deferred } : {}),
    };
  }

  async apply(type: string, plan: Planned): Promise<Held> {
    if (plan.replace.length > 0 && plan.prior) {
      await this.apply(type, { ...plan, replace: [], state: null, config: null });
      return this.apply(type, { ...plan, replace: [], prior: null });
    }
    const of = objectType(this.body(type));
    const answer = await this.server.applyResourceChange({
      typeName: type,
      priorState: { msgpack: encode(of, plan.prior?.state ?? null) },
      plannedState: { msgpack: encode(of, plan.state) },
      config: { msgpack: encode(of, plan.config) },
      plannedPrivate: plan.private,
      ...(plan.identity ? { plannedIdentity: plan.identity } : {}),
    });
    const state = this.decode(type, answer.newState);
    const failed = answer.diagnostics.some(isError);
    mustHold("result", unknownsIn(state));
    if (!failed) mustHold("result", compatibleProblems(this.body(type), plan.state, state));
    return {
      state,
      private: answer.private,
      diagnostics: answer.diagnostics,
      ...(answer.newIdentity ? { identity: answer.newIdentity } : {}),
      ...(failed && plan.prior === null && state !== null ? { tainted: true } : {}),
    };
  }

  /** Plans, applies, and requires the second plan to be empty. */
  async reach(type: string, config: Input, prior: Held | null = null): Promise<Held> {
    const plan = await this.plan(type, config, prior);
    refuse(plan.diagnostics);
    // Terraform does not apply a plan that changes nothing.
    if (prior && plan.replace.length === 0 && show(plan.state) === show(prior.state)) return prior;
    const held = await this.apply(type, plan);
    refuse(held.diagnostics);
    const again = await this.plan(type, config, held);
    refuse(again.diagnostics);
    if (show(again.state) !== show(held.state)) {
      throw new Error(`the second plan is not empty:\n${show(held.state)}\n${show(again.state)}`);
    }
    return held;
  }

  async refresh(type: string, held: Held): Promise<Held & { deferred?: string }> {
    const of = objectType(this.body(type));
    const answer = await this.server.readResource({
      typeName: type,
      currentState: { msgpack: encode(of, held.state) },
      private: held.private,
      clientCapabilities: this.#capabilities,
      ...(held.identity ? { currentIdentity: held.identity } : {}),
    });
    const state = this.decode(type, answer.newState);
    mustHold("read", unknownsIn(state));
    return {
      state,
      private: answer.private,
      diagnostics: answer.diagnostics,
      ...(answer.newIdentity ? { identity: answer.newIdentity } : {}),
      ...(answer.deferred ? { deferred: answer.deferred } : {}),
    };
  }

  async import(type: string, id: string, identity?: DynamicValue): Promise<Held> {
    const answer = await this.server.importResourceState({
      typeName: type,
      id,
      clientCapabilities: this.#capabilities,
      ...(identity ? { identity } : {}),
    });
    const [one] = answer.imported;
    if (!one) return { state: null, private: new Uint8Array(), diagnostics: answer.diagnostics };
    const held = { ...one, state: this.decode(type, one.state), diagnostics: answer.diagnostics };
    return this.refresh(type, held);
  }
}

export const isError = ({ severity }: Diagnostic) => severity === "error";

export function refuse(diagnostics: Diagnostic[]): void {
  const errors = diagnostics.filter(isError);
  if (errors.length > 0) throw new Error(errors.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"));
}

function mustHold(what: string, problems: { path: string; text: string }[]): void {
  if (problems.length > 0) throw new Error(problems.map(({ path, text }) => `${what}: ${path} ${text}`).join("\n"));
}

function unknownsIn(state: Value): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];
  walk(state, (value, path) => {
    if (isUnknown(value)) found.push({ path, text: "is unknown" });
    return undefined;
  });
  return found;
}

/** Values as a test writes them: ordinary numbers, `"?"` for unknown ones. */
export function plain(value: Value): unknown {
  if (value instanceof Decimal) return Number.isSafeInteger(Number(value.text)) ? Number(value.text) : value.text;
  if (isUnknown(value)) return "?";
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  return value;
}

const show = (value: Value) => JSON.stringify(plain(value));

export const pathText = (path: Path = []): string =>
  path.map((step) => ("attribute" in step ? step.attribute : "key" in step ? step.key : String(step.index))).join(".");

function bodyOf(attributes: SchemaAttribute[]): Body {
  return { attributes: Object.fromEntries(attributes.map((attribute) => [attribute.name, attributeOf(attribute)])) };
}

function attributeOf({ type, nested, ...flags }: SchemaAttribute): Attribute {
  if (!nested) return { ...flags, type: parseType(type) };
  const inner: Nested = { nesting: nested.nesting, ...bodyOf(nested.attributes) };
  const object: Type = objectType(inner);
  return {
    ...flags,
    nested: inner,
    type: nested.nesting === "single" ? object : { kind: nested.nesting, element: object },
  };
}
