import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { defaultSeed } from "#simulator";
import { image } from "./containers.ts";

/** A simulated cluster in a separate process, so that its work does not count as the provider's. */
export interface Cluster {
  readonly port: number;
  readonly caFile: string;
  readonly token: string;
  /** Calls by endpoint since the last call of this function. */
  takeCalls(): Promise<Record<string, number>>;
  /** Resets to the templates, without other guests. */
  reset(): Promise<void>;
  close(): void;
}

/** `speed` shortens the cluster's own tasks, so that the measurement shows what a provider adds to them. */
export async function startCluster({
  pools,
  speed,
  more,
}: {
  pools: number;
  speed: number;
  /** Members of the seed in place of the usual ones. */
  more?: object;
}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const seed = {
    ...defaultSeed(),
    container_templates: [image],
    pools: Array.from({ length: pools }, (_, index) => ({ poolid: `pool-${index}` })),
    ...more,
  };
  const file = join(folder, "seed.json");
  writeFileSync(file, JSON.stringify(seed));
  const main = join(import.meta.dirname, "../../../src/main.ts");
  const child = spawn(
    process.execPath,
    [main, "simulate", "--json", "--tidy", "--port", "0", "--speed", String(speed), "--seed", file],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const { url, ca_file: caFile, tokens } = await announcementOf(child);
  const agent = new Agent({ connect: { ca: readFileSync(caFile, "utf8") } });
  const ask = async (method: "GET" | "POST" | "DELETE", path: string): Promise<unknown> => {
    const { statusCode, body } = await request(new URL(path, url), {
      method,
      headers: { "content-type": "application/json" },
      dispatcher: agent,
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
    return (JSON.parse(text) as { data?: unknown }).data;
  };
  return {
    port: Number(new URL(url).port),
    caFile,
    token: tokens["root@pam!admin"] ?? "",
    async takeCalls() {
      const { calls } = (await ask("GET", "/simulator/log")) as { calls: { endpoint: string; count: number }[] };
      await ask("DELETE", "/simulator/log");
      return Object.fromEntries(calls.map(({ endpoint, count }) => [endpoint, count]));
    },
    async reset() {
      await ask("POST", "/simulator/reset");
      await ask("DELETE", "/simulator/log");
    },
    close() {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Announcement {
  readonly url: string;
  readonly ca_file: string;
  readonly tokens: Readonly<Record<string, string>>;
}

async function announcementOf(child: ChildProcess): Promise<Announcement> {
  if (!child.stdout) throw new Error("the simulator has no stdout");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return JSON.parse(line.toString("utf8")) as Announcement;
}
