import { describe, expect, it } from "vitest";
import { startSimulator } from "#simulator";
import { createLog } from "../../../src/log.ts";
import { createClient } from "../../../src/pve/client.ts";
import { type ClientSettings, resolveSettings } from "../../../src/pve/settings.ts";
import { speed, template, tokens } from "./simulated-cluster.ts";

const cipassword = "correct-horse-battery";

/** All debug log lines while a VM is created, gets a password and is refused something. */
async function logOfARun(who: ClientSettings): Promise<{ text: string; obtained: readonly string[] }> {
  const lines: string[] = [];
  const obtained: string[] = [];
  await using simulator = Object.assign(await startSimulator({ speed }), {
    async [Symbol.asyncDispose]() {
      await simulator.close();
    },
  });
  const log = createLog({ module: "provider.proxmox", level: "debug", write: (line) => void lines.push(line) });
  const settings = resolveSettings({ endpoints: [simulator.url], caCertificate: simulator.caCertificate, ...who });
  const conceal = (secret: string) => {
    obtained.push(secret);
    log.hide(secret);
  };
  const client = createClient(settings, { logger: log, conceal });
  const { vm } = await client.operations.clone({ source: template, request: { newid: 401 } });
  await client.operations.run(vm, { what: "configure", submit: () => client.qemu.updateConfig(vm, { cipassword }) });
  const refused = await client.qemu.updateConfig(vm, { cipassword, memory: 1 }).catch((reason: unknown) => reason);
  log.error("refused", { error: refused });
  await client.close();
  return { text: lines.join(""), obtained };
}

describe("a log at debug", () => {
  it.each<[string, ClientSettings, readonly string[]]>([
    ["of a token", { apiToken: tokens.provisioner }, ["00000000-0000-4000-8000-000000000002"]],
    ["of a user", { username: "terraform@pve", password: "terraform" }, []],
  ])("%s contains none of the secrets used, and every call", async (_, who, secrets) => {
    const { text, obtained } = await logOfARun(who);
    expect(text).toContain("/nodes/pve1/qemu/9000/clone");
    expect(obtained.length).toBeGreaterThan(0);
    // The user's password equals the user's name, which the log may contain.
    for (const secret of [cipassword, ...secrets, ...obtained.filter((each) => each !== "terraform")]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(encodeURIComponent(secret));
    }
  });
});
