import fc from "fast-check";
import { askAsOther, type Bench } from "../vm/suite.ts";
import { one, rarely, some } from "./arbitraries.ts";
import { callsOfOthers, type Meddling } from "./other-users.ts";

/** What is outside of the configuration of a guest, and what guards it. */
export const surroundings = {
  ha: rarely(
    fc.oneof(
      some({ state: one("started", "stopped", "disabled", "ignored"), max_restart: one(0, 2), failback: fc.boolean() }),
      some({ max_relocate: one(0, 3), comment: one("x", "by hand") }),
    ),
    5,
  ),
  pool: rarely(one("lab", "lab/inner", "prod", ""), 4),
  protection: rarely(fc.boolean(), 4),
  before_change: rarely(
    fc.record({ snapshot: fc.boolean(), keep: one(1, 2) }, { requiredKeys: ["snapshot"], noNullPrototype: true }),
    5,
  ),
};

export const pools = ["lab", "lab/inner", "prod"].map((poolid) => ({ poolid }));

const sidOf = (type: "qemu" | "lxc", vmid: number) => `${type === "qemu" ? "vm" : "ct"}:${vmid}`;

/** The pool and the HA resource of a guest, in the form of options. */
export function around({ simulator }: Bench, type: "qemu" | "lxc", vmid: number): Record<string, string> {
  const { access, ha } = simulator.sim.world;
  const pool = Object.entries(access.pools).find(([, { vms }]) => vms.includes(vmid))?.[0];
  const resource = ha.resources[sidOf(type, vmid)];
  return { ...(pool && { pool }), ...(resource && { ha: JSON.stringify(resource) }) };
}

/** What others do to the surroundings of a guest. */
export function meddlingsAround(type: "qemu" | "lxc") {
  const { set } = callsOfOthers(type);
  return {
    "it is put under HA, or leaves it": async (bench, vmid) => {
      const path = "/cluster/ha/resources";
      // Otherwise the HA manager starts it, or stops it, while Terraform reads it.
      const state = bench.guest(vmid).run === undefined ? "stopped" : "started";
      const sid = sidOf(type, vmid);
      const isCreated = await askAsOther(bench, "POST", path, { sid, state });
      return isCreated || askAsOther(bench, "DELETE", `${path}/${sid}`, {});
    },
    "it is put into a pool, or leaves it": async (bench, vmid) => {
      const isAdded = await askAsOther(bench, "PUT", "/pools", { poolid: "prod", vms: String(vmid) });
      return isAdded || askAsOther(bench, "PUT", "/pools", { poolid: "prod", vms: String(vmid), delete: "1" });
    },
    "its protection is changed": (bench, vmid) =>
      set(bench, vmid, { protection: bench.guest(vmid).config["protection"] === "1" ? "0" : "1" }),
  } as const satisfies Record<string, Meddling>;
}
