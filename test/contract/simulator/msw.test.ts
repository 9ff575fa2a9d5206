import proxmoxApi from "proxmox-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proxmoxHandlers } from "../../../src/simulator/msw.ts";
import { createSimulator } from "../../../src/simulator/simulator.ts";
import { labSeed } from "./lab.ts";

/** Imported by a computed name: the types of msw need a browser's, which this repository is compiled without. */
const load = async (name: string) => (await import(name)) as Record<string, never>;
const [{ http }, { setupServer }] = [await load("msw"), await load("msw/node")] as unknown as [
  { http: Parameters<typeof proxmoxHandlers>[0] },
  { setupServer(...handlers: unknown[]): { listen(): void; close(): void } },
];

const url = "https://pve.example.com:8006";

describe("handlers for msw", () => {
  const cluster = createSimulator({ seed: labSeed, speed: 100, tidy: true });
  const server = setupServer(...proxmoxHandlers(http, cluster, url));
  beforeAll(() => server.listen());
  afterAll(async () => {
    server.close();
    await cluster.close();
  });
  const authorization = { Authorization: `PVEAPIToken=${cluster.tokens["root@pam!admin"]}` };

  test("answer a program's own calls without a port", async () => {
    const answer = await fetch(`${url}/api2/json/nodes/pve1/qemu/200/config`, { headers: authorization });
    expect(await answer.json()).toMatchObject({ data: { name: "web", cores: 2 } });
  });

  test("have the server's status lines and faults", async () => {
    const refused = await fetch(`${url}/api2/json/nodes/pve1/qemu/999/config`, { headers: authorization });
    expect([refused.status, refused.statusText]).toEqual([500, expect.stringContaining("does not exist")]);
    cluster.faults.order({ do: "reset", call: "GET /version" } as never);
    await expect(fetch(`${url}/api2/json/version`, { headers: authorization })).rejects.toThrow();
  });

  test("serve a public client of Proxmox VE", async () => {
    const [id = "", secret = ""] = (cluster.tokens["root@pam!admin"] ?? "").split("=");
    const proxmox = proxmoxApi({
      host: "pve.example.com",
      port: 8006,
      tokenID: id,
      tokenSecret: secret,
      fetch: fetch as never,
    });
    expect(await proxmox.nodes.$get()).toMatchObject([{ node: "pve1" }, { node: "pve2" }]);
    const upid = await proxmox.nodes.$("pve1").qemu.$(200).status.start.$post();
    expect(upid).toMatch(/^UPID:pve1:/);
    await proxmox.nodes.$("pve1").qemu.$(200).config.$put({ tags: "seen" });
    expect(cluster.sim.world.guests[200]?.config["tags"]).toBe("seen");
  });
});
