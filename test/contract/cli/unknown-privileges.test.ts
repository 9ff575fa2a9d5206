import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dice } from "../../../programs/chaos/dice.ts";
import { run as doctor } from "../../../src/cli/doctor/doctor.ts";
import { run as printRoles } from "../../../src/cli/roles/role-command.ts";
import { typeCommands } from "../pveum.ts";
import { grantLittle, ResourceBench } from "../resource-bench.ts";
import { tamperAnswers } from "../tampered-answers.ts";
import { type, variablesFor } from "./person.ts";

const cases = Number(process.env["CASES"] ?? 8);

describe("a host without some of the privileges", () => {
  let bench: ResourceBench;
  beforeAll(async () => {
    bench = await ResourceBench.open();
  });
  afterAll(() => bench.close());

  /** Neither roles nor permissions show them. */
  const withoutPrivileges = (gone: ReadonlySet<string>) =>
    tamperAnswers(bench.simulator, {
      answer(call, answer) {
        if (call === "GET /access/roles") {
          return (answer as { privs?: string }[]).map(({ privs = "", ...role }) => ({
            ...role,
            privs: ["Future.Audit", ...privs.split(",").filter((one) => !gone.has(one))].join(","),
          }));
        }
        if (call !== "GET /access/permissions") return answer;
        return Object.fromEntries(
          Object.entries(answer as Record<string, object>).map(([path, granted]) => [
            path,
            Object.fromEntries([...Object.entries(granted).filter(([name]) => !gone.has(name)), ["Future.Audit", 1]]),
          ]),
        );
      },
    });

  /** Those that plans and roles of VMs name. */
  const asked = [
    "VM.GuestAgent.Audit",
    "VM.Config.CPU",
    "VM.Config.Cloudinit",
    "VM.Config.HWType",
    "SDN.Use",
    "VM.PowerMgmt",
  ];
  const vm = { name: "newer", clone: { template: "9000" }, cpu: { cores: 2 }, agent: { enabled: true } };

  it.each(Array.from({ length: cases }, (_, seed) => seed))("is asked for none of them: %d", async (seed) => {
    const dice = new Dice(seed);
    const gone = new Set(asked.filter(() => dice.chance(0.5)).concat("VM.Monitor"));
    bench.simulator.reset();
    const restore = withoutPrivileges(gone);
    const isNamed = (text: string) => [...gone].filter((one) => new RegExp(`${one}(?![.\\w])`).test(text));
    try {
      const env = variablesFor(bench.simulator, "root@pam!admin");
      const { stdout } = await type(printRoles, ["--for", "proxmox_vm", "--user", "least@pve"], env);
      const [commands, remark] = [/^(?!#).*$/gm, /^# Left out.*$/gm].map((lines) =>
        (stdout.match(lines) ?? []).join("\n"),
      );
      expect(isNamed(commands ?? "")).toEqual([]);
      if (gone.size > 1) expect(remark).toContain("# Left out, since the host does not have it: ");
      const { "least@pve!tf": secret } = await typeCommands(bench.simulator, stdout);
      await bench.configure("", { api_token: `least@pve!tf=${secret}` });
      await bench.resource("proxmox_vm").plan(null, vm);
      const least = { ...env, PROXMOX_VE_API_TOKEN: `least@pve!tf=${secret}` };
      const seen = await type(doctor, [], least);
      expect(isNamed(seen.stdout)).toEqual([]);
      expect(seen.stdout).toContain("✔              may wait for the addresses of a guest\n");
      expect(seen.stdout).toContain("✔              may change the settings of a VM\n");
    } finally {
      restore();
    }
  });

  it("is still asked for those that it has", async () => {
    bench.simulator.reset();
    const restore = withoutPrivileges(new Set(["VM.Config.CPU"]));
    try {
      grantLittle(bench.simulator);
      await bench.configure("noacl@pve!tf");
      const refusal = bench.resource("proxmox_vm").plan(null, vm);
      await expect(refusal).rejects.toThrow(/Privileges missing/);
      await expect(refusal).rejects.not.toThrow(/VM\.Config\.CPU/);
    } finally {
      restore();
    }
  });
});
