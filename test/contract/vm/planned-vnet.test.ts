import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { ResourceBench } from "../resource-bench.ts";

/** A card on a vnet requires SDN.Use in the zone of the vnet, and in no other. */

const existing = { zones: [{ zone: "nat", type: "simple" }], vnets: [{ vnet: "guests", zone: "nat" }] };
const bench = await ResourceBench.open({ seed: { ...(defaultSeed() as object), sdn: existing } });
afterAll(() => bench.close());
beforeEach(() => bench.simulator.reset());

/** A caller with these privileges in the zones, and all others that a VM and its network take. */
async function become(zones: Readonly<Record<string, string>>): Promise<void> {
  const { access } = bench.simulator.sim.world;
  const rights = { "/": "Sys.Audit", "/vms": vms, "/storage": "Datastore.AllocateSpace", "/sdn": sdn, ...zones };
  access.users["poor@pve"] = structuredClone(access.users["noacl@pve"]) as (typeof access.users)[string];
  for (const [path, privileges] of Object.entries(rights)) {
    const roleid = `exactly${path.replaceAll("/", "-")}`;
    access.roles[roleid] = privileges.split(" ") as (typeof access.roles)[string];
    access.acl.push({ path, type: "user", ugid: "poor@pve", roleid, propagate: true });
    access.acl.push({ path, type: "token", ugid: "poor@pve!tf", roleid, propagate: true });
  }
  await bench.configure("", { api_token: `poor@pve!tf=${access.users["poor@pve"]?.tokens["tf"]?.secret}` });
}

const vms = "VM.Allocate VM.Audit VM.Config.Options VM.Config.Network VM.PowerMgmt VM.GuestAgent.Audit";
const sdn = "SDN.Allocate SDN.Audit";
const both = `${sdn} SDN.Use`;
const guest = { vmid: 801, name: "web", node: "pve1", networks: { net1: { bridge: "inner" } } };

/** Plans the VM after the zone and the vnet, as Terraform does if it refers to them. */
async function planAll(): Promise<void> {
  await bench.resource("proxmox_sdn_zone").plan(null, { id: "lab", simple: {} });
  await bench.resource("proxmox_sdn_vnet").plan(null, { id: "inner", zone: "lab" });
  await bench.resource("proxmox_vm").plan(null, guest);
}

describe("a card on a vnet of a zone that the same run creates", () => {
  test.each([
    ["on all zones, while an entry on another zone lacks it", { "/sdn/zones": both, "/sdn/zones/localnetwork": sdn }],
    ["on the zone itself", { "/sdn/zones/lab": both }],
    ["on the vnet itself", { "/sdn/zones/lab/inner": both }],
  ])("requires SDN.Use %s", async (_, zones) => {
    await become(zones);
    await planAll();
  });

  test.each([
    ["nowhere", {}, "/sdn/zones"],
    ["on another zone only", { "/sdn/zones/localnetwork": both }, "/sdn/zones"],
    ["above an entry on the zone, which hides it", { "/sdn/zones": both, "/sdn/zones/lab": sdn }, "/sdn/zones/lab"],
  ])("is refused where SDN.Use is granted %s", async (_, zones, path) => {
    await become(zones);
    await expect(planAll()).rejects.toThrow(`  ${path}: SDN.Use`);
  });
});

test("a card on a vnet of another run may be in a zone without an entry", async () => {
  await become({ "/sdn/zones": both, "/sdn/zones/localnetwork": sdn });
  await bench.resource("proxmox_vm").plan(null, { ...guest, networks: { net1: { bridge: "guests" } } });
});
