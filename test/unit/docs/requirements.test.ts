import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requirementTable } from "../../../scripts/generate/docs/requirements.ts";
import { features } from "../../../src/cli/terraform-features.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../../..", path), "utf8");

test("the README says which binary each feature requires", () => {
  expect(read("README.md")).toContain(requirementTable());
});

test("guides name the oldest binaries that work", () => {
  const { terraform, tofu } = features.provider;
  const oldest = `\`terraform\` (${terraform} or newer) or \`tofu\` (${tofu} or newer)`;
  expect(read("docs/guides/your-own-host.md").replaceAll("\n", " ")).toContain(oldest);
});
