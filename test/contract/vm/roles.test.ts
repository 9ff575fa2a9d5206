import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "../../../src/cli/roles/role-command.ts";
import type { Input, Instance, ManagedResource } from "../../harness/index.ts";
import { type } from "../cli/person.ts";
import { typeCommands } from "../pveum.ts";
import { grantLittle } from "../resource-bench.ts";
import { RightsBench } from "./rights-bench.ts";

let bench: RightsBench;

beforeEach(async () => {
  bench = await RightsBench.open();
});

afterEach(() => bench.close());

const token = "least@pve!tf";

/** Does what `doctor role` prints, and is the token it makes. */
async function become(...args: string[]): Promise<string> {
  const { code, stdout } = await type(run, ["--user", "least@pve", ...args], {});
  expect(code).toBe(0);
  const secrets = await typeCommands(bench.simulator, stdout);
  return `${token}=${secrets[token]}`;
}

/** Every role that was made, and each of its privileges. */
const rolesMade = (): [string, string[]][] =>
  Object.entries(bench.simulator.sim.world.access.roles).filter(([role]) => role.startsWith("terraform-")) as [
    string,
    string[],
  ][];

const clone = { template: "debian-13-cloud" };

/** What a VM is in the beginning, and what it becomes: every block there is, and another node. */
const lives = (more: object): [Input, Input] => {
  const born = { name: "least", vmid: 800, clone, agent: { enabled: true, wait: "5s" }, ...more };
  const grown = {
    ...born,
    node: "pve2",
    agent: { enabled: true },
    description: "grown",
    tags: ["grown"],
    cpu: { cores: 3 },
    memory: { size: "3G" },
    vga: { type: "std" },
    disks: { scsi0: { size: "6G" }, scsi1: { storage: "ceph", size: "1G" } },
    networks: { net0: { vlan: 20 } },
    cloud_init: { user: "ops", slot: "ide2" },
    cdroms: { ide0: { file: "none" } },
    boot_order: ["scsi0", "net0"],
    restart_policy: "when_needed",
  };
  return [born, grown];
};

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (reason: Error) => reason.message,
  );
}

/** All that the plans of a whole life complain about. */
async function complaints(caller: ManagedResource, [born, grown]: [Input, Input], made: Instance): Promise<string> {
  const plans = [
    () => caller.plan(null, { ...(born as object), vmid: 801, name: "another" }),
    async () => caller.plan(await caller.refresh(made), grown),
    () => caller.planDestroy(made),
  ];
  const messages: string[] = [];
  for (const plan of plans) messages.push(await messageOf(plan()));
  return messages.join("\n");
}

const scopes: [string, string[], object][] = [
  ["all VMs", ["--vms"], {}],
  ["some storages and bridges", ["--vms", "--storage", "ceph", "--bridge", "vmbr0"], {}],
  ["the VMs of a pool", ["--pool", "prod", "--template", "9001", "--storage", "ceph"], { pool: "prod" }],
];

describe("the roles for", () => {
  test.each(scopes)("%s suffice for a whole life, and each privilege of them is needed", async (_, args, more) => {
    bench.simulator.sim.world.access.pools["prod"] = { vms: [], storage: [] };
    const secret = await become(...args);
    const life = lives(more);
    const caller = await bench.as(secret);
    const made = await caller.create(life[0]);
    for (const [role, privileges] of rolesMade()) {
      for (const privilege of [...privileges]) {
        privileges.splice(privileges.indexOf(privilege), 1);
        const reported = await complaints(await bench.as(secret), life, made);
        expect(reported, `without ${privilege} in ${role}`).toContain(privilege);
        privileges.push(privilege);
      }
    }
    const again = await bench.as(secret);
    const grown = await again.update(made, life[1]);
    await again.destroy(grown);
    expect(bench.has(800)).toBe(false);
  });
});

test("the role for reading only plans and refreshes, and reads by name what it may not do", async () => {
  const root = await bench.as(bench.simulator.tokens["root@pam!admin"] ?? "");
  const [born, grown] = lives({});
  const made = await root.create(born);
  const caller = await bench.as(await become("--read-only"));
  const seen = await caller.refresh(made);
  expect((await caller.plan(seen, born)).action).toBe("no-op");
  const reported = await complaints(caller, [born, grown], made);
  for (const privilege of ["VM.Clone", "VM.Allocate", "Datastore.AllocateSpace", "SDN.Use", "VM.Config.CPU"]) {
    expect(reported).toContain(privilege);
  }
  await (await bench.as(bench.simulator.tokens["root@pam!admin"] ?? "")).destroy(made);
});

describe("what a plan says is missing", () => {
  test("is granted by the commands it prints, until nothing is missing", async () => {
    const { tokens } = bench.simulator;
    const [born] = lives({});
    const secret = tokens["noacl@pve!tf"] ?? "";
    grantLittle(bench.simulator);
    const reported = await messageOf((await bench.as(secret)).plan(null, born));
    expect(reported).toMatch(/hidden from noacl@pve!tf.*noacl@pve!tf needs/s);
    let rounds = 0;
    for (let message = reported; message !== ""; rounds++) {
      const commands = message.split("\n").filter((line) => line.trim().startsWith("pveum "));
      expect(commands.length, message).toBeGreaterThan(0);
      await typeCommands(bench.simulator, commands.join("\n"));
      message = await messageOf((await bench.as(secret)).plan(null, born));
    }
    // Once to see the template, once for what the clone of it takes.
    expect(rounds).toBe(2);
    const caller = await bench.as(secret);
    await caller.destroy(await caller.create(born));
  });

  test("is not looked at, nor asked for, where the provider block says so", async () => {
    const { log } = bench.simulator.sim;
    const caller = await bench.as(bench.simulator.tokens["noacl@pve!tf"] ?? "", { permission_check: "off" });
    log.clear();
    await expect(caller.plan(null, lives({})[0])).rejects.toThrow("Template not found");
    const { calls } = log.summary() as { calls: { endpoint: string }[] };
    expect(calls.map(({ endpoint }) => endpoint)).not.toContain("GET /access/permissions");
  });
});
