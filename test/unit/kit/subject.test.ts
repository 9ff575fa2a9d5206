import { expect, test } from "vitest";
import { pathOfOption } from "#kit";
import { attributes } from "../../../src/resources/vm/attributes.ts";

test.each([
  ["boot", ["boot_order"]],
  ["cores", ["cpu", "cores"]],
  ["cpu", ["cpu"]],
  ["scsi0", ["disks", "scsi0"]],
])("the option %s is named by its attribute", (option, path) => {
  expect(pathOfOption(attributes, option)).toEqual(path);
});
