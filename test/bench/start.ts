/**
 * `npm run bench:start`: how long the provider takes to start, and how long Terraform takes with it, against an empty
 * Node and, with PEER_PROVIDER=/path/to/terraform-provider-x, against any other provider. Times depend on the machine
 * and on what else it does; their ratios hardly do.
 *
 * A peer's `plan` needs a configuration of its own: PEER_CONFIG=/path/to/main.tf, with PEER_ADDRESS=host/namespace/name
 * where that is not `registry.terraform.io/peer/x`. RUNS=21 sets how often each thing is measured.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { devOverrides, findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import { clientCertificate } from "../harness/client-certificate.ts";
import { cookie } from "../harness/launch.ts";

const root = join(import.meta.dirname, "../..");
const runs = Number(process.env["RUNS"] ?? 21);
const handshakeBar = { ours: 70, empty: 30 };
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...environment } = process.env;

interface Contender {
  name: string;
  path: string;
  address: string;
  config: string | undefined;
}

const trivial = `
terraform {
  required_providers {
    proxmox = { source = "${sourceAddress}" }
  }
}
provider "proxmox" {
  endpoint  = "https://127.0.0.1:8006"
  api_token = "ops@pve!bench=00000000-0000-0000-0000-000000000000"
}
`;

function contenders(): Contender[] {
  const ours = {
    name: "ours",
    path: join(root, "dist/terraform-provider-proxmox"),
    address: sourceAddress,
    config: trivial,
  };
  const { PEER_PROVIDER: path, PEER_ADDRESS, PEER_CONFIG } = process.env;
  if (!path) return [ours];
  const name = basename(path)
    .replace(/^terraform-provider-/, "")
    .replace(/_v.*/, "");
  const config = PEER_CONFIG && readFileSync(PEER_CONFIG, "utf8");
  return [ours, { name: `peer ${name}`, path, address: PEER_ADDRESS ?? `registry.terraform.io/peer/${name}`, config }];
}

async function median(measure: () => number | Promise<number>): Promise<number> {
  const times: number[] = [];
  await measure(); // the first one warms the disk cache
  for (let i = 0; i < runs; i++) times.push(await measure());
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}

async function emptyNode(): Promise<number> {
  const begun = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { env: environment, stdio: "ignore" }), "exit");
  return performance.now() - begun;
}

const client = clientCertificate();

async function handshake(path: string): Promise<number> {
  const begun = performance.now();
  const env = { ...environment, ...cookie, PLUGIN_PROTOCOL_VERSIONS: "5,6", PLUGIN_CLIENT_CERT: client.certificate };
  const child: ChildProcess = spawn(path, { env, stdio: ["ignore", "pipe", "ignore"] });
  if (child.stdout) await once(child.stdout, "data");
  const time = performance.now() - begun;
  child.kill("SIGKILL");
  await once(child, "exit");
  return time;
}

function wholePlan(terraform: string, { address, path, config = "" }: Contender): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    writeFileSync(join(folder, "main.tf"), config);
    const cliConfig = join(folder, "cli.tfrc");
    writeFileSync(cliConfig, devOverrides(address, dirname(path)));
    const env = { ...environment, TF_CLI_CONFIG_FILE: cliConfig, CHECKPOINT_DISABLE: "1" };
    return median(() => {
      const begun = performance.now();
      const { status, stderr } = spawnSync(terraform, ["plan", "-input=false"], { cwd: folder, env, encoding: "utf8" });
      if (status !== 0) throw new Error(`terraform plan failed: ${stderr}`);
      return performance.now() - begun;
    });
  } finally {
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
}

function print(what: string, who: string, time: number, base: number, than: string): void {
  const ratio = `${(time / base).toFixed(2)} × ${than}`;
  process.stdout.write(`${what.padEnd(16)}${who.padEnd(24)}${`${time.toFixed(1)} ms`.padStart(12)}   ${ratio}\n`);
}

execFileSync(process.execPath, [join(root, "scripts/build.ts")], { stdio: ["ignore", "ignore", "inherit"] });
const empty = await median(emptyNode);
print("start", "node -e 0", empty, empty, "node -e 0");
const handshakes = new Map<string, number>();
for (const { name, path } of contenders()) {
  const time = await median(() => handshake(path));
  handshakes.set(name, time);
  print("handshake", name, time, empty, "node -e 0");
}
const ours = handshakes.get("ours") ?? Number.NaN;
for (const [name, time] of handshakes) if (name !== "ours") print("handshake", "ours", ours, time, name);

const [binary] = findBinaries();
if (!binary) {
  process.stderr.write(`${howToGetOne}\n`);
} else {
  const plans: [string, number][] = [];
  for (const contender of contenders()) {
    if (contender.config === undefined) process.stderr.write(`no plan for ${contender.name}: PEER_CONFIG is not set\n`);
    else plans.push([contender.name, await wholePlan(binary.path, contender)]);
  }
  const [, ownPlan = Number.NaN] = plans[0] ?? [];
  for (const [name, time] of plans) print(`${binary.name} plan`, name, time, time, name);
  for (const [name, time] of plans.slice(1)) print(`${binary.name} plan`, "ours", ownPlan, time, name);
}

const scaled = (ours / empty) * handshakeBar.empty;
const verdict = scaled <= handshakeBar.ours ? "met" : "MISSED";
process.stdout.write(
  `\nbar: a handshake within ${handshakeBar.ours} ms where an empty Node takes ${handshakeBar.empty}; here ${scaled.toFixed(0)} ms: ${verdict}\n`,
);
process.exitCode = scaled <= handshakeBar.ours ? 0 : 1;
