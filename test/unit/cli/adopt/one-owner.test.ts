import { expect, it } from "vitest";
import type { Adopted } from "../../../../src/cli/adopt/collect.ts";
import { withOneOwner } from "../../../../src/cli/adopt/one-owner.ts";

const adopted = (type: string, importId: string, values: Adopted["values"]): Adopted => ({
  type,
  importId,
  values,
  name: "a",
  identity: {},
  area: "",
  all: values,
  reported: null,
  table: null,
});

const guests = [
  adopted("proxmox_vm", "101", { vmid: 101, ha: { max_restart: 3 } }),
  adopted("proxmox_container", "102", { vmid: 102, ha: { max_restart: 3 } }),
  adopted("proxmox_vm", "103", { vmid: 103 }),
];
const written = (all: readonly Adopted[]) =>
  withOneOwner(all).flatMap(({ values }) => (values["ha"] ? [values["vmid"]] : []));

it("writes the HA settings of a guest once: in its HA resource, or in the guest if that is not taken over", () => {
  const resource = (sid: string) => adopted("proxmox_ha_resource", sid, { sid, max_restart: 3 });
  expect(written([...guests, resource("vm:101"), resource("ct:102")])).toEqual([]);
  expect(written([...guests, resource("vm:101"), resource("vm:102")])).toEqual([102]);
  expect(written(guests)).toEqual([101, 102]);
});
