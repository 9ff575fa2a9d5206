import { describe, expect, test } from "vitest";
import { unknown } from "../../harness/value.ts";
import { configurables, example, isReadOnly, placesIn } from "./places.ts";

const cases = configurables.flatMap((one) => {
  const attributes = placesIn(one.body).filter(({ attribute }) => isReadOnly(attribute));
  return attributes.length === 0 ? [] : [{ ...one, attributes }];
});

test("there are read-only attributes to try", () => {
  expect(cases.length).toBeGreaterThan(80);
});

describe.each(cases)("$name", ({ attributes, validate }) => {
  test.each(attributes)("refuses $path once", async ({ path, wrap, attribute }) => {
    for (const value of [example(attribute.type), unknown]) {
      const refused = (await validate(wrap(value))).filter(({ summary }) => summary === "Read-only attribute");
      expect(refused).toHaveLength(1);
      expect(refused[0]?.severity).toBe("error");
      expect(refused[0]?.detail).toContain(`${path} is read-only`);
    }
    const absent = await validate(wrap(null));
    expect(absent.filter(({ summary }) => summary === "Read-only attribute")).toEqual([]);
  });
});

test("the message names the argument that is meant", async () => {
  const vm = cases.find(({ name }) => name === "resources proxmox_vm");
  const [refused] = ((await vm?.validate({ name: "a", status: "stopped" })) ?? []).filter(
    ({ severity }) => severity === "error",
  );
  expect(refused).toMatchObject({
    summary: "Read-only attribute",
    detail: "status is read-only: only the provider sets it. Set `power`.",
    path: [{ attribute: "status" }],
  });
});
