import { describe, expect, test } from "vitest";
import { readFacts } from "../../../schema/pve/facts.ts";
import { endpoints } from "../../../src/simulator/endpoints.ts";
import { differences } from "./compare-endpoint.ts";

const published = readFacts();

/** Not part of the published tree: the root of the tree itself. */
const unpublished = new Set(["GET /"]);

describe("the endpoint table against the facts about the API", () => {
  test("every served endpoint is published", () => {
    const names = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(names.filter((name) => !published.has(name) && !unpublished.has(name))).toEqual([]);
  });

  test("everything that is published is served, apart from pictures, logs of the host and a report of them", () => {
    const served = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
    expect([...published.keys()].filter((name) => !served.has(name)).sort()).toEqual([
      "GET /nodes/{node}/journal",
      "GET /nodes/{node}/lxc/{vmid}/rrd",
      "GET /nodes/{node}/qemu/{vmid}/rrd",
      "GET /nodes/{node}/report",
      "GET /nodes/{node}/rrd",
      "GET /nodes/{node}/storage/{storage}/rrd",
      "GET /nodes/{node}/syslog",
    ]);
    expect(served.size).toBeGreaterThanOrEqual(560);
  });

  test("no endpoint is listed twice", () => {
    const names = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s has the published parameters and permissions",
    (name, endpoint) => {
      const method = published.get(name);
      expect(method === undefined ? [] : differences(endpoint, method)).toEqual([]);
    },
  );

  test("a planted difference is found", () => {
    const endpoint = endpoints.find(({ method, path }) => method === "PUT" && path === "/access/acl");
    const method = published.get("PUT /access/acl");
    if (endpoint === undefined || method === undefined) {
      throw new Error("PUT /access/acl is neither served nor published");
    }
    const planted = { ...endpoint, parameters: { ...endpoint.parameters, roles: { type: "integer", minimum: 3 } } };
    const found = differences(planted as never, method);
    expect(found).toContainEqual(expect.stringContaining("roles: type is integer"));
    expect(found).toContainEqual(expect.stringContaining("roles: minimum is 3"));
  });
});
