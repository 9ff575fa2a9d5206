import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configurationOf } from "../../../../src/cli/adopt/configuration.ts";
import { ResourceNames } from "../../../../src/cli/adopt/names.ts";
import { writeFolder } from "../../../../src/cli/write-output.ts";

const hostile = [
  "../../x",
  "/etc/x",
  "..",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what Terraform would evaluate, if it were not escaped
  '${file("/etc/passwd")}',
  '"quoted" \\ %{ if true }',
  "\u001b[2J\u001b]0;title\u0007",
  'a"\n}\nresource "terraform_data" "ran" {',
  "con.tf\0.sh",
];

test("names of a cluster are texts within the files, and never a part of their paths", () => {
  const names = new ResourceNames();
  const adopted = hostile.map((text) => ({
    type: "proxmox_pool",
    name: names.of("proxmox_pool", text),
    importId: text,
    identity: { id: text },
    area: "Access",
    values: { id: text, device: null },
    all: { id: text },
    reported: text,
    table: null,
  }));
  const { files } = configurationOf(adopted);
  expect([...files.keys()]).toEqual(["provider.tf", "access.tf"]);
  const lines = (files.get("access.tf") ?? "").split("\n");
  expect(lines.filter((line) => /^resource/.test(line))).toHaveLength(hostile.length);
  expect(
    lines.filter((line) => /^resource/.test(line) && !/^resource "proxmox_pool" "[a-z]\w*" \{$/.test(line)),
  ).toEqual([]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would obey them
  expect(lines.filter((line) => /[\x00-\x1f]/.test(line))).toEqual([]);
  expect(lines.filter((line) => !line.startsWith("#") && /(?<!\$)\$\{|(?<!%)%\{/.test(line))).toEqual([]);

  const parent = mkdtempSync(join(tmpdir(), "adopt-"));
  try {
    writeFolder(join(parent, "infra"), files);
    expect(readdirSync(parent, { recursive: true }).sort()).toEqual(["infra", "infra/access.tf", "infra/provider.tf"]);
  } finally {
    rmSync(parent, { recursive: true });
  }
});
