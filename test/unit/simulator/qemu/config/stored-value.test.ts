import { describe, expect, test } from "vitest";
import { storeSection, typedSection } from "../../../../../src/simulator/qemu/config/stored-value.ts";

describe("a value in the file", () => {
  test.each([
    ["onboot", "on", "1"],
    ["onboot", "No", "0"],
    ["cores", "04", "4"],
    ["cpulimit", "1.50", "1.50"],
    ["name", "web-1", "web-1"],
    ["args", '"-device x"', "-device x"],
    ["args", "  -device x ", "-device x"],
    ["boot", "", " "],
  ])("%s: '%s' is read as '%s'", (key, given, stored) => {
    expect(storeSection({ [key]: given })).toEqual({ [key]: stored });
  });

  test.each([
    ["hostpci0", undefined, "unable to parse value of 'hostpci0' - got undefined value"],
    ["args", "-a\n-b", "unable to parse value of 'args' - property contains a line feed"],
    ["cores", "two", "unable to parse value of 'cores' - type check ('integer') failed - got 'two'"],
    ["cpulimit", "1e3", "unable to parse value of 'cpulimit' - type check ('number') failed - got '1e3'"],
    ["acpi", "maybe", "unable to parse value of 'acpi' - type check ('boolean') failed - got 'maybe'"],
    ["coffee", "1", "unable to parse value of 'coffee' - unknown setting 'coffee'"],
  ])("%s cannot be %j", (key, given, complaint) => {
    expect(() => storeSection({ [key]: given })).toThrow(complaint);
  });

  test.each([
    ["a text \n\n", { description: "a text" }],
    ["  kept", { description: "  kept" }],
    ["0", {}],
    ["", {}],
    [undefined, {}],
  ])("the description %j becomes %j", (description, stored) => {
    expect(storeSection({ description })).toEqual(stored);
  });
});

test("the API answers integers and booleans as numbers, and the rest as text", () => {
  expect(typedSection({ cores: "2", onboot: "1", memory: "1024", cpulimit: "0.5", vmgenid: "1", name: "7" })).toEqual({
    cores: 2,
    onboot: 1,
    memory: "1024",
    cpulimit: "0.5",
    vmgenid: "1",
    name: "7",
  });
});
