import { bool, definitions, int, list, map, nested, nullable, oneOf, set, string } from "#framework";

interface Client {
  find(id: string): Promise<{ path: string } | null>;
}

const { defineResource, defineProvider, defineFunction, defineListResource, defineDataSource } = definitions<Client>();

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
    password: { type: string(), mode: "optional", writeOnly: { trigger: "password_version" }, doc: "" },
    password_version: { type: int(), mode: "optional", local: true, doc: "" },
    disks: {
      type: map(
        nested({
          size: { type: string(), mode: "required", doc: "" },
          used: { type: int(), mode: "computed", doc: "" },
        }),
      ),
      mode: "optional",
      doc: "",
    },
    tags: { type: list(string()), mode: "optional", doc: "" },
    on: { type: bool(), mode: "optional", doc: "" },
  },
  validate({ config, report }) {
    if (config.path === null) report.error("path", "a", "b");
    if (config.disks?.["x"]?.size === undefined) report.error("disks.scsi0.size", "a", "b");
    // @ts-expect-error no such attribute
    report.error("paht", "a", "b");
  },
  plan({ set, prior, planned, api }) {
    if (prior?.mac && planned.path) set("mac", "x");
    // @ts-expect-error not a string
    set("mac", 3);
    // @ts-expect-error not computed
    set("path", "x");
    void api?.find("x");
  },
  async create({ desired, api, privateState }) {
    privateState.digest = "x";
    await api.find(desired.id);
    return { id: desired.id };
  },
  async read({ api, id, state }) {
    const found = await api.find(id.id);
    return (
      found && {
        id: id.id,
        path: found.path,
        content: ["a" as const],
        mac: null,
        disks: state?.disks ? { a: { size: "1G", used: 1 } } : null,
        tags: null,
        on: null,
      }
    );
  },
  delete({ id }) {
    void id.id;
  },
});

export const fn = defineFunction({
  name: "x",
  summary: "",
  doc: "",
  parameters: { a: { type: string(), doc: "" }, b: { type: nullable(int()), doc: "" } },
  variadic: { rest: { type: string(), doc: "" } },
  returns: string(),
  call({ a, b, rest }, { fail }) {
    if (b === null) return fail("a", "x");
    const n: number = b;
    return a + rest.join() + n;
  },
});

export const things = defineListResource({
  resource: thing,
  doc: "",
  attributes: {},
  async *list() {
    yield { id: { id: "x" }, displayName: "x" };
  },
});
export const data = defineDataSource({
  type: "corner_thing",
  doc: "",
  attributes: {
    id: { type: string(), mode: "required", doc: "" },
    path: { type: string(), mode: "computed", doc: "" },
  },
  async read({ api, config }) {
    return api.find(config.id);
  },
});
export const provider = defineProvider({
  name: "corner",
  doc: "",
  attributes: {},
  resources: [thing],
  dataSources: [data],
  functions: [fn],
  listResources: [things],
  configure: () => undefined,
});
