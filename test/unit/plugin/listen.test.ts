import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { LaunchRefused } from "../../../src/plugin/handshake.ts";
import { listen } from "../../../src/plugin/listen.ts";

describe("listening on a Unix socket", () => {
  test("creates it for this user only, in the requested folder, and removes it again", async () => {
    const folder = temporaryFolder();
    const listener = await listen({ PLUGIN_UNIX_SOCKET_DIR: folder }, "linux");
    const { network, text } = listener.address;
    expect(network).toBe("unix");
    expect(text.startsWith(join(folder, "plugin-"))).toBe(true);
    expect(statSync(text).mode & 0o777).toBe(0o600);
    listener.close();
    expect(existsSync(text)).toBe(false);
  });

  test("does not change the process's file mode mask", async () => {
    const before = process.umask();
    (await listen({}, "linux")).close();
    expect(process.umask()).toBe(before);
  });

  test("refuses a folder whose name is too long for the kernel, and says what to do", async () => {
    const folder = join(temporaryFolder(), "x".repeat(100));
    mkdirSync(folder);
    const refused = listen({ PLUGIN_UNIX_SOCKET_DIR: folder }, "linux");
    await expect(refused).rejects.toThrow(LaunchRefused);
    await expect(refused).rejects.toThrow(/this system allows \d+\. Set TMPDIR or PLUGIN_UNIX_SOCKET_DIR/);
  });

  test("fails where the folder does not exist", async () => {
    await expect(listen({ PLUGIN_UNIX_SOCKET_DIR: "/nonexistent" }, "linux")).rejects.toThrow();
  });
});

describe("listening on a port, as on Windows", () => {
  test("takes the first free one of the range", async () => {
    const taken = await occupiedPort();
    const env = { PLUGIN_MIN_PORT: String(taken), PLUGIN_MAX_PORT: String(taken + 20) };
    const listener = await listen(env, "win32");
    onTestFinished(() => listener.close());
    expect(listener.address.network).toBe("tcp");
    const [host, port] = listener.address.text.split(":");
    expect(host).toBe("127.0.0.1");
    expect(Number(port)).toBeGreaterThan(taken);
    expect(Number(port)).toBeLessThanOrEqual(taken + 20);
  });

  test("refuses a range without a free one", async () => {
    const taken = String(await occupiedPort());
    const refused = listen({ PLUGIN_MIN_PORT: taken, PLUGIN_MAX_PORT: taken }, "win32");
    await expect(refused).rejects.toThrow(`No port from ${taken} to ${taken} is free on 127.0.0.1.`);
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "listen-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function occupiedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
