import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { browser, browserOptions } from "../../../scripts/browser-page.ts";

export interface Visit {
  /** The page as the browser parsed it. */
  readonly dom: string;
  /** Messages of the browser: errors, and what the page's policy has blocked. */
  readonly console: readonly string[];
  readonly requests: readonly string[];
}

/** Opens a page in a browser and returns what happened. */
export async function visit(page: string): Promise<Visit> {
  const profile = mkdtempSync(join(tmpdir(), "browser-"));
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const args = [...browserOptions, `--user-data-dir=${profile}`, "--enable-logging=stderr", "--dump-dom"];
    const { stdout, stderr } = await promisify(execFile)(browser ?? "", [...args, `http://127.0.0.1:${port}/`], {
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
    });
    return { dom: stdout, console: stderr.split("\n").filter((line) => line.includes(":CONSOLE")), requests };
  } finally {
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
