import { expect, test } from "vitest";
import { unsettingWord } from "../../../../src/framework/plan/kept-value-warnings.ts";
import { type Attributes, ConfigDraft, patchWired, type WiredAttribute, wiresOf } from "../../../../src/kit/index.ts";
import { codecOf } from "../../../../src/pve/properties/option-codecs.ts";
import { settings } from "../../../../src/resources/vm/attributes.ts";
import { everything } from "../../../contract/vm/everything.ts";

const slots: Record<string, string> = {
  disks: "scsi0",
  networks: "net0",
  usb: "usb0",
  numa_nodes: "numa0",
  pci: "hostpci0",
  virtiofs: "virtiofs0",
};

function attributeAt(attributes: Attributes, [name = "", ...rest]: readonly string[]): WiredAttribute {
  const attribute = attributes[name] as WiredAttribute;
  const { shape } = attribute.type;
  const inner = shape.kind === "map" ? shape.element.shape : shape;
  const more = rest[0] === "*" ? rest.slice(1) : rest;
  return more.length === 0 || inner.kind !== "nested" ? attribute : attributeAt(inner.attributes, more);
}

/** Every attribute that can be unset explicitly, with its path in the configuration. */
const words = wiresOf(settings).flatMap(({ path, wire }) => {
  const attribute = attributeAt(settings, path);
  const word = unsettingWord(attribute);
  const slot = slots[path[0] ?? ""] ?? "";
  if (word === null) return [];
  const [option = "", key = null] = wire.split("/");
  const place = { option: option.replace("{slot}", slot).replace("{n}", slot.replace(/\D+/, "")), key };
  const steps = path.map((step) => (step === "*" ? slot : step));
  return [{ name: steps.join("."), steps, attribute, word: JSON.parse(word) as unknown, place }];
});

test("most settings have a value for that", () => {
  expect(words.length).toBeGreaterThan(80);
});

test.each(words)("$name is unset by its value", ({ steps, attribute, word, place }) => {
  expect(attribute.type.checks.flatMap((check) => check(word) ?? [])).toEqual([]);
  const draft = new ConfigDraft(everything, { codecOf });
  const wanted = [...steps].reverse().reduce<unknown>((inner, step) => ({ [step]: inner }), word);
  patchWired(settings, wanted as Record<string, unknown>, draft);
  expect(draft.read(place)).toBeNull();
});
