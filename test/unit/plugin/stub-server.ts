import type { Diagnosed, Metadata, ProviderSchema, ProviderServer, Schema } from "#framework";

const capabilities = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

const emptySchema: Schema = { version: 0, description: "", attributes: [], blocks: [] };

const metadata: Metadata = {
  diagnostics: [],
  serverCapabilities: capabilities,
  dataSources: ["stub_lookup"],
  resources: ["stub_thing"],
  functions: ["double"],
  ephemeralResources: ["stub_secret"],
  listResources: ["stub_thing"],
  actions: ["stub_reboot"],
};

const text = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false } as const;

export const stubSchema: ProviderSchema = {
  diagnostics: [],
  serverCapabilities: capabilities,
  provider: { ...emptySchema, attributes: [{ ...text, name: "label", type: "string", description: "Who it is." }] },
  resources: {
    stub_thing: {
      ...emptySchema,
      version: 3,
      attributes: [{ ...text, name: "name", type: "string", description: "Its name." }],
    },
  },
  dataSources: {},
  functions: {},
  ephemeralResources: {},
  listResources: {},
  actions: {},
};

/** A provider that accepts everything and returns its input; a test replaces what it needs. */
export function stubServer(replaced: Partial<ProviderServer> = {}): ProviderServer {
  const fine: Diagnosed = { diagnostics: [] };
  return {
    getMetadata: async () => metadata,
    getProviderSchema: async () => stubSchema,
    getResourceIdentitySchemas: async () => ({ ...fine, identitySchemas: {} }),
    getFunctions: async () => ({ ...fine, functions: {} }),
    validateProviderConfig: async () => fine,
    configureProvider: async () => fine,
    validateResourceConfig: async () => fine,
    upgradeResourceState: async ({ raw }) => ({ ...fine, upgradedState: raw.json ? { json: raw.json } : {} }),
    upgradeResourceIdentity: async ({ raw }) => ({ ...fine, upgradedIdentity: raw.json ? { json: raw.json } : {} }),
    readResource: async (request) => ({ ...fine, newState: request.currentState, private: request.private }),
    planResourceChange: async (request) => ({
      ...fine,
      plannedState: request.proposedNewState,
      requiresReplace: [],
      plannedPrivate: request.priorPrivate,
    }),
    applyResourceChange: async (request) => ({
      ...fine,
      newState: request.plannedState,
      private: request.plannedPrivate,
    }),
    importResourceState: async () => ({ ...fine, imported: [] }),
    moveResourceState: async () => ({ ...fine, targetPrivate: new Uint8Array() }),
    generateResourceConfig: async ({ state }) => ({ ...fine, config: state }),
    validateDataResourceConfig: async () => fine,
    readDataSource: async ({ config }) => ({ ...fine, state: config }),
    callFunction: async ({ arguments: [first = {}] }) => ({ result: first }),
    validateEphemeralResourceConfig: async () => fine,
    openEphemeralResource: async ({ config }) => ({ ...fine, result: config }),
    renewEphemeralResource: async () => fine,
    closeEphemeralResource: async () => fine,
    validateListResourceConfig: async () => fine,
    async *listResource() {
      yield { displayName: "first", diagnostics: [] };
    },
    validateActionConfig: async () => fine,
    planAction: async () => fine,
    async *invokeAction() {
      yield { progress: "half way" };
      yield { completed: [] };
    },
    stop: async () => "",
    ...replaced,
  };
}
