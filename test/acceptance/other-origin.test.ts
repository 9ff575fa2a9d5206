import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { type BrowserPage, browser, openPage } from "../../scripts/browser-page.ts";
import { makeServerIdentity } from "../../src/simulator/core/http/certificate.ts";

if (!browser) process.stderr.write("tests in a browser are skipped: there is no chromium on PATH\n");

/** A page of another program of this machine: another scheme is another site, another port is another origin of the same site. */
const servers = {
  http: () => createHttp(),
  https: () => {
    const { key, cert } = makeServerIdentity(["127.0.0.1"]);
    return createHttps({ key, cert });
  },
};

describe.skipIf(!browser).each(["http", "https"] as const)("a page of another origin (%s) in a browser", (scheme) => {
  const server = servers[scheme]();
  let simulator: Simulator;
  let page: BrowserPage;

  beforeAll(async () => {
    simulator = await startSimulator({ speed: 20 });
    server.on("request", (_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<title>other</title>");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    page = await openPage(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await page?.close();
    server.close();
    await simulator?.close();
  });

  /** What the page sees of a request: the text, or why it has none. */
  const send = (path: string, init: object): Promise<string> =>
    page.evaluate(
      `fetch(${JSON.stringify(`${simulator.url}/simulator/${path}`)}, ${JSON.stringify(init)}).then((answer) => answer.text(), String)`,
    );

  const order = JSON.stringify({ do: "fail", task: "qmclone", text: "planted" });
  const hold = JSON.stringify({ action: "hold_lock", vmid: 9000, seconds: 600 });

  test("can neither change the cluster nor order faults, in any way that a browser has", async () => {
    const guest = simulator.sim.world.guests[9000] as { config: Record<string, string> };
    guest.config["name"] = "not-reset";
    const before = JSON.stringify(simulator.sim.world);
    for (const [path, body] of [
      ["reset", "{}"],
      ["control", hold],
      ["faults", order],
    ] as const) {
      const json = { "content-type": "application/json" };
      expect(await send(path, { method: "POST", body, headers: json })).toMatch(/^TypeError/);
      expect(await send(path, { method: "POST", body, mode: "no-cors" })).toBe("");
      expect(await send(path, { method: "POST", body, mode: "no-cors", credentials: "include" })).toBe("");
      const target = JSON.stringify(`${simulator.url}/simulator/${path}`);
      expect(await page.evaluate(`navigator.sendBeacon(${target}, ${JSON.stringify(body)})`)).toBe(true);
      await page.evaluate(`new Promise((sent) => {
        document.body.innerHTML = '<iframe name="f"></iframe><form method="post" enctype="text/plain" target="f"><input></form>';
        const [form, input] = [document.forms[0], document.forms[0].elements[0]];
        form.action = ${target};
        // {"action":"…","x":"="} is JSON although it is sent as NAME=VALUE.
        input.name = ${JSON.stringify(body)}.replace(/}$/, ',"x":"');
        input.value = '"}';
        document.querySelector("iframe").onload = sent;
        form.submit();
        setTimeout(sent, 3000);
      })`);
    }
    expect(await send("faults", { method: "DELETE" })).toMatch(/^TypeError/);
    expect(JSON.stringify(simulator.sim.world)).toBe(before);
    expect(simulator.faults.list()).toEqual([]);
  });

  test("can read nothing", async () => {
    for (const path of ["faults", "log", "events"]) {
      expect(await send(path, {})).toMatch(/^TypeError/);
      const target = JSON.stringify(`${simulator.url}/simulator/${path}`);
      expect(
        await page.evaluate(`new Promise((seen) => {
          const script = document.createElement("script");
          script.src = ${target};
          script.onload = () => seen("loaded");
          script.onerror = () => seen("refused");
          document.head.append(script);
        })`),
      ).toBe("refused");
    }
    expect(
      await page.evaluate(`new Promise((seen) => {
        const events = new EventSource(${JSON.stringify(`${simulator.url}/simulator/events`)});
        events.onmessage = () => seen("read");
        events.onerror = () => seen("refused");
      })`),
    ).toBe("refused");
  });

  test("is refused although the endpoints work for programs", async () => {
    const call = new Request(`${simulator.url}/simulator/faults`, {
      method: "POST",
      body: order,
      headers: { "content-type": "application/json" },
    });
    expect((await simulator.fetch(call)).status).toBe(200);
    expect(simulator.faults.list()).toHaveLength(1);
  });
});
