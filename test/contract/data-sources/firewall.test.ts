import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { LookupBench } from "./lookup-bench.ts";

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({ seed: defaultSeed() });
  const { firewall } = bench.simulator.sim.world;
  const file = { options: {}, rules: [], groups: {} };
  firewall["cluster"] = {
    ...file,
    aliases: { office: { name: "office", cidr: "198.51.100.0/24", comment: "in town" } },
    sets: { admins: { entries: [] } },
  };
  firewall["guest/9000"] = { ...file, aliases: { db: { name: "db", cidr: "10.0.0.5" } }, sets: {} };
});
afterAll(() => bench.close());

const look = async (type: string, config = {}) => (await bench.lookUp(type, config)).found;

test("macros are found by pattern, with their descriptions", async () => {
  const { names, macros } = (await look("proxmox_firewall_macros", { name: "*MAP*" })) as Record<string, unknown[]>;
  expect(names).toEqual(["IMAP", "IMAPS"]);
  expect(macros?.[0]).toEqual({ name: "IMAP", description: "Internet Message Access Protocol" });
  expect(((await look("proxmox_firewall_macros", {}))["names"] as unknown[]).length).toBeGreaterThan(80);
});

test("references are those of the cluster, and those of a guest besides", async () => {
  const found = async (config: Record<string, number | string>) =>
    (await look("proxmox_firewall_refs", config))["references"];
  expect(await found({})).toEqual(["+dc/admins", "dc/office"]);
  expect(await found({ vmid: 9000 })).toEqual(["+dc/admins", "dc/office", "guest/db"]);
  expect(await found({ vmid: 9000, type: "alias" })).toEqual(["dc/office", "guest/db"]);
  expect((await look("proxmox_firewall_refs", { type: "alias" }))["refs"]).toEqual([
    { reference: "dc/office", name: "office", type: "alias", scope: "dc", comment: "in town" },
  ]);
  await expect(look("proxmox_firewall_refs", { vmid: 777 })).rejects.toThrow("There is no guest 777");
});
