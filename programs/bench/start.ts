/**
 * `npm run bench:start`: how long the provider takes to start, and how long Terraform takes with it, compared with an
 * empty Node and, with PEER_PROVIDER=/path/to/terraform-provider-x, with any other provider. Times depend on the
 * machine and its load; their ratios hardly do.
 *
 * A peer's `plan` requires its own configuration: PEER_CONFIG=/path/to/main.tf, with PEER_ADDRESS=host/namespace/name
 * if that is not `registry.terraform.io/peer/x`. RUNS=21 sets how often each is measured. MORE_TYPES=60 compares with a
 * build that has 60 more resource types.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { devOverrides, findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import { buildWithMoreTypes } from "./more-types.ts";
import { emptyNode, environment, handshake, type Measure, medians, print } from "./start-measures.ts";

const root = join(import.meta.dirname, "../..");
const bar = { ours: 70, empty: 30 };

interface Contender {
  name: string;
  path: string;
  address: string;
  config: string | undefined;
}

const oneVm = `
terraform {
  required_providers {
    proxmox = { source = "${sourceAddress}" }
  }
}
provider "proxmox" {
  endpoint    = "https://127.0.0.1:8006"
  api_token   = "ops@pve!bench=00000000-0000-0000-0000-000000000000"
  plan_checks = "off"
}
resource "proxmox_vm" "web" {
  name = "web-1"
  node = "pve1"
}
`;

function contenders(): Contender[] {
  return [...ours(), ...peers()];
}

function ours(): Contender[] {
  const { MORE_TYPES: more } = process.env;
  const built = { name: "ours", path: join(root, "dist/terraform-provider-proxmox") };
  const larger = more ? [{ name: `${more} types more`, path: buildWithMoreTypes(root, Number(more)) }] : [];
  return [built, ...larger].map((one) => ({ ...one, address: sourceAddress, config: oneVm }));
}

function peers(): Contender[] {
  const { PEER_PROVIDER: path, PEER_ADDRESS, PEER_CONFIG } = process.env;
  if (!path) return [];
  const name = basename(path)
    .replace(/^terraform-provider-/, "")
    .replace(/_v.*/, "");
  const config = PEER_CONFIG && readFileSync(PEER_CONFIG, "utf8");
  return [{ name: `peer ${name}`, path, address: PEER_ADDRESS ?? `registry.terraform.io/peer/${name}`, config }];
}

/** A folder with the provider's configuration, and the command that plans it. */
function planning(terraform: string, { address, path, config = "" }: Contender): Measure {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "main.tf"), config);
  const cliConfig = join(folder, "cli.tfrc");
  writeFileSync(cliConfig, devOverrides(address, dirname(path)));
  const env = { ...environment, TF_CLI_CONFIG_FILE: cliConfig, CHECKPOINT_DISABLE: "1" };
  return () => {
    const begun = performance.now();
    const { status, stderr } = spawnSync(terraform, ["plan", "-input=false"], { cwd: folder, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`terraform plan failed: ${stderr}`);
    return performance.now() - begun;
  };
}

execFileSync(process.execPath, [join(root, "scripts/build.ts")], { stdio: ["ignore", "ignore", "inherit"] });
const all = contenders();
const starts = await medians(
  new Map<string, Measure>([
    ["node -e 0", emptyNode],
    ...all.map(({ name, path }): [string, Measure] => [name, () => handshake(path)]),
  ]),
);
print("handshake", starts);

const [binary] = findBinaries();
if (binary) {
  const able = all.filter(({ config }) => config !== undefined);
  if (able.length < all.length) process.stderr.write("PEER_CONFIG is not set, so the peer has nothing to plan\n");
  const plans = able.map((contender): [string, Measure] => [contender.name, planning(binary.path, contender)]);
  print(`${binary.name} plan`, await medians(new Map(plans)));
} else {
  process.stderr.write(`${howToGetOne}\n`);
}

const ratio = (starts.get("ours") ?? Number.NaN) / (starts.get("node -e 0") ?? Number.NaN);
const isMet = ratio <= bar.ours / bar.empty;
process.stdout.write(
  `\nlimit: a handshake within ${bar.ours} ms where an empty Node takes ${bar.empty}, ${(bar.ours / bar.empty).toFixed(2)} ×; ` +
    `here ${ratio.toFixed(2)} ×: ${isMet ? "met" : "MISSED"}\n`,
);
process.exitCode = isMet ? 0 : 1;
