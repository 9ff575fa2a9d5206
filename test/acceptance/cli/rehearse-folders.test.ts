import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import type { Rehearsal } from "../../../src/cli/rehearse/report.ts";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import type { Workspace } from "../../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { typed } from "./typed.ts";

const [binary] = findBinaries();

const pool = (id: string) => `resource "proxmox_pool" "this" {\n  id      = "${id}"\n  comment = "first"\n}\n`;

/** A backend of type `http`: one state, and the methods it was called with. */
async function stateServer(): Promise<{ server: Server; url: string; calls: string[]; state: () => string }> {
  const calls: string[] = [];
  let state = "";
  const server = createServer(async (request, response) => {
    calls.push(request.method ?? "");
    let body = "";
    for await (const part of request) body += part;
    if (request.method === "POST") state = body;
    response.writeHead(request.method === "GET" && state === "" ? 404 : 200);
    response.end(request.method === "GET" ? state : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`;
  return { server, url, calls, state: () => state };
}

/** All files of a folder by name. */
const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "base64")]),
  );

describe.skipIf(binary === undefined)("a rehearsal", () => {
  let plugin: PluginBinary;
  let simulator: Simulator;

  beforeAll(async () => {
    plugin = await buildProvider();
    simulator = await startSimulator({ speed: 100 });
  });
  afterAll(() => simulator.close());

  async function rehearse({ folder, env }: Workspace): Promise<Rehearsal> {
    const run = ["rehearse", "--json", "--speed", "100"];
    const { stdout, stderr } = await typed({ plugin, simulator, proxy: simulator, folder, env }, run);
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  }

  const resultsOf = ({ resources }: Rehearsal) =>
    resources.map(({ address, action, result }) => `${address} ${action} ${result}`).sort();

  async function prepare(terraform: Workspace): Promise<void> {
    expect(await terraform.run(["init", "-no-color"])).toMatchObject({ code: 0 });
  }

  test("does not write to a backend that an override file names", async () => {
    const { server, url, calls, state } = await stateServer();
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    terraform.configure(pool("remote"));
    terraform.write("zz_override.tf", `terraform {\n  backend "http" {\n    address = "${url}"\n  }\n}\n`);
    await prepare(terraform);
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    const before = state();
    expect(before).toContain('"remote"');

    terraform.configure(pool("remote").replace("first", "second"));
    calls.length = 0;
    const rehearsal = await rehearse(terraform);
    expect(resultsOf(rehearsal)).toEqual(["proxmox_pool.this update done"]);
    expect(rehearsal).toMatchObject({ problems: [], second_plan: "empty" });
    expect(calls.filter((method) => method !== "GET")).toEqual([]);
    expect(state()).toBe(before);

    // No name comes later than this one: then the rehearsal is not made.
    terraform.write("\u{10fffd}_override.tf", terraform.read("zz_override.tf"));
    const { folder, env } = terraform;
    const refused = await typed({ plugin, simulator, proxy: simulator, folder, env }, ["rehearse"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("names the backend 'http'") });
    expect(calls.filter((method) => method !== "GET")).toEqual([]);
    server.close();
  });

  test("takes the workspace, the modules, the folder for data and the backend that are in use", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    Object.assign(terraform.env, {
      TF_DATA_DIR: ".data",
      TF_CLI_ARGS_init: "-backend-config=path=states/default.tfstate",
    });
    const required = `terraform {\n  required_providers {\n    proxmox = { source = "${sourceAddress}" }\n  }\n}\n`;
    terraform.write("backend.tf", 'terraform {\n  backend "local" {}\n}\n');
    mkdirSync(join(terraform.folder, "modules/web"), { recursive: true });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of Terraform
    terraform.write("modules/web/main.tf", `${required}${pool("web-${terraform.workspace}")}`);
    terraform.configure('module "web" {\n  source = "./modules/web"\n}\n');
    await prepare(terraform);
    expect(await terraform.run(["workspace", "new", "blue"])).toMatchObject({ code: 0 });
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    expect(simulator.sim.world.access.pools).toHaveProperty("web-blue");

    const module = terraform.read("modules/web/main.tf");
    terraform.write("modules/web/main.tf", module.replace("first", "second"));
    const before = filesIn(terraform.folder);
    const rehearsal = await rehearse(terraform);
    expect(resultsOf(rehearsal)).toEqual(["module.web.proxmox_pool.this update done"]);
    expect(rehearsal).toMatchObject({ problems: [], second_plan: "empty" });
    expect(filesIn(terraform.folder)).toEqual(before);
  });

  test("says how far an apply would come that fails half-way", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    terraform.configure(`${pool("early")}
resource "proxmox_vm" "big" {
  name       = "big"
  depends_on = [proxmox_pool.this]
  clone      = { template = "ubuntu-24.04-cloud" }
  disks      = { scsi1 = { storage = "local-zfs", size = "90T" } }
}
resource "proxmox_pool" "late" {
  id = "late-\${proxmox_vm.big.vmid}"
}
`);
    const before = JSON.stringify(simulator.sim.world.guests);
    const rehearsal = await rehearse(terraform);
    expect(resultsOf(rehearsal)).toEqual([
      "proxmox_pool.late create not reached",
      "proxmox_pool.this create done",
      "proxmox_vm.big create failed",
    ]);
    expect(rehearsal.problems.join("\n")).toContain("out of space");
    expect(JSON.stringify(simulator.sim.world.guests)).toBe(before);
    expect(simulator.sim.world.access.pools).not.toHaveProperty("early");
  });
});
