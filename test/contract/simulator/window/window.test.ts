import { get } from "node:https";
import { describe, expect, test } from "vitest";
import type { View } from "../../../../src/simulator/window/view.ts";
import { call } from "../client.ts";
import { lab } from "../lab.ts";

/** Collects events until there are enough, then leaves. */
async function events(
  simulator: { url: string; caCertificate: string },
  isEnough: (found: { name: string; data: unknown }[]) => boolean,
  meanwhile: () => Promise<unknown> = async () => undefined,
) {
  return await new Promise<{ name: string; data: unknown }[]>((resolve, reject) => {
    const found: { name: string; data: unknown }[] = [];
    const request = get(`${simulator.url}/simulator/events`, { ca: simulator.caCertificate }, (incoming) => {
      let text = "";
      void meanwhile().catch(reject);
      incoming.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
        const parts = text.split("\n\n");
        text = parts.pop() ?? "";
        for (const part of parts) {
          const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? [];
          if (name !== undefined) {
            found.push({ name, data: JSON.parse(data ?? "null") });
          }
        }
        if (isEnough(found)) {
          request.destroy();
          resolve(found);
        }
      });
    });
    request.on("error", (error) => (isEnough(found) ? undefined : reject(error)));
  });
}

describe("the window", () => {
  const at = lab();

  test("is a page that sets texts only as text", async () => {
    const { status, headers, text } = await call(at.simulator, "GET", "/simulator/", { token: null });
    expect([status, headers["content-type"]]).toEqual([200, "text/html;charset=UTF-8"]);
    expect(text).toContain('<html lang="en">');
    expect(text).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|outerHTML/);
  });

  test("shows the cluster, then each change and each call as it happens", async () => {
    const found = await events(
      at.simulator,
      (seen) =>
        seen.some(
          ({ name, data }) =>
            name === "view" && (data as View).guests.some(({ name: guest }) => guest === "<b>new</b>"),
        ) && seen.some(({ name }) => name === "call"),
      () => {
        (at.simulator.sim.world.guests[200] as { config: Record<string, string> }).config["name"] = "<b>new</b>";
        return at.ask("GET /version");
      },
    );
    const [first] = found;
    expect(first).toMatchObject({
      name: "view",
      data: { cluster: "lab", nodes: [{ name: "pve1", isOnline: true }, {}] },
    });
    expect(found).toContainEqual({ name: "call", data: expect.objectContaining({ path: "/version", status: 200 }) });
  });

  test("is left without a trace", async () => {
    await events(at.simulator, (seen) => seen.length > 0);
    await at.ask("GET /version");
    expect(await at.ask("GET /version")).toBeTruthy();
  });
});
