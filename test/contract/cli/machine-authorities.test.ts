import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { variablesFor } from "./person.ts";

let simulator: Simulator;
const folder = mkdtempSync(join(tmpdir(), "authorities-"));
const authority = join(folder, "company-ca.pem");

beforeAll(async () => {
  simulator = await startSimulator({ speed: 100 });
  writeFileSync(authority, simulator.caCertificate);
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

/** In a separate process: each process reads its machine's authorities once. */
async function examine(more: Record<string, string>): Promise<Record<string, string>> {
  const { PROXMOX_VE_CA_CERTIFICATE: _, ...variables } = variablesFor(simulator, "root@pam!admin");
  const main = join(import.meta.dirname, "../../../src/main.ts");
  const env = { PATH: process.env["PATH"], HOME: folder, SSL_CERT_DIR: join(folder, "none"), ...variables, ...more };
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, [main, "doctor", "--json"], { env }, (_error, text) => resolve(text));
  });
  const { checks } = JSON.parse(stdout) as { checks: { check: string; verdict: string }[] };
  return Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict]));
}

describe("an authority that is not in the provider's settings", () => {
  it("is trusted where this machine trusts it", async () => {
    expect(await examine({ SSL_CERT_FILE: authority })).toMatchObject({ certificate: "ok", login: "ok" });
  });

  it("is not trusted otherwise", async () => {
    expect(await examine({ SSL_CERT_FILE: "/dev/null" })).toMatchObject({ certificate: "failed", login: "skipped" });
  });
});
