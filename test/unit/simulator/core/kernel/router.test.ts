import { expect, test } from "vitest";
import { type Endpoint, endpoint, type Method } from "../../../../../src/simulator/core/kernel/endpoint.ts";
import { Router } from "../../../../../src/simulator/core/kernel/router.ts";

const at = (method: Method, path: string, more: Partial<Endpoint> = {}): Endpoint =>
  endpoint({ method, path, parameters: {}, handler: () => null, ...more });

const router = new Router([
  at("GET", "/"),
  at("GET", "/nodes/{node}/qemu/{vmid}/config"),
  at("PUT", "/nodes/{node}/qemu/{vmid}/config"),
  at("GET", "/nodes/{node}/storage/{storage}/content"),
  at("GET", "/nodes/{node}/storage/{storage}/content/{volume}", { restOfPath: true }),
]);

test.each<[string, string, string | undefined, Record<string, string>]>([
  ["GET", "/", "/", {}],
  ["GET", "", "/", {}],
  ["PUT", "/nodes/pve/qemu/100/config", "/nodes/{node}/qemu/{vmid}/config", { node: "pve", vmid: "100" }],
  ["GET", "//nodes/pve//qemu/100/config/", "/nodes/{node}/qemu/{vmid}/config", { node: "pve", vmid: "100" }],
  ["DELETE", "/nodes/pve/qemu/100/config", undefined, {}],
  ["GET", "/nodes/pve/qemu/100", undefined, {}],
  ["GET", "/nodes/pve/qemu/100/config/more", undefined, {}],
  ["GET", "/nodes/pve/storage/s/content/", "/nodes/{node}/storage/{storage}/content", { node: "pve", storage: "s" }],
  [
    "GET",
    "/nodes/pve/storage/s/content/s:9000/base.qcow2/1/vm.qcow2",
    "/nodes/{node}/storage/{storage}/content/{volume}",
    { node: "pve", storage: "s", volume: "s:9000/base.qcow2/1/vm.qcow2" },
  ],
])("%s %s leads to %s", (method, path, template, parameters) => {
  const route = router.find(method, path);
  expect(route?.endpoint.path).toBe(template);
  expect(route?.parameters ?? {}).toEqual(parameters);
});
