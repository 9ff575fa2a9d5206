import { decode } from "@msgpack/msgpack";
import { createServer, type ProviderServer, type SchemaAttribute } from "#framework";
import { openSession, reachCluster } from "#kit";
import { provider } from "../provider.ts";
import { sourceAddress } from "../source-address.ts";
import type { CommandContext } from "./command-context.ts";
import { userAgent } from "./connect.ts";
import { ProviderProblem } from "./run-command.ts";

export type Values = Readonly<Record<string, unknown>>;

type Encoded = NonNullable<Awaited<ReturnType<ProviderServer["readResource"]>>["newState"]>;

/** An object of the cluster, as a list resource shows it. */
export interface ListedObject {
  readonly identity: Values;
  readonly state: Encoded;
  readonly name: string;
}

const capabilities = {
  deferralAllowed: false,
  writeOnlyAttributesAllowed: true,
  storePlannedPrivate: false,
  computedBlocksAllowed: false,
};

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

/** The provider in this process, without Terraform: it lists and reads what a configuration could manage. */
export class LocalProvider {
  readonly #server: ProviderServer;

  private constructor(server: ProviderServer) {
    this.#server = server;
  }

  /** With the settings of the environment. */
  static async open(env: CommandContext["env"]): Promise<LocalProvider> {
    const definition: typeof provider = {
      ...provider,
      async configure() {
        const session = await openSession({}, { environment: env, log: silent, userAgent });
        await reachCluster(session);
        return session;
      },
    };
    const local = new LocalProvider(createServer(definition, { address: sourceAddress }));
    const settings = Object.fromEntries(Object.keys(provider.attributes).map((name) => [name, null]));
    const { diagnostics } = await local.#server.configureProvider({
      terraformVersion: "1.14.0",
      config: { json: bytes(settings) },
      clientCapabilities: capabilities,
    });
    requireNone(diagnostics);
    return local;
  }

  /** Everything of a type that the caller may see; `warn` hears what is left out. */
  async *list(
    typeName: string,
    attributes: readonly string[],
    warn: (text: string) => void = () => undefined,
  ): AsyncGenerator<ListedObject> {
    const config = { json: bytes(Object.fromEntries(attributes.map((name) => [name, null]))) };
    const request = { typeName, config, includeResourceObject: true, limit: 0 };
    for await (const event of this.#server.listResource(request, new AbortController().signal)) {
      requireNone(event.diagnostics);
      for (const { detail } of event.diagnostics) warn(detail);
      if (event.identity === undefined || event.resourceObject === undefined) continue;
      yield { identity: valuesIn(event.identity), state: event.resourceObject, name: event.displayName };
    }
  }

  /** One object by its import ID; null if it is not there. */
  async import(typeName: string, id: string): Promise<Pick<ListedObject, "identity" | "state"> | null> {
    const { imported, diagnostics } = await this.#server.importResourceState({
      typeName,
      id,
      clientCapabilities: capabilities,
    });
    requireNone(diagnostics);
    const [found] = imported;
    if (found?.identity === undefined) return null;
    const state = await this.read(typeName, found.state, found.private);
    return state === null ? null : { identity: valuesIn(found.identity), state };
  }

  /** The area and the attributes of each type. */
  async schemas(): Promise<
    ReadonlyMap<string, { readonly area: string; readonly attributes: readonly SchemaAttribute[] }>
  > {
    const { resources } = await this.#server.getProviderSchema();
    return new Map(
      Object.entries(resources).map(([type, { subcategory = "", attributes }]) => [
        type,
        { area: subcategory, attributes },
      ]),
    );
  }

  /** A state as Terraform has stored it, in today's form. */
  async upgrade(typeName: string, version: number, attributes: Values): Promise<Encoded> {
    const raw = { json: bytes(attributes) };
    const { upgradedState, diagnostics } = await this.#server.upgradeResourceState({ typeName, version, raw });
    requireNone(diagnostics);
    return upgradedState ?? {};
  }

  /** The state of an object now; null if it is no longer there. */
  async read(typeName: string, currentState: Encoded, privateState: Uint8Array): Promise<Encoded | null> {
    const { newState, diagnostics } = await this.#server.readResource({
      typeName,
      currentState,
      private: privateState,
      clientCapabilities: capabilities,
    });
    requireNone(diagnostics);
    return newState === undefined || valueIn(newState) === null ? null : newState;
  }

  /** What a configuration can say of an object: without what only PVE knows, and without secrets. */
  async configOf(typeName: string, state: Encoded): Promise<Values> {
    const { config, diagnostics } = await this.#server.generateResourceConfig({ typeName, state });
    requireNone(diagnostics);
    return config === undefined ? {} : valuesIn(config);
  }

  async close(): Promise<void> {
    await this.#server.stop();
  }
}

const valueIn = ({ msgpack }: Encoded): unknown => (msgpack === undefined ? null : decode(msgpack));

const valuesIn = (encoded: Encoded): Values => (valueIn(encoded) ?? {}) as Values;

function requireNone(diagnostics: readonly { severity: string; summary: string; detail: string }[]): void {
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new ProviderProblem(`${error.summary}: ${error.detail}`);
}
