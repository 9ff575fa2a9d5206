import { type Attributes, Created, definitions, int, map, nested, nullable, oneOf, set, string } from "#framework";

interface Client {
  find(id: string): Promise<{ path: string } | null>;
}

const { defineResource, defineProvider, defineFunction, defineListResource, defineDataSource, defineEphemeral } =
  definitions<Client>();

/** A resource whose hooks are typed by the value alone. */
export const thing = defineResource({
  type: "corner_thing",
  doc: "",
  identity: ["id"],
  privateState: { digest: "" },
  attributes: {
    id: { type: string(), mode: "required", replace: true, doc: "" },
    path: { type: string(), mode: "optional", doc: "" },
    content: { type: set(oneOf(["a", "b"])), mode: "optional_computed", doc: "" },
    mac: { type: nullable(string()), mode: "computed", keep: true, doc: "" },
    disks: {
      type: map(nested({ size: { type: string(), mode: "required", doc: "" } })),
      mode: "optional",
      doc: "",
    },
  },

  validate({ config, report }) {
    if (config.path === null) report.error("path", "Missing", "Say which.");
    if (config.disks?.["scsi0"]?.size === undefined) report.error("disks.scsi0.size", "Missing", "Say how large.");
    // @ts-expect-error no such attribute
    report.error("paht", "Missing", "");
    // @ts-expect-error the API is not there yet
    report.api;
  },

  plan({ set: fill, prior, planned, api, replace, privateState }) {
    if (prior?.mac && planned.path) fill("mac", "x");
    fill("mac", null);
    // @ts-expect-error not a string
    fill("mac", 3);
    // @ts-expect-error not computed
    fill("path", "x");
    // @ts-expect-error there may be no API yet
    api.find("x");
    // @ts-expect-error no such attribute
    replace("paht");
    privateState.digest = "x";
    // @ts-expect-error not in the private state
    privateState.digset = "x";
  },

  async create({ desired, api, created }) {
    await api.find(desired.id);
    created({ id: desired.id });
    // @ts-expect-error not the identity
    created({ path: "" });
    return { id: desired.id };
  },

  async read({ api, id, state, purpose }) {
    const found = await api.find(id.id);
    // @ts-expect-error path is not part of the identity
    id.path;
    if (purpose === "import") return null;
    return found && { id: id.id, path: found.path, content: ["a"], mac: null, disks: state?.disks ?? null };
  },

  async update({ prior, changes }) {
    if (changes.has("path")) prior.path?.length;
    // @ts-expect-error no such attribute
    changes.has("paht");
  },

  delete({ id }) {
    id.id.length;
  },
});

const handingOver = {
  type: "corner_pair",
  doc: "",
  identity: ["id"],
  attributes: { id: { type: string(), mode: "required", doc: "" } },
  read: () => null,
  delete() {},
} as const;

defineResource({
  ...handingOver,
  create: ({ desired }) => new Created({ id: desired.id }, { port: 8006 }),
  settle({ handover }: { readonly handover: { readonly port: number } }) {
    handover.port.toFixed();
  },
});

defineResource({
  ...handingOver,
  // @ts-expect-error `settle` needs what `create` does not pass on
  create: ({ desired }) => ({ id: desired.id }),
  settle({ handover }: { readonly handover: { readonly port: number } }) {
    handover.port.toFixed();
  },
});

defineResource({
  ...handingOver,
  create: ({ desired }) => new Created({ id: desired.id }, { prot: 8006 }),
  // @ts-expect-error not what `create` passes on
  settle({ handover }: { readonly handover: { readonly port: number } }) {
    handover.port.toFixed();
  },
});

defineResource({
  type: "corner_wrong",
  doc: "",
  attributes: { id: { type: string(), mode: "required", doc: "" } },
  // @ts-expect-error the identity must be attributes
  identity: ["name"],
  create: () => ({}),
  read: () => null,
  delete: () => {},
});

defineResource({
  type: "corner_wrong",
  doc: "",
  identity: ["id"],
  attributes: { id: { type: string(), mode: "required", doc: "" } },
  // @ts-expect-error the identity must be returned
  create: () => ({}),
  // @ts-expect-error every attribute must be returned
  read: () => ({}),
  delete: () => {},
});

export const wrongMode: Attributes = {
  // @ts-expect-error unknown mode
  id: { type: string(), mode: "required_computed", doc: "" },
  // @ts-expect-error an attribute must be documented
  name: { type: string(), mode: "required" },
};

export const joined = defineFunction({
  name: "joined",
  summary: "",
  doc: "",
  parameters: { first: { type: string(), doc: "" }, times: { type: nullable(int()), doc: "" } },
  variadic: { rest: { type: string(), doc: "" } },
  returns: string(),
  call({ first, times, rest }, { fail }) {
    // @ts-expect-error no such parameter
    fail("second", "?");
    if (times === null) return fail("times", "Say how often.");
    return (first + rest.join()).repeat(times);
  },
});

defineFunction({
  name: "wrong",
  summary: "",
  doc: "",
  parameters: {},
  returns: string(),
  // @ts-expect-error not what it returns
  call: () => 3,
});

export const things = defineListResource({
  resource: thing,
  doc: "",
  attributes: { zone: { type: string(), mode: "optional", doc: "" } },
  async *list({ config }) {
    yield { id: { id: config.zone ?? "" }, displayName: "x" };
  },
});

defineListResource({
  resource: thing,
  doc: "",
  attributes: {},
  // @ts-expect-error not the identity
  async *list() {
    yield { id: { path: "" }, displayName: "x" };
  },
});

export const lookup = defineDataSource({
  type: "corner_thing",
  doc: "",
  attributes: {
    id: { type: string(), mode: "required", doc: "" },
    path: { type: string(), mode: "computed", doc: "" },
  },
  read: async ({ api, config }) => api.find(config.id),
});

export const ticket = defineEphemeral({
  type: "corner_ticket",
  doc: "",
  privateState: { id: "" },
  attributes: { value: { type: string(), mode: "computed", doc: "" } },
  open: ({ privateState }) => ({ result: { value: privateState.id } }),
});

export const provider = defineProvider({
  name: "corner",
  doc: "",
  attributes: { url: { type: string(), mode: "optional", doc: "" } },
  resources: { corner_thing: () => thing },
  dataSources: { corner_thing: async () => lookup },
  functions: { joined: () => joined },
  listResources: { corner_thing: () => things },
  ephemerals: { corner_ticket: () => ticket },
  configure: ({ config }) => (config.url === undefined ? undefined : { find: async () => null }),
});

definitions<{ other: true }>().defineProvider({
  name: "other",
  doc: "",
  attributes: {},
  // @ts-expect-error it was written for another client
  resources: { corner_thing: () => thing },
  configure: () => undefined,
});
