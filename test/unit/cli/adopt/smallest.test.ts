import { expect, it } from "vitest";
import type { SchemaAttribute } from "#framework";
import { Secret, smallest } from "../../../../src/cli/adopt/smallest.ts";

const attribute = (name: string, mode: "required" | "optional" | "both", more: Partial<SchemaAttribute> = {}) => ({
  name,
  description: "",
  required: mode === "required",
  optional: mode !== "required",
  computed: mode === "both",
  sensitive: false,
  writeOnly: false,
  ...more,
});

const slot = [attribute("bridge", "both", { settable: true }), attribute("model", "both")];
const disk = [attribute("storage", "both"), attribute("size", "both"), attribute("ssd", "both", { settable: true })];
const schema: SchemaAttribute[] = [
  attribute("id", "required"),
  attribute("comment", "optional"),
  attribute("pool", "both", { settable: true }),
  attribute("cores", "both"),
  attribute("proxy", "both", { settable: true }),
  attribute("user_data", "both", { settable: true, sensitive: true }),
  attribute("networks", "both", { nested: { nesting: "map", attributes: slot, mayBeEmpty: true } }),
  attribute("disks", "both", { nested: { nesting: "map", attributes: disk } }),
];

it.each([
  [
    "what only the cluster decides is left out",
    { cores: 2, networks: { net0: { bridge: null, model: "virtio" } } },
    {},
  ],
  ["what a user has set is written", { pool: "web", cores: 2 }, { pool: "web" }],
  [
    "all slots are written if something was set in one: others would leave the state",
    { networks: { net0: { bridge: "vmbr0", model: "virtio" }, net1: { bridge: null, model: "e1000" } } },
    { networks: { net0: { bridge: "vmbr0" }, net1: {} } },
  ],
  [
    "a slot that must not be empty says what is in it",
    { disks: { scsi0: { storage: "tank", size: "8G", ssd: true }, scsi1: { storage: "tank", size: "4G", ssd: null } } },
    { disks: { scsi0: { storage: "tank", ssd: true }, scsi1: { storage: "tank" } } },
  ],
  ["a secret that need not be written is not", { user_data: "x" }, {}],
  ["a password in an address is a secret", { proxy: "http://u:p@h:1" }, { proxy: new Secret("http://u:p@h:1") }],
])("%s", (_, values, written) => {
  expect(smallest(schema, { id: "a", comment: null, ...values })).toEqual({ id: "a", ...written });
});
