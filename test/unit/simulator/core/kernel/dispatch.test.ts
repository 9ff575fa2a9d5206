import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Acl } from "../../../../../src/simulator/core/access/acl.ts";
import { Caller } from "../../../../../src/simulator/core/access/caller.ts";
import { type ApiAnswer, dispatch } from "../../../../../src/simulator/core/kernel/dispatch.ts";
import { endpoint } from "../../../../../src/simulator/core/kernel/endpoint.ts";
import { die, raise } from "../../../../../src/simulator/core/kernel/failure.ts";
import { Router } from "../../../../../src/simulator/core/kernel/router.ts";
import { integer, string } from "../../../../../src/simulator/core/schema/schema.ts";
import { type Simulator, startSimulator } from "../../../../../src/simulator/simulator.ts";

let simulator: Simulator;
/** Called when a slow handler has ended. */
let onFinished: () => void = () => undefined;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 1000 });
});
afterAll(() => simulator.close());

const open = { permissions: { user: "all" } } as const;

const router = new Router([
  endpoint({
    method: "PUT",
    path: "/thing/{id}",
    allowToken: false,
    permissions: { check: ["perm", "/vms/{id}", ["VM.Audit"]] },
    parameters: { id: integer(), size: integer({ minimum: 10 }) },
    handler: ({ params }) => (params.size === 11 ? die("no space") : params),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/where",
    proxyTo: "node",
    ...open,
    parameters: { node: string() },
    handler: ({ node, params }) => [node, params.node],
  }),
  ...[true, false].map((isProtected) =>
    endpoint({
      method: "GET",
      path: isProtected ? "/slow/protected" : "/slow/open",
      protected: isProtected,
      ...open,
      parameters: {},
      handler: async (call) => {
        await call.sleep(300);
        onFinished();
        return "late";
      },
    }),
  ),
  endpoint({ method: "GET", path: "/teapot", ...open, parameters: {}, handler: () => raise(418, "short and stout") }),
  endpoint({
    method: "GET",
    path: "/bug",
    ...open,
    parameters: {},
    handler: () => {
      throw new TypeError("not a function");
    },
  }),
]);

async function ask(
  method: string,
  path: string,
  { user = "root@pam", params = {} as Record<string, unknown>, byToken = false } = {},
): Promise<ApiAnswer> {
  const caller = new Caller(user, new Acl(simulator.sim.world.access));
  return await dispatch(simulator.sim, router, { method, path, caller, byToken, params, upload: undefined });
}

describe("each check comes before the next", () => {
  const everythingWrong = { user: "noacl@pve", byToken: true, params: { id: "other", size: "x" } };

  test.each<[string, Parameters<typeof ask>[2], number, string]>([
    ["the path's parameters", everythingWrong, 400, "Parameter verification failed.\n"],
    [
      "tokens",
      { ...everythingWrong, params: { size: "x" } },
      403,
      "Permission check failed (URI '/thing/7' not available with API token, need proper ticket.\n)\n",
    ],
    ["permissions", { user: "noacl@pve", params: { size: "x" } }, 403, "Permission check failed (/vms/7, VM.Audit)\n"],
    ["parameters", { params: { size: "x" } }, 400, "Parameter verification failed.\n"],
    ["the work", { params: { size: "11" } }, 500, "no space\n"],
  ])("%s", async (_, options, status, message) => {
    expect(await ask("PUT", "/thing/7", options)).toMatchObject({ status, message });
  });

  test("until nothing is wrong", async () => {
    expect(await ask("PUT", "/thing/7", { params: { size: "12" } })).toMatchObject({
      status: 200,
      data: { id: 7, size: 12 },
    });
  });
});

describe("calls for a node", () => {
  test.each([
    ["pve1", "pve1"],
    ["pve2", "pve2"],
    ["localhost", "pve1"],
  ])("named %s run on %s", async (name, node) => {
    expect((await ask("GET", `/nodes/${name}/where`)).data).toEqual([node, name]);
  });

  test("that is unknown end at the resolver", async () => {
    expect((await ask("GET", "/nodes/x_y/where")).message).toBe(
      "hostname lookup 'x_y' failed - failed to get address info for: x_y: Name or service not known\n",
    );
  });
});

describe("a call that takes longer than 30 s", () => {
  test("is aborted by the proxy, while the work continues", async () => {
    const finished = new Promise<void>((resolve) => {
      onFinished = resolve;
    });
    expect(await ask("GET", "/slow/protected")).toEqual({ status: 596, message: "Connection timed out", bare: true });
    await finished;
  });

  test("is waited for without a proxy", async () => {
    expect(await ask("GET", "/slow/open")).toMatchObject({ status: 200, data: "late" });
  });
});

test("a handler chooses its status, and a bug is a 500", async () => {
  expect(await ask("GET", "/teapot")).toMatchObject({ status: 418, message: "short and stout\n" });
  expect(await ask("GET", "/bug")).toMatchObject({ status: 500, message: "not a function\n" });
});
