import { expect, test } from "vitest";
import { computed, int, list, map, nested, string } from "#kit";

const member = { type: string(), mode: "optional", doc: "A member." } as const;

const attributes = {
  name: { type: string(), mode: "required", replace: true, doc: "Its name." },
  secret: { type: string(), mode: "optional", sensitive: true, doc: "Hidden." },
  password: { type: string(), mode: "optional", writeOnly: true, doc: "Never stored." },
  source: { type: string(), mode: "optional", local: true, doc: "Known to Terraform only." },
  size: { type: int(), mode: "optional_computed", keep: true, doc: "Its size." },
  slots: {
    type: map(nested({ member, wait: { ...member, local: true } })),
    mode: "optional_computed",
    doc: "By slot.",
  },
  rows: { type: list(nested({ member })), mode: "computed", doc: "In order." },
} as const;

test("keeps the attributes that are read, all of them computed", () => {
  const found = computed(attributes);
  expect(Object.keys(found)).toEqual(["name", "secret", "size", "slots", "rows"]);
  expect(Object.values(found).map(({ mode }) => mode)).toEqual(Array(5).fill("computed"));
  expect(found.name).toEqual({ type: attributes.name.type, mode: "computed", doc: "Its name." });
  expect(found.secret).toMatchObject({ sensitive: true });
});

test("may be null where the resource's attribute may be absent, and nowhere else", () => {
  const { name, secret, size } = computed(attributes);
  expect([name, secret, size].map(({ type }) => type.nullable)).toEqual([false, true, false]);
});

test("includes collections", () => {
  const { slots, rows } = computed(attributes);
  for (const { type } of [slots, rows]) {
    const { shape } = type as { shape: { element: { shape: { attributes: object } } } };
    expect(shape.element.shape.attributes).toEqual({
      member: { type: expect.objectContaining({ nullable: true }), mode: "computed", doc: "A member." },
    });
  }
});
