import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createIdentity, toPem } from "../../../src/plugin/certificate.ts";
import { cookie, type Launched, type LaunchOptions, launch } from "../../harness/launch.ts";
import { Wire } from "../../harness/wire.ts";
import { ProviderProcess } from "./provider-process.ts";
import { stubProcess } from "./stub-process-command.ts";

// Every test starts processes, some of them two in a row, on machines that are busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

const config = { msgpack: Buffer.of(0xc0) };

describe("a start that is refused", () => {
  test.each<[string, Record<string, string>, string]>([
    ["without Terraform's cookie", {}, "This binary is a Terraform provider"],
    ["for protocol 5 only", { ...cookie, PLUGIN_PROTOCOL_VERSIONS: "5" }, "This provider supports plugin protocol 6"],
  ])("%s: prints the reason on stderr, nothing on stdout, and fails", async (_, env, text) => {
    const provider = new ProviderProcess(env);
    let stdout = "";
    provider.child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const [code] = await provider.exited;
    expect([code, stdout]).toEqual([1, ""]);
    expect(provider.stderr).toContain(text);
  });
});

describe("a provider that Terraform has started", () => {
  test("uses mutual TLS, and ends within two seconds of a shutdown request", async () => {
    const { certificate, privateKey } = createIdentity();
    const client = {
      certificate: toPem(certificate),
      key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    };
    const provider = await launched({ client });
    expect(provider.serverCertificate).toContain("BEGIN CERTIFICATE");
    const answer = await provider.wire.call("ReadDataSource", { type_name: "stub_lookup", config });
    expect(answer.state?.msgpack).toEqual(config.msgpack);
    const asked = performance.now();
    await expect(provider.stop()).resolves.toBe(0);
    expect(performance.now() - asked).toBeLessThan(2000);
    expect(existsSync(socketOf(provider))).toBe(false);
  });

  test("ends within two seconds even while a call hangs", async () => {
    const provider = await launched();
    const hanging = provider.wire.call("CallFunction", { name: "hang", arguments: [] });
    await provider.wire.call("StopProvider", {});
    const asked = performance.now();
    const [code] = await Promise.all([provider.stop(), expect(hanging).rejects.toThrow()]);
    expect(code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(2000);
  });

  test("ends when the connection closes without a shutdown request", async () => {
    const provider = await launched();
    await provider.wire.call("ConfigureProvider", configuration);
    provider.wire.close();
    await expect(ended(provider)).resolves.toBe(0);
    expect(provider.stderr()).toContain('"stopped"');
    expect(existsSync(socketOf(provider))).toBe(false);
  });

  test.each([
    ["after it has connected", []],
    ["before it has connected", ["--never-connect"]],
  ])("does not outlive a Terraform that is killed %s", async (_, args) => {
    const { pid, socket } = await killedTerraform(args);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
    expect(existsSync(socket)).toBe(false);
  });

  test("ignores the terminal's Ctrl-C, and obeys SIGTERM", async () => {
    const provider = await launched();
    provider.process.kill("SIGINT");
    await provider.wire.call("GetMetadata", {});
    provider.process.kill("SIGTERM");
    await expect(ended(provider)).resolves.toBe(0);
    expect(existsSync(socketOf(provider))).toBe(false);
  });

  test.each(["throw_later", "reject_later"])(
    "answers open calls and fails after an uncaught error (%s)",
    async (name) => {
      const provider = await launched();
      const call = provider.wire.call("CallFunction", { name, arguments: [] });
      await expect(call).rejects.toThrow(/INTERNAL: the provider failed: \w+ and not caught/);
      await expect(ended(provider)).resolves.toBe(1);
      expect(provider.stderr()).toMatch(/the provider ends because of a bug in it: \w+ and not caught/);
      expect(existsSync(socketOf(provider))).toBe(false);
    },
  );
});

describe("a provider under a debugger", () => {
  test("prints the reattach variable, and creates a provider for each connection", async () => {
    const provider = new ProviderProcess({}, ["--debug"]);
    const socket = attachedSocket(await provider.firstLine(), provider.child.pid);
    const [first, second] = [new Wire(`unix:${socket}`), new Wire(`unix:${socket}`)];
    const configured = [await whoAnswers(first), await whoAnswers(second), await whoAnswers(first)];
    expect(configured).toEqual(["provider 1", "provider 2", "provider 1"]);
    second.close();
  });

  test("survives disconnects and Shutdown, stops open calls, and ends on Ctrl-C", async () => {
    const provider = new ProviderProcess({}, ["--debug"]);
    const socket = attachedSocket(await provider.firstLine(), provider.child.pid);
    const first = new Wire(`unix:${socket}`);
    await whoAnswers(first);
    await first.shutdown();
    first.close();
    await vi.waitFor(() => expect(provider.stderr).toContain('"stopped","provider":1'));
    const second = new Wire(`unix:${socket}`);
    await expect(whoAnswers(second)).resolves.toBe("provider 2");
    provider.child.kill("SIGINT");
    await expect(provider.exited).resolves.toEqual([0, null]);
    expect(existsSync(socket)).toBe(false);
  });
});

const configuration = {
  terraform_version: "1.11.4",
  config,
  client_capabilities: { write_only_attributes_allowed: true },
};

/** The stub answers a configuration with a warning that names it. */
async function whoAnswers(wire: Wire): Promise<string | undefined> {
  const { diagnostics } = await wire.call("ConfigureProvider", configuration);
  return diagnostics[0]?.summary;
}

async function launched(options: LaunchOptions = {}): Promise<Launched> {
  const provider = await launch(stubProcess, options);
  onTestFinished(() => void provider.process.kill("SIGKILL"));
  return provider;
}

async function ended({ process: child }: Launched): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

function socketOf({ address }: Launched): string {
  return address.replace("unix:", "");
}

function attachedSocket(line: string, pid: number | undefined): string {
  const [, json = ""] = line.match(/^TF_REATTACH_PROVIDERS='(.*)'$/) ?? [];
  const { "registry.terraform.io/test/stub": stub } = JSON.parse(json);
  expect(stub).toMatchObject({ Protocol: "grpc", ProtocolVersion: 6, Pid: pid, Test: true, Addr: { Network: "unix" } });
  return stub.Addr.String;
}

async function killedTerraform(args: string[]): Promise<{ pid: number; socket: string }> {
  const script = join(import.meta.dirname, "stub-terraform.ts");
  const terraform = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void terraform.kill("SIGKILL"));
  const [line] = await once(createInterface({ input: terraform.stdout }), "line");
  const provider = JSON.parse(String(line)) as { pid: number; socket: string };
  onTestFinished(() => {
    if (isAlive(provider.pid)) process.kill(provider.pid, "SIGKILL");
  });
  expect(isAlive(provider.pid)).toBe(true);
  terraform.kill("SIGKILL");
  return provider;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
