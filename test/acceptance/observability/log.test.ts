import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { type Binary, findBinaries, howToGetOne } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { startedByTerraform, type Workspace } from "../../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { inTerminal, noTerminal } from "./terminal.ts";

const binaries = findBinaries();
if (noTerminal) process.stderr.write(`tests in a terminal are skipped: ${noTerminal}\n`);

const web = `
resource "proxmox_vm" "web" {
  name  = "web-1"
  vmid  = 401
  clone = { template = "9000", full = true }
  cpu   = { cores = 4 }
  disks = { scsi0 = { size = "40G" } }
  power = "running"
}
`;

for (const binary of binaries) {
  describe(`the log (${binary.name} ${binary.version})`, () => {
    const { simulator, terraform } = bench(binary, { speed: 100 });

    test.skipIf(noTerminal)("reaches the terminal directly, in colour", async () => {
      terraform().configure(web);
      const { code, screen, printed } = await inTerminal(terraform(), binary.path, "apply -auto-approve -no-color", {
        PROXMOX_LOG_LEVEL: "info",
      });
      expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining("Apply complete") });
      expect(printed).not.toContain("cloned from");
      const lines = plain(screen).split(/\r?\n/).filter(Boolean);
      expect(screen).toContain("\u001b[");
      // No handshake, no JSON, nothing but the steps.
      expect(lines.map((line) => line.replace(/^[\d:.]{12} INFO {2}web-1 +(\S+) .*/, "$1"))).toEqual([
        "clone",
        "clone",
        "config",
        "config",
        "resize",
        "resize",
        "start",
        "start",
        "create",
      ]);
      expect(lines[1]).toMatch(/web-1 +clone +[\d.]+ m?s {2}cloned from 9000 {2}UPID:pve1:\S+:qmclone:9000:\S+:$/);
    });

    test.skipIf(noTerminal)("has no colours with NO_COLOR", async () => {
      terraform().configure(web);
      const { screen } = await inTerminal(terraform(), binary.path, "plan -no-color", {
        PROXMOX_LOG_LEVEL: "debug",
        NO_COLOR: "1",
      });
      expect(screen).toContain("GET /cluster/resources: 200");
      expect(screen).not.toContain("\u001b");
    });

    test("is not written without a terminal, and a warning says where it would go", async () => {
      terraform().configure(web);
      const { code, stdout, stderr } = await terraform().run(["plan", "-no-color"], { PROXMOX_LOG_LEVEL: "debug" });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).not.toMatch(/DEBUG|@message/);
      expect(stdout.replaceAll(/[\s│]+/g, " ")).toContain("Set PROXMOX_LOG_PATH to a file");
      expect(stdout.match(/The log has no destination/g)).toHaveLength(1);
    });

    test.each([
      [
        "of a clone that Ctrl-C stops",
        "qmclone",
        'Task of VM "web-1" was stopped',
        "Proxmox VE undoes what it has begun",
      ],
      ["of a start that Ctrl-C leaves alone", "qmstart", 'Task of VM "web-1" continues', "Wait for its end before"],
    ])("says what became of the task: %s", async (_, type, summary, detail) => {
      terraform().configure(web);
      simulator().faults.order({ do: "slow", task: type, seconds: 6000 });
      const running = terraform().start(["apply", "-json", "-auto-approve", "-input=false"]);
      await expect
        .poll(() => simulator().sim.world.tasks.map((task) => task.type), { timeout: 60_000 })
        .toContain(type);
      running.signalGroup("SIGINT");
      const { code, diagnostics } = await running.outcome;
      expect(code).toBe(1);
      const warned = diagnostics.filter(({ severity }) => severity === "warning");
      expect(warned.map((one) => `${one.summary}: ${one.detail}`)).toEqual([
        expect.stringMatching(new RegExp(`^${summary}: .*${detail}.*Task: UPID:pve1:\\S+:${type}:`, "s")),
      ]);
      expect(diagnostics.some((one) => one.summary.startsWith("Interrupted: create proxmox_vm"))).toBe(true);
    });

    test("has every documented line at debug, each with the VM's name, in the file that is configured", async () => {
      const log = terraform().write("debug.log", "");
      terraform().configure(web);
      const { faults } = simulator();
      faults.order({ do: "slow", task: "qmclone", seconds: 60 });
      const reason = "can't lock file '/var/lock/qemu-server/lock-401.conf' - got timeout";
      faults.order({ do: "answer", call: "PUT /nodes/{node}/qemu/{vmid}/config", status: 500, reason });
      const { code, stdout } = await terraform().run(["apply", "-auto-approve", "-no-color"], {
        PROXMOX_LOG_LEVEL: "debug",
        PROXMOX_LOG_PATH: log,
        PROXMOX_VE_TASK_POLL_INTERVAL: "20ms",
        PROXMOX_VE_LOCK_WAITS: "30ms",
      });
      expect({ code, stdout }).toMatchObject({ code: 0 });
      const lines = readFileSync(log, "utf8").split("\n");
      const upid = "UPID:pve1:\\S+:qmclone:9000:\\S+:";
      for (const promised of [
        `INFO  web-1 +clone +cloning from 9000$`,
        `DEBUG web-1 +clone +[\\d.]+ m?s +POST /nodes/pve1/qemu/9000/clone: 200$`,
        `DEBUG web-1 +clone +waiting for the task type=qmclone +${upid}$`,
        `DEBUG web-1 +clone +[\\d.]+ m?s +task is still running polls=10 +${upid}$`,
        `DEBUG web-1 +clone +[\\d.]+ m?s +task has ended: OK polls=\\d+ +${upid}$`,
        `DEBUG web-1 +stabilise +[\\d.]+ m?s +the clone is ready$`,
        `INFO  web-1 +clone +[\\d.]+ m?s +cloned from 9000 +${upid}$`,
        `DEBUG web-1 +config +attempt: configure VM 401 attempt=1$`,
        `DEBUG web-1 +config +[\\d.]+ m?s +PUT /nodes/pve1/qemu/401/config: 500 reason=".*got timeout"$`,
        `INFO  web-1 +config +locked, waiting: configure VM 401 attempt=1 wait=30 ms error=".*got timeout"$`,
        `DEBUG web-1 +config +attempt: configure VM 401 attempt=2$`,
        `INFO  web-1 +config +[\\d.]+ m?s +configured$`,
        `INFO  web-1 +create +[\\d.]+ m?s +create is complete \\(clone [\\d.]+ m?s, config .+, resize .+, start .+\\)$`,
      ]) {
        expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^[\\d:.]{12} ${promised}`)));
      }
    });

    test("is part of Terraform's log, with its level and its module", async () => {
      const log = terraform().write("terraform.log", "");
      terraform().configure(web);
      await terraform().run(["apply", "-auto-approve"], {
        TF_LOG: "DEBUG",
        TF_LOG_PATH: log,
        PROXMOX_LOG_LEVEL: "debug",
      });
      const text = readFileSync(log, "utf8");
      expect(text).toMatch(
        / \[INFO\] +provider\.terraform-provider-proxmox: web-1: cloned from 9000 in [\d.]+ m?s \(UPID:\S+\): .*@module=provider\.proxmox/,
      );
      expect(text).toMatch(/ \[DEBUG\] +provider\.terraform-provider-proxmox: web-1: API call: .*status=200/);
      // Terraform would show a line that it cannot parse as it is.
      expect(text).not.toContain('"@message"');
    });

    test("starts with a warning if its settings are wrong, and the run continues", async () => {
      terraform().configure(web);
      Object.assign(terraform().env, {
        PROXMOX_LOG_LEVEL: "loud",
        PROXMOX_LOG_PATH: "/dev/null/log",
        PROXMOX_TRACE_PATH: terraform().folder,
      });
      const { code, diagnostics } = await terraform().plan();
      expect(code).toBe(2);
      expect(diagnostics.map(({ severity, summary, detail }) => `${severity} ${summary}: ${detail}`)).toEqual([
        'warning Unknown log level: PROXMOX_LOG_LEVEL is "loud". It can be one of error, warn, info, debug; this run uses info.',
        expect.stringMatching(
          /^warning PROXMOX_LOG_PATH cannot be written: \/dev\/null\/log: the folder does not exist\./,
        ),
        expect.stringMatching(/^warning PROXMOX_TRACE_PATH cannot be written: .*: it is a folder\./),
      ]);
    });
  });
}

if (binaries.length === 0) test.skip(`the log: skipped. ${howToGetOne}`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
const plain = (text: string): string => text.replace(/\u001b\[\d+m/g, "");

function bench(binary: Binary, { speed }: { speed: number }) {
  let plugin: PluginBinary;
  let simulator: Simulator;
  let terraform: Workspace;
  beforeAll(async () => {
    plugin = await buildProvider();
    simulator = await startSimulator({ speed });
  });
  beforeEach(() => {
    simulator.reset();
    simulator.faults.clear();
    terraform = startedByTerraform(clusterWorkspace(binary, plugin, simulator));
    return () => terraform[Symbol.dispose]();
  });
  afterAll(() => simulator.close());
  return { simulator: () => simulator, terraform: () => terraform };
}
