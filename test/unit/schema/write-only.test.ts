import { describe, expect, test } from "vitest";
import type { Attributes } from "#framework";
import { desiredValue } from "../../../src/framework/plan/desired.ts";
import { toObjectView } from "../../../src/framework/schema/to-view.ts";
import type { Type } from "../../../src/framework/schema/type.ts";
import type { Value } from "../../../src/framework/values/value.ts";
import { registry } from "../../../src/registry.ts";

/** The names on the way to a secret, and where an object is one of several, `*`. */
type Way = readonly string[];

/** Every write-only attribute that is sent by its trigger only, or every other one. */
function secretsIn(attributes: Attributes, isTriggered: boolean): Way[] {
  return Object.entries(attributes).flatMap(([name, { writeOnly, type }]) => {
    if (writeOnly) return (writeOnly !== true) === isTriggered ? [[name]] : [];
    return waysInside(type, isTriggered).map((way) => [name, ...way]);
  });
}

function waysInside({ shape }: Type, isTriggered: boolean): Way[] {
  if (shape.kind === "nested") return secretsIn(shape.attributes, isTriggered);
  return "element" in shape ? waysInside(shape.element, isTriggered).map((way) => ["*", ...way]) : [];
}

/** A value in which the objects around the secret exist, and nothing else is given. */
function around({ shape }: Type, [step, ...rest]: Way): Value {
  if (step === undefined) return null;
  if (shape.kind === "nested") return objectAround(shape.attributes, [step, ...rest]);
  if (!("element" in shape)) throw new Error(`${step} is in no collection`);
  const element = around(shape.element, rest);
  return shape.kind === "map" ? new Map([["x0", element]]) : [element];
}

const objectAround = (attributes: Attributes, [step, ...rest]: Way): Value =>
  new Map(Object.entries(attributes).map(([name, { type }]) => [name, name === step ? around(type, rest) : null]));

const memberAt = (view: unknown, way: Way): unknown =>
  way.reduce((object, step) => {
    const members = object as Record<string, unknown>;
    return step === "*" ? Object.values(members)[0] : members[step];
  }, view);

const definitions = await Promise.all(Object.values(registry.resources).map((load) => load()));
const cases = definitions.flatMap(({ type, attributes }) =>
  secretsIn(attributes as Attributes, true).map((way) => ({
    name: `${type}.${way.join(".")}`,
    attributes: attributes as Attributes,
    way,
  })),
);

test("there are secrets with a version to try", () => {
  expect(cases.length).toBeGreaterThan(12);
});

describe("a new object that is not given its secret does not know it", () => {
  test.each(cases)("$name", ({ attributes, way }) => {
    const config = objectAround(attributes, way);
    const desired = toObjectView(attributes, desiredValue({ attributes, prior: null, config }, config), "desired");
    const parent = memberAt(desired, way.slice(0, -1));
    expect(parent).toHaveProperty(way.at(-1) ?? "");
    expect(memberAt(desired, way)).toBeUndefined();
  });
});

/**
 * To the hooks, one without a value is null: "none" at a creation. Where a new object may have a value of its own, as a clone has, it
 * needs a trigger.
 */
test("a secret without a version belongs to an object that is made with it, or to what the provider itself writes", () => {
  const untriggered = definitions.flatMap(({ type, attributes }) =>
    secretsIn(attributes as Attributes, false).map((way) => `${type}.${way.join(".")}`),
  );
  expect(untriggered.sort()).toEqual([
    "proxmox_acme_account.eab_hmac_key",
    "proxmox_acme_account.eab_kid",
    "proxmox_container.password",
    "proxmox_tfa.totp.secret",
    "proxmox_vm.cloud_init.meta_data_wo",
    "proxmox_vm.cloud_init.network_data_wo",
    "proxmox_vm.cloud_init.user_data_wo",
    "proxmox_vm.cloud_init.vendor_data_wo",
  ]);
});
