import { definitions, int, list, map, nested, nullable, oneOf, set, string, timeouts } from "#framework";

/** A machine on the fake server. */
export interface Machine {
  name: string;
  size: string;
  tags: string[];
  zone: string;
  serial: string;
  disks: Record<string, { size: string; path: string }>;
  order: string[];
  password: string | null;
}

/** A server that keeps machines in memory, and fails on request. */
export class Cloud {
  readonly machines = new Map<string, Machine>();
  readonly calls: string[] = [];
  fail: Partial<Record<"create" | "settle" | "read" | "update" | "delete", Error>> = {};
  #serial = 0;

  note(call: "create" | "settle" | "read" | "update" | "delete"): void {
    this.calls.push(call);
    const error = this.fail[call];
    if (error) throw error;
  }

  nextSerial(): string {
    this.#serial += 1;
    return `serial-${this.#serial}`;
  }
}

export const {
  defineResource,
  defineProvider,
  defineDataSource,
  defineEphemeral,
  defineAction,
  defineListResource,
  defineFunction,
} = definitions<Cloud>();

const megabytes = (size: string) => Number.parseInt(size, 10) * (size.endsWith("G") ? 1024 : 1);

export const size = () =>
  string({
    check: (text) => (/^\d+[MG]$/.test(text) ? undefined : "Must be a size such as `8G`."),
    same: (a, b) => megabytes(a) === megabytes(b),
  });

/** A resource that uses every feature of a resource. */
export const machine = defineResource({
  type: "cloud_machine",
  doc: "A machine.",
  identity: ["serial"],
  privateState: { reads: 0 },
  attributes: {
    name: { type: string(), mode: "required", doc: "Its name." },
    serial: { type: string(), mode: "computed", doc: "Given by the cloud." },
    size: { type: size(), mode: "required", doc: "How large." },
    zone: {
      type: oneOf(["a", "b"]),
      mode: "optional_computed",
      keep: true,
      replace: "machines cannot be moved",
      doc: "Where.",
    },
    tags: { type: set(string()), mode: "optional", doc: "Tags." },
    order: { type: list(string()), mode: "optional", doc: "Boot order." },
    address: { type: nullable(string()), mode: "computed", keep: { unless: ["zone", "name"] }, doc: "Its address." },
    load: { type: int(), mode: "computed", doc: "How busy it is." },
    disks: {
      type: map(
        nested({
          size: { type: size(), mode: "required", doc: "How large." },
          path: { type: string(), mode: "computed", keep: true, doc: "Where it is." },
          on_remove: { type: oneOf(["detach", "delete"]), mode: "optional", local: true, doc: "What becomes of it." },
        }),
      ),
      mode: "optional",
      doc: "Disks by slot.",
    },
    agent: {
      type: nested({
        kind: { type: string(), mode: "optional", doc: "Which." },
        wait: { type: string(), mode: "optional", local: true, doc: "How long to wait for it." },
      }),
      mode: "optional",
      doc: "Its agent.",
    },
    password: { type: string(), mode: "optional", writeOnly: { trigger: "password_version" }, doc: "Secret." },
    password_version: { type: int(), mode: "optional", local: true, doc: "Raise it to send the password again." },
    note: { type: string(), mode: "optional", local: true, doc: "For yourself." },
    token: { type: string(), mode: "optional", sensitive: true, local: true, doc: "Also secret." },
    timeouts: timeouts({ create: "20m", read: "1m", update: "20m", delete: "5m" }),
  },

  validate({ config, report }) {
    if (config.name === config.zone && config.name !== undefined)
      report.error("zone", "Bad zone", "It is named like the machine.");
  },

  create({ api, desired, created }) {
    api.note("create");
    const serial = api.nextSerial();
    const disks = Object.entries(desired.disks ?? {}).map(([slot, disk]) => [
      slot,
      { size: disk.size, path: `/dev/${slot}` },
    ]);
    api.machines.set(serial, {
      serial,
      name: desired.name,
      size: desired.size,
      tags: [...(desired.tags ?? [])],
      zone: desired.zone ?? "a",
      disks: Object.fromEntries(disks),
      order: [...(desired.order ?? [])],
      password: desired.password ?? null,
    });
    created({ serial });
    return { serial };
  },

  settle({ api }) {
    api.note("settle");
  },

  read({ api, id, privateState }) {
    api.note("read");
    privateState.reads += 1;
    const found = api.machines.get(id.serial);
    if (!found) return null;
    const { password: _, disks, tags, order, size: stored, ...rest } = found;
    return {
      ...rest,
      zone: rest.zone as "a" | "b",
      size: `${megabytes(stored)}M`,
      tags: tags.length > 0 ? tags : null,
      order: order.length > 0 ? order : null,
      address: `${found.name}.${found.zone}`,
      load: api.calls.length,
      agent: null,
      disks: Object.keys(disks).length > 0 ? disks : null,
    };
  },

  update({ api, id, desired }) {
    api.note("update");
    const found = api.machines.get(id.serial);
    if (!found) throw new Error("gone");
    found.name = desired.name;
    found.size = desired.size;
    found.tags = [...(desired.tags ?? [])];
    found.order = [...(desired.order ?? [])];
    found.disks = Object.fromEntries(
      Object.entries(desired.disks ?? {}).map(([slot, disk]) => [slot, { size: disk.size, path: `/dev/${slot}` }]),
    );
    if (desired.password !== undefined) found.password = desired.password;
  },

  delete({ api, id }) {
    api.note("delete");
    api.machines.delete(id.serial);
  },
});

export const cloud = (api: Cloud) =>
  defineProvider({
    name: "cloud",
    doc: "A cloud.",
    attributes: { token: { type: string(), mode: "optional", sensitive: true, doc: "Secret." } },
    resources: { cloud_machine: () => machine },
    configure: ({ config }) => (config.token === undefined ? undefined : api),
  });
