import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../../src/cli/roles/role-command.ts";
import { type } from "../../contract/cli/person.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/permissions.md"), "utf8");
const shown = [...guide.matchAll(/```console\n\$ terraform-provider-proxmox doctor role (.*)\n([\s\S]*?)```/g)];

describe("doctor role", () => {
  test("is shown in the guide for every scope", () => {
    expect(shown.map(([, args = ""]) => args.split(" ")[0]).sort()).toEqual([
      "--for",
      "--pool",
      "--read-only",
      "--vms",
    ]);
  });

  test.each(shown.map(([, args = "", text = ""]) => [args, text]))(
    "%s prints the output in the guide",
    async (args, text) => {
      expect(await type(run, args.split(" "), {})).toEqual({ code: 0, stdout: text, stderr: "" });
    },
  );

  test("prints the same in JSON", async () => {
    const { stdout: text } = await type(run, ["--pool", "prod"], {});
    const { stdout } = await type(run, ["--pool", "prod", "--json"], {});
    const { user, token, roles, commands } = JSON.parse(stdout);
    expect([user, token]).toEqual(["terraform@pve", "terraform@pve!tf"]);
    expect(commands).toEqual(text.split("\n").filter((line) => line.startsWith("pveum ")));
    expect(roles[0]).toMatchObject({ role: "terraform-pool", paths: ["/pool/prod"] });
  });

  test("never names a privilege that Proxmox VE 9 does not have", async () => {
    const everything = (await type(run, ["--help"], {})).stdout.match(/Allow more: (.*) \(may/)?.[1]?.split(", ") ?? [];
    expect(everything).toContain("ha");
    const { stdout } = await type(
      run,
      everything.flatMap((name) => ["--with", name]),
      {},
    );
    expect(stdout).toContain("Sys.Console");
    expect(stdout).not.toMatch(/VM\.Monitor|Administrator|PVEAdmin/);
  });

  test.each<[string[], string]>([
    [["--vms", "--read-only"], "exclude each other"],
    [["--user", "terraform"], "must be a user with its realm"],
    [["--user", "root@pam"], "root@pam already has every privilege"],
    [["--user", "a@pve", "--token", "b@pve!tf"], "is not a token of a@pve"],
    [["--token", "a b"], "--token cannot be 'a b'"],
    [["--storage", "x y"], "--storage cannot be 'x y'"],
    [["--template", "ubuntu"], "--template cannot be 'ubuntu'"],
    [["--with", "magic"], "--with magic is unknown. Available: `agent`,"],
    [["--colour"], "Unknown option '--colour'"],
  ])("%j is refused in a sentence", async (args, sentence) => {
    const { code, stderr } = await type(run, args, {});
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
