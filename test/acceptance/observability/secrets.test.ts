import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import { Workspace } from "../../terraform/workspace.ts";
import { buildProvider } from "../cluster-workspace.ts";

const [binary] = findBinaries();

const secrets = {
  cloudInitPassword: 'correct-horse-9 "battery"',
  privateKey: "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----",
  userPassword: "pa55/w0rd+of=ops&co",
};
const userData = `#cloud-config\nwrite_files:\n  - content: ${JSON.stringify(secrets.privateKey)}\n`;

/** A write-only value: not even the state may contain it. */
const hiddenKey = "AGE-SECRET-KEY-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS";

const hcl = `
terraform {
  required_providers {
    proxmox = { source = "${sourceAddress}" }
  }
}
provider "proxmox" {}
variable "password" { ephemeral = true }
variable "user_data" { sensitive = true }
variable "hidden" { ephemeral = true }
resource "proxmox_vm" "web" {
  name       = "web-1"
  vmid       = 401
  clone      = { template = "9000" }
  cloud_init = { user = "ops", password = var.password }
}
resource "proxmox_vm" "db" {
  name       = "db-1"
  vmid       = 402
  clone      = { template = "9000" }
  cloud_init = { user_data = var.user_data }
  depends_on = [proxmox_vm.web]
}
resource "proxmox_vm" "vault" {
  name       = "vault-1"
  vmid       = 403
  clone      = { template = "9000" }
  cloud_init = { user_data_wo = "#cloud-config\\nbootcmd: [echo \${var.hidden}]\\n", vendor_data_wo = var.hidden }
  depends_on = [proxmox_vm.web]
}
`;

/** A state or a saved plan without the text that is documented to be stored there unencrypted. */
function hidden(json: string, stored: string): string {
  const parts = [stored, JSON.stringify(stored).slice(1, -1)];
  expect(parts.some((part) => json.includes(part))).toBe(true);
  return parts.reduceRight((rest, part) => rest.replaceAll(part, "(stored)"), json);
}

/** All output of the provider at the highest level, by kind, while a VM is created at the second attempt. */
async function sinksOf(simulator: Simulator, caller: Record<string, string>): Promise<Record<string, string>> {
  using terraform = new Workspace(binary as NonNullable<typeof binary>, await buildProvider(), sourceAddress);
  const file = (name: string) => join(terraform.folder, name);
  terraform.configure(hcl);
  Object.assign(terraform.env, caller, {
    PROXMOX_VE_ENDPOINT: simulator.url,
    PROXMOX_VE_CA_CERTIFICATE: terraform.write("ca.pem", simulator.caCertificate),
    TF_VAR_password: secrets.cloudInitPassword,
    TF_VAR_user_data: userData,
    TF_VAR_hidden: hiddenKey,
    TF_LOG_PROVIDER: "TRACE",
    TF_LOG_PATH: file("terraform.log"),
    PROXMOX_LOG_LEVEL: "debug",
    PROXMOX_LOG_PATH: file("readable.log"),
    PROXMOX_TRACE_PATH: file("run.jsonl"),
  });
  // A server that repeats its input would reveal secrets.
  const reason = `${secrets.cloudInitPassword} is too weak`;
  simulator.faults.order({ do: "answer", call: "PUT /nodes/{node}/qemu/{vmid}/config", status: 500, reason });
  const failed = await terraform.apply();
  expect(failed.code).toBe(1);
  const { stdout: plan } = await terraform.run(["plan", "-no-color", "-out=saved", "-input=false"]);
  const saved = JSON.stringify(await terraform.show("saved"));
  const applied = await terraform.apply();
  expect({ code: applied.code, said: applied.diagnostics }).toEqual({ code: 0, said: [] });
  return {
    "the lines for Terraform": terraform.read("terraform.log"),
    "the lines for people": terraform.read("readable.log"),
    "the trace": terraform.read("run.jsonl"),
    "the state": hidden(terraform.read("terraform.tfstate"), userData),
    "the plan": plan + hidden(saved, userData),
    "what Terraform prints": failed.stdout + failed.stderr + applied.stdout + applied.stderr,
  };
}

describe.skipIf(!binary)("a full run at debug", () => {
  let simulator: Simulator;
  const issued: string[] = [];
  beforeAll(async () => {
    const seed = defaultSeed() as { users: { userid: string }[] };
    const users = [{ ...seed.users[0], password: secrets.userPassword }, ...seed.users.slice(1)];
    simulator = await startSimulator({ speed: 100, seed: { ...seed, users } });
    const { tickets } = simulator.sim;
    const [issue, issueCsrfToken] = [tickets.issue.bind(tickets), tickets.issueCsrfToken.bind(tickets)];
    const noted = (secret: string) => issued[issued.push(secret) - 1] as string;
    tickets.issue = (...given) => noted(issue(...given));
    tickets.issueCsrfToken = (user) => noted(issueCsrfToken(user));
  });
  afterAll(() => simulator.close());

  test.each<[string, (simulator: Simulator) => Record<string, string>, number]>([
    ["by token", ({ tokens }) => ({ PROXMOX_VE_API_TOKEN: tokens["root@pam!admin"] ?? "" }), 0],
    ["by password", () => ({ PROXMOX_VE_USERNAME: "root@pam", PROXMOX_VE_PASSWORD: secrets.userPassword }), 2],
  ])("%s shows none of its secrets in any output", async (_, callerOf, fewestIssued) => {
    simulator.reset();
    issued.length = 0;
    const caller = callerOf(simulator);
    const sinks = await sinksOf(simulator, caller);
    expect(issued.length).toBeGreaterThanOrEqual(fewestIssued);
    const tokenSecret = caller["PROXMOX_VE_API_TOKEN"]?.split("=")[1] ?? [];
    const lines = userData.split(/\n|\\n/).filter((line) => line.includes("KEY") || line.includes("b3Blb"));
    for (const secret of [
      ...Object.values(secrets),
      hiddenKey,
      userData,
      ...lines,
      ...issued,
      ...[tokenSecret].flat(),
    ]) {
      for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
        for (const [sink, text] of Object.entries(sinks)) expect(text.includes(form), `${form} in ${sink}`).toBe(false);
      }
    }
    // The outputs are complete, and contained secrets to hide.
    expect(sinks["the lines for Terraform"]).toMatch(/web-1: cloned from 9000[\s\S]*\(hidden\) is too weak/);
    expect(sinks["the lines for people"]).toMatch(
      /PUT \S+\/config: 500 reason="\(hidden\) is too weak"[\s\S]*db-1 +cloud-init /,
    );
    expect(sinks["the trace"]).toMatch(/\(hidden\) is too weak[\s\S]*"step":"cloud-init"/);
    expect(sinks["what Terraform prints"]).toContain("is too weak");
  });
});

if (!binary) test.skip(`a full run at debug: skipped. ${howToGetOne}`);
