import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "../../../src/cli/translate/translate.ts";

const home = mkdtempSync(join(tmpdir(), "translate-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const fixtures = join(import.meta.dirname, "translate");

let number = 0;

/** Runs the command on files, and says what it printed and wrote. */
async function translate(files: Readonly<Record<string, string>>, ...args: string[]) {
  const [old, out] = [join(home, `old-${++number}`), join(home, `new-${number}`)];
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(old, name, ".."), { recursive: true });
    writeFileSync(join(old, name), text);
  }
  return { ...(await command([old, "--out", out, ...args])), out, written: filesIn(out) };
}

async function command(args: string[]) {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({ write: (text: string) => (printed[name] += text) });
  const code = await run(args, { stdout: stream("stdout"), stderr: stream("stderr"), env: {} });
  return { code, ...printed };
}

function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), readFileSync(path, "utf8")];
    }),
  );
}

const bpg = (text: string) =>
  `terraform {\n  required_providers {\n    proxmox = { source = "bpg/proxmox" }\n  }\n}\n${text}`;
const vm = (text: string) => bpg(`resource "proxmox_virtual_environment_vm" "a" {\n  node_name = "pve1"\n${text}\n}\n`);

const configurations = ["bpg", "bpg-files", "bpg-modules", "telmate", "telmate-slots", "telmate-variables"];

describe.each(configurations)("a configuration for %s", (peer) => {
  test("becomes the one beside it", async () => {
    const { code, written } = await translate(filesIn(join(fixtures, peer, "old")));
    expect(code).toBe(0);
    expect(written).toEqual(filesIn(join(fixtures, peer, "new")));
  });
});

test.each(["bpg", "telmate"])("the guide on switching from %s shows what is written", async (peer) => {
  const guide = readFileSync(join(import.meta.dirname, `../../../docs/guides/switching-from-${peer}.md`), "utf8");
  const [, old = ""] = /<!-- file: old\/main\.tf -->\s+```terraform\n(.*?)```/s.exec(guide) ?? [];
  const shown = [...guide.matchAll(/^```terraform\n(.*?)```/gms)]
    .map(([, text = ""]) => text)
    .filter((text) => text !== old);
  const { written } = await translate({ "main.tf": old });
  expect(shown).not.toEqual([]);
  for (const text of shown) expect(written["main.tf"]).toContain(text);
});

describe("what cannot be translated", () => {
  test("is null where an output or a local value refers to something that is left out", async () => {
    const text = bpg(`data "proxmox_virtual_environment_hagroups" "all" {}
locals {
  groups = { all = data.proxmox_virtual_environment_hagroups.all.group_ids }
  count  = length(data.proxmox_virtual_environment_hagroups.all.group_ids)
}
output "groups" {
  value      = data.proxmox_virtual_environment_hagroups.all.group_ids
  depends_on = [data.proxmox_virtual_environment_hagroups.all]
}
`);
    const { stdout, written } = await translate({ "main.tf": text });
    expect(stdout).toContain("main.tf:8: data.proxmox_virtual_environment_hagroups.all.group_ids: ");
    const lines = (written["main.tf"] ?? "").split("\n").filter((line) => !line.startsWith("#"));
    expect(lines.slice(6)).toEqual([
      ...["locals {", "  groups = { all = null }", "  count  = try(length(null), null)", "}"],
      ...['output "groups" {', "  value      = null", "  depends_on = []", "}", ""],
    ]);
  });

  test("is listed with its file, its line and what to do, and leaves a comment", async () => {
    const text = vm('  name    = "a"\n  wonder  = true\n  migrate = true\n');
    const { stdout, written } = await translate({ "sub/main.tf": text }, "--json");
    const { by_hand, left_out, counts } = JSON.parse(stdout);
    expect(by_hand).toEqual([
      {
        file: "sub/main.tf",
        line: 9,
        what: "proxmox_virtual_environment_vm.a: wonder",
        todo: expect.stringContaining("not known"),
      },
    ]);
    expect(left_out).toMatchObject([
      { file: "sub/main.tf", line: 10, what: "proxmox_virtual_environment_vm.a: migrate" },
    ]);
    expect(counts).toMatchObject({ files: 1, objects: 1, translated: 1, complete: 0, stay: 0 });
    expect(written["sub/main.tf"]).toContain("# TODO: wonder: ");
    expect(written["sub/main.tf"]).toContain("# Left out: migrate: ");
  });

  test("stays with its provider if it has no counterpart", async () => {
    const text = bpg(
      'provider "proxmox" {\n  endpoint = "https://pve1:8006"\n}\nresource "proxmox_virtual_environment_file" "f" {\n  content_type = "snippets"\n}\n',
    );
    const { written } = await translate({ "main.tf": text });
    expect(written["main.tf"]).toContain('bpg     = { source = "bpg/proxmox" }');
    expect(written["main.tf"]).toContain('provider "bpg" {\n  endpoint = "https://pve1:8006"\n}');
    expect(written["main.tf"]).toContain('resource "proxmox_virtual_environment_file" "f" {\n  provider = bpg\n');
  });
});

describe("what is copied as it is", () => {
  const json = JSON.stringify({ resource: { proxmox_virtual_environment_vm: { a: {} } } }, null, 2);

  test("is listed if it names the other provider: JSON, and tests", async () => {
    const { stdout, written } = await translate(
      {
        "main.tf": vm(""),
        "cdk.tf.json": json,
        "aws.tf.json": "{}",
        "tests/a.tftest.hcl":
          'run "a" {\n  assert {\n    condition = proxmox_virtual_environment_vm.a.vm_id > 0\n  }\n}\n',
      },
      "--json",
    );
    expect(JSON.parse(stdout).by_hand).toMatchObject([
      { file: "cdk.tf.json", line: 3, what: "not translated", todo: expect.stringContaining("bindings") },
      { file: "tests/a.tftest.hcl", line: 3, what: "not translated", todo: expect.stringContaining("test") },
    ]);
    expect(written["cdk.tf.json"]).toBe(json);
  });

  test("nothing is written if there is JSON only", async () => {
    const { code, stderr, written } = await translate({ "cdk.tf.json": json });
    expect({ code, written }).toEqual({ code: 2, written: {} });
    expect(stderr).toContain("in JSON only (cdk.tf.json)");
  });
});

describe("bad input", () => {
  test.each([
    ["an argument without a value", 'resource "a" "b" {\n  x =\n}\n', 2],
    ["a text without an end", 'a = 1\nx {\n  a = "open\n}\n', 3],
    ["a list without an end", "a = [1,\nb = 2\n", 1],
  ])("%s: file and line, and nothing is written", async (_, text, line) => {
    const { code, stderr, written } = await translate({ "main.tf": vm(""), "broken.tf": text });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^broken\\.tf:${line}: this is not valid HCL: .* Nothing was written\\.\\n$`));
    expect(written).toEqual({});
  });

  test("a folder that has files is not written to", async () => {
    const [old, out] = [join(home, "old-taken"), join(home, "taken")];
    for (const folder of [old, out]) mkdirSync(folder);
    writeFileSync(join(old, "main.tf"), vm(""));
    writeFileSync(join(out, "notes.txt"), "mine");
    expect(await command([old, "--out", out])).toMatchObject({ code: 2, stderr: expect.stringContaining("not empty") });
    expect(filesIn(out)).toEqual({ "notes.txt": "mine" });
  });

  test.each([
    [[], /Give one folder/],
    [["/nowhere", "--out", join(home, "x")], /is not a folder/],
    [[fixtures, "--wat"], /--help lists the options/],
    [[fixtures], /--out FOLDER/],
  ])("%j", async (args, message) => {
    expect(await command(args as string[])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message as RegExp),
    });
  });

  test("a folder without either provider", async () => {
    const { code, stderr, written } = await translate({ "main.tf": 'resource "aws_instance" "a" {}\n' });
    expect({ code, stderr, written }).toMatchObject({ code: 1, written: {} });
    expect(stderr).toContain("neither bpg/proxmox nor Telmate/proxmox");
  });

  test("an empty folder", async () => {
    const old = join(home, "old-empty");
    mkdirSync(old);
    const out = join(home, "new-empty");
    expect(await command([old, "--out", out])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no file *.tf"),
    });
    expect(existsSync(out)).toBe(false);
  });

  test("a folder that cannot be written leaves nothing behind", async () => {
    const old = join(home, "old-blocked");
    mkdirSync(old);
    writeFileSync(join(old, "main.tf"), vm(""));
    writeFileSync(join(home, "file"), "");
    const before = readdirSync(home);
    expect(await command([old, "--out", join(home, "file/new")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("cannot be written"),
    });
    expect(readdirSync(home)).toEqual(before);
  });

  test.each(["", "--json"])("no secret is in the report %s", async (option) => {
    const secrets = 'password = "s3cret-a"\n  api_token = "root@pam!x=s3cret-b"\n  auth_ticket = "s3cret-c"';
    const text = `${vm(`  initialization {\n    user_account {\n      password = "s3cret-d"\n      wonder = "s3cret-e"\n    }\n  }`)}
provider "proxmox" {
  ${secrets}
  random_wonder = "s3cret-f"
}
resource "proxmox_virtual_environment_user" "u" {
  user_id  = "u@pve"
  password = "s3cret-g"
  acl {
    path = "s3cret-h"
  }
}
resource "proxmox_virtual_environment_certificate" "c" {
  node_name   = "pve1"
  private_key = "s3cret-i"
}
`;
    const { stdout, stderr, code } = await translate({ "main.tf": text }, ...(option === "" ? [] : [option]));
    expect(code).toBe(0);
    expect(stdout).toContain("wonder");
    expect(stdout + stderr).not.toContain("s3cret");
  });

  test("comments, heredocs and templates keep their characters", async () => {
    const script = `<<-EOT\n    # not a comment\n    $\${x} %%{ if } "quoted" }\n    EOT`;
    const text = vm(`  # before\n  name = "a" # behind\n  description = ${script}\n  /* last */`);
    const { written } = await translate({ "main.tf": text });
    expect(written["main.tf"]).toContain("# before");
    expect(written["main.tf"]).toContain("# behind");
    expect(written["main.tf"]).toContain("/* last */");
    expect(written["main.tf"]).toContain(script.slice("<<-EOT".length));
  });

  test("names and texts never become code", async () => {
    const hostile = 'x\\"\\n}\\nresource \\"null_resource\\" \\"y\\" {';
    const text = `${vm(`  name = "${hostile}"\n  wonder = "a\\n}\\nprovisioner" # }\n  tags = ["$\${x}", "%%{ if }"]`)}
resource "proxmox_virtual_environment_vm" "a b\\"c" {
  node_name = "pve1"
}
`;
    const { written } = await translate({ "main.tf": text });
    expect(written["main.tf"]).toContain(`name    = "${hostile}"`);
    expect(written["main.tf"]).toContain('tags    = ["$${x}", "%%{ if }"]');
    expect(written["main.tf"]?.match(/^resource /gm)).toHaveLength(2);
    expect(written["main.tf"]).not.toMatch(/^\s*provisioner/m);
    expect(written["main.tf"]).not.toContain("moved {\n  from = proxmox_virtual_environment_vm.a b");
  });
});

test("states and what `init` has made stay behind; other files are copied as they are", async () => {
  const { written } = await translate({
    "main.tf": vm(""),
    "terraform.tfstate": "{}",
    "terraform.tfstate.backup": "{}",
    ".terraform/providers/x": "",
    ".terraform.lock.hcl": "",
    "user-data.yaml.tftpl": "#cloud-config\n",
    "prod.tfvars": "a = 1\n",
    "aws.tf": 'resource "aws_instance"   "a" {}\n',
  });
  expect(Object.keys(written).sort()).toEqual(["aws.tf", "main.tf", "prod.tfvars", "user-data.yaml.tftpl"]);
  expect(written["aws.tf"]).toBe('resource "aws_instance"   "a" {}\n');
});

const addresses = (condition: string) =>
  `[for all in proxmox_vm.a.ip_addresses : [for one in all : one if ${condition}]]`;
const ipv4 = `concat([["127.0.0.1"]], ${addresses('!strcontains(one, ":")')})`;

test.each([
  ["ipv4_addresses[1][0]", "proxmox_vm.a.ipv4_address"],
  ["ipv4_addresses[2][0]", 'proxmox_vm.a.ip_addresses["net1"][0]'],
  ["ipv4_addresses", ipv4],
  ["ipv4_addresses[var.card][0]", `${ipv4}[var.card][0]`],
  ["ipv6_addresses", `concat([["::1"]], ${addresses('strcontains(one, ":")')})`],
  ["mac_addresses", "values(proxmox_vm.a.mac_addresses)"],
  ['ipv4_addresses[index(OLD.network_interface_names, "eth0")]', `try(${ipv4}[index(null, "eth0")], null)`],
])("a list of addresses by the number of a card keeps its form: %s", async (old, wanted) => {
  const name = "proxmox_virtual_environment_vm.a";
  const output = `output "o" {\n  value = ${name}.${old.replace("OLD", name)}\n}\n`;
  const { written } = await translate({ "main.tf": `${vm("")}${output}` });
  expect(written["main.tf"]).toContain(`  value = ${wanted}\n`);
});
