import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { type BrowserPage, browser, openPage } from "../../scripts/browser-page.ts";
import { findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";

if (!browser) process.stderr.write("tests in a browser are skipped: there is no chromium on PATH\n");

const textOf = (page: BrowserPage, selector: string) =>
  page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`);
const soon = { timeout: 15_000 };

describe.skipIf(!browser)("the simulator's window in a browser", () => {
  let simulator: Simulator;
  let page: BrowserPage;
  beforeAll(async () => {
    simulator = await startSimulator({ speed: 20 });
    page = await openPage(`${simulator.url}/simulator/`);
  });
  afterAll(async () => {
    await page?.close();
    await simulator?.close();
  });

  async function call(method: string, path: string, form?: Record<string, string>): Promise<void> {
    const headers = { Authorization: `PVEAPIToken=${simulator.tokens["root@pam!admin"]}` };
    const init = form === undefined ? { method, headers } : { method, headers, body: new URLSearchParams(form) };
    await simulator.fetch(new Request(`${simulator.url}/api2/json${path}`, init));
  }

  test("shows nodes, guests, storages and networks", async () => {
    await expect.poll(() => textOf(page, "#connection"), soon).toBe("live");
    expect(await textOf(page, "#nodes")).toMatch(/Nodes \(3\)[\s\S]*pve1[\s\S]*online/);
    expect(await textOf(page, "#guests")).toMatch(/9000\s+template\s+ubuntu-24\.04-cloud\s+pve1\s+stopped/);
    expect(await textOf(page, "#storages")).toContain("local-lvm");
    expect(await textOf(page, "#networks")).toContain("vmbr0");
  });

  test("follows tasks and calls as they happen", async () => {
    simulator.faults.order({ do: "slow", task: "qmclone", seconds: 40 });
    await call("POST", "/nodes/pve1/qemu/9000/clone", { newid: "700", name: "live", full: "1" });
    await expect.poll(() => textOf(page, "#tasks"), soon).toMatch(/qmclone\s+9000\s+pve1\s+root@pam!admin\s+running/);
    await expect.poll(() => textOf(page, "#tasks"), soon).toMatch(/qmclone\s+9000\s+pve1\s+root@pam!admin\s+OK/);
    expect(await textOf(page, "#guests")).toMatch(/700\s+VM\s+live/);
    expect(await textOf(page, "#calls")).toContain("200 POST /nodes/pve1/qemu/9000/clone");
    await call("GET", "/nodes/pve1/qemu/12345/config");
    await expect
      .poll(() => page.evaluate("document.querySelector('#calls .bad')?.innerText ?? ''"), soon)
      .toMatch(/^500 /);
  });

  test("shows any name as text", async () => {
    const guest = simulator.sim.world.guests[9001] as { config: Record<string, string> };
    guest.config["name"] = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
    await expect.poll(() => textOf(page, "#guests"), soon).toContain("<img src=x");
    expect(await page.evaluate("document.querySelectorAll('#guests img, #guests script').length")).toBe(0);
    expect(await page.evaluate("document.title")).toBe("Proxmox VE simulator");
  });

  test("can be used by keyboard, with names for screen readers", async () => {
    const focused = "document.activeElement.getAttribute('aria-labelledby')";
    const names: (string | null)[] = [];
    for (let index = 0; index < 6; index++) {
      await page.press("Tab");
      names.push(await page.evaluate(focused));
    }
    expect(names).toEqual(["tasks", "calls", "guests", "nodes", "storages", "networks"].map((id) => `${id}-title`));
    for (const id of names) expect(await page.evaluate(`document.getElementById("${id}").innerText`)).toMatch(/\w/);
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    const interfaces = simulator.sim.world.nodes["pve1"]?.interfaces ?? {};
    for (let number = 10; number < 50; number++) interfaces[`vmbr${number}`] = { type: "bridge" };
    await expect.poll(() => textOf(page, "#networks h2"), soon).toBe("Networks (43)");
    await page.press("ArrowDown");
    await expect.poll(() => page.evaluate<number>("document.activeElement.scrollTop"), soon).toBeGreaterThan(0);
  });

  test("follows the dark colour scheme", async () => {
    const ground = async (scheme: "dark" | "light") => {
      await page.colorScheme(scheme);
      const text = await page.evaluate<string>("getComputedStyle(document.body).color");
      return Number(/\d+/.exec(text)?.[0]);
    };
    expect(await ground("light")).toBeLessThan(64);
    expect(await ground("dark")).toBeGreaterThan(192);
  });

  test("causes no browser error, and says when the simulator has ended", async () => {
    expect(page.complaints).toEqual([]);
    await simulator.close();
    await expect.poll(() => textOf(page, "#connection"), soon).toBe("not connected");
  });
});

const [binary] = findBinaries();
const demo = join(import.meta.dirname, "../../src/main.ts");

describe.skipIf(!browser || !binary)("the demo with its window open", () => {
  test("prints the address, and the page shows its progress", async () => {
    const running = spawn(process.execPath, [demo, "demo"], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    running.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const exited = once(running, "exit");
    await expect.poll(() => printed, soon).toMatch(/https:\/\/127\.0\.0\.1:\d+\/simulator\//);
    const page = await openPage(/https:\S+\/simulator\//.exec(printed)?.[0] ?? "");
    try {
      await expect.poll(() => textOf(page, "#guests"), { timeout: 120_000 }).toMatch(/405\s+VM\s+manager-5/);
      await expect.poll(() => textOf(page, "#tasks"), { timeout: 120_000 }).toMatch(/qmdestroy/);
      expect(await exited).toEqual([0, null]);
      expect(printed).toContain("Destroy complete! Resources: 5 destroyed.");
    } finally {
      await page.close();
    }
  });
});

if (!binary) test.skip(`the demo with its window open: skipped. ${howToGetOne}`);
