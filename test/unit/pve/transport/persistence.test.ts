import { describe, expect, it } from "vitest";
import { createClient } from "../../../../src/pve/client.ts";
import type { PveError } from "../../../../src/pve/errors.ts";
import { resolveSettings } from "../../../../src/pve/settings.ts";
import { startLocalClient, token } from "../local-client.ts";
import { type Handler, json, type Received, refusal, startLocalServer } from "../local-server.ts";

const version = json({ version: "9.2.11", release: "9.2" });
const dead = "https://127.0.0.1:9";

const breaking = (times: number): Handler => {
  let left = times;
  return (_, response) => {
    left -= 1;
    if (left >= 0) {
      response.socket?.destroy();
      return "handled";
    }
    return version;
  };
};

describe("a request without a response", () => {
  it("is sent again if it only reads", async () => {
    await using local = await startLocalClient(breaking(2));
    expect(await local.client.cluster.getVersion()).toMatchObject({ release: "9.2" });
    expect(local.server.requests).toHaveLength(3);
  });

  it("fails after the third attempt", async () => {
    await using local = await startLocalClient(breaking(9));
    await expect(local.client.cluster.getVersion()).rejects.toMatchObject({ kind: "unreachable" });
    expect(local.server.requests).toHaveLength(3);
  });

  it("is never sent again if it writes and may have arrived", async () => {
    await using local = await startLocalClient(breaking(9));
    await expect(local.client.pools.create("p")).rejects.toMatchObject({ kind: "unreachable", mayHaveHappened: true });
    expect(local.server.requests).toHaveLength(1);
  });

  it("is sent again if it writes and the proxy did not reach the daemon", async () => {
    let calls = 0;
    await using local = await startLocalClient(() => {
      calls += 1;
      return calls === 1 ? { status: 595, reason: "Connection refused", headers: { connection: "close" } } : json(null);
    });
    await local.client.pools.create("p");
    expect(local.server.requests).toHaveLength(2);
  });

  const limiting = (times: number, after: string, then: Handler): Handler => {
    let left = times;
    const limited = { status: 429, reason: "Too Many Requests", headers: { "retry-after": after }, body: "<html>" };
    return (...request) => {
      left -= 1;
      return left >= 0 ? limited : then(...request);
    };
  };

  it.each(["soon", "1", new Date(Date.now() + 2000).toUTCString()])(
    "is sent again, even if it writes, when the server limits requests: after %s",
    async (after) => {
      await using local = await startLocalClient(limiting(1, after, () => json(null)));
      const started = performance.now();
      await local.client.pools.create("p");
      expect(local.server.requests.filter(({ method }) => method === "POST")).toHaveLength(2);
      expect(performance.now() - started).toBeGreaterThan(after === "1" ? 950 : 0);
    },
  );

  it("fails at once when the server asks for a long wait, and says so", async () => {
    await using local = await startLocalClient(limiting(9, "3600", () => version));
    await expect(local.client.cluster.getVersion()).rejects.toMatchObject({
      kind: "unreachable",
      message: "the server asks for fewer requests (HTTP status 429), and for a wait of 3600 s",
      mayHaveHappened: false,
    });
    expect(local.server.requests).toHaveLength(1);
  });

  it("fails after the fifth attempt when the server keeps limiting requests", async () => {
    await using local = await startLocalClient(limiting(9, "0", () => version));
    const failure = await local.client.cluster.getVersion().catch((reason: unknown) => reason);
    expect(failure).toMatchObject({ message: "the server asks for fewer requests (HTTP status 429)" });
    expect((failure as PveError).details.isQuoted).toBeUndefined();
    expect(local.server.requests).toHaveLength(5);
  });

  it.each([
    ["refused", refusal(500, "no options specified")],
    ["forbidden", refusal(403, "Permission check failed")],
    ["unauthorised", { status: 401, reason: "Authentication failed!", headers: { connection: "close" } }],
  ])("is not the same as one that was %s", async (_, reply) => {
    await using local = await startLocalClient(() => reply);
    await expect(local.client.cluster.getVersion()).rejects.toThrow();
    expect(local.server.requests).toHaveLength(1);
  });
});

describe("with several endpoints", () => {
  const asksForCluster = ({ url }: Received) => url === "/api2/json/nodes/localhost/certificates/info";
  const ofCluster =
    (fingerprint: string, handler: Handler): Handler =>
    (request, response) =>
      asksForCluster(request) ? json([{ filename: "pve-root-ca.pem", fingerprint }]) : handler(request, response);

  async function connect(handlers: readonly (Handler | "dead")[], clusters: readonly string[] = []) {
    const servers = await Promise.all(
      handlers.map((handler, index) =>
        handler === "dead" ? null : startLocalServer(ofCluster(clusters[index] ?? "AA:BB", handler)),
      ),
    );
    const warnings: unknown[] = [];
    const quiet = () => {};
    const client = createClient(
      resolveSettings({
        endpoints: servers.map((server) => server?.url.href ?? dead),
        apiToken: token,
        insecure: true,
        requestTimeoutMs: 500,
      }),
      {
        logger: {
          error: quiet,
          info: quiet,
          debug: quiet,
          warn: (_, fields) => void warnings.push(fields?.["endpoint"]),
        },
      },
    );
    return {
      client,
      warnings,
      servers: servers.map((server) => ({
        get requests() {
          return server?.requests.filter((request) => !asksForCluster(request));
        },
        close: () => server?.close(),
      })),
      async [Symbol.asyncDispose]() {
        await client.close();
        await Promise.all(servers.map((server) => server?.close()));
      },
    };
  }

  it("the next is used when one is down, with one warning per failure, and kept", async () => {
    await using cluster = await connect(["dead", () => version]);
    await cluster.client.cluster.getVersion();
    await cluster.client.cluster.getVersion();
    expect(cluster.warnings).toEqual([undefined, dead]); // the first is about `insecure`
    expect(cluster.servers[1]?.requests).toHaveLength(2);
  });

  it("a write goes to the next too if it was never sent", async () => {
    await using cluster = await connect(["dead", () => json(null)]);
    await cluster.client.pools.create("p");
    expect(cluster.servers[1]?.requests).toHaveLength(1);
  });

  it("a write that may have arrived goes nowhere else", async () => {
    await using cluster = await connect([breaking(9), () => json(null)]);
    await expect(cluster.client.pools.create("p")).rejects.toMatchObject({ mayHaveHappened: true });
    expect(cluster.servers[1]?.requests).toEqual([]);
  });

  it("a refusal is a response, and no other endpoint is tried", async () => {
    await using cluster = await connect([() => refusal(500, "no such thing"), () => version]);
    await expect(cluster.client.cluster.getVersion()).rejects.toMatchObject({ kind: "invalid" });
    expect(cluster.servers[1]?.requests).toEqual([]);
  });

  it("a silent one is skipped", async () => {
    await using cluster = await connect([() => new Promise(() => {}), () => version]);
    expect(await cluster.client.cluster.getVersion()).toMatchObject({ release: "9.2" });
  });

  it("one of another cluster gets no request, not even a write that was never sent", async () => {
    let isDown = false;
    const first: Handler = (_, response) => {
      if (!isDown) return version;
      response.socket?.destroy();
      return "handled";
    };
    await using cluster = await connect([first, () => version], ["AA:BB", "CC:DD"]);
    const { client, servers } = cluster;
    await client.cluster.getVersion();
    expect(client.clusterOfEndpoints()).toBe("AA:BB");
    isDown = true;
    await expect(client.cluster.getVersion()).rejects.toThrow(/belongs to another cluster/);
    expect(servers[1]?.requests).toEqual([]);
  });

  it("all failures are reported when all are down", async () => {
    await using cluster = await connect(["dead", "dead"]);
    await expect(cluster.client.cluster.getVersion()).rejects.toMatchObject({
      kind: "unreachable",
      message: `${dead}: the connection was refused; ${dead}: the connection was refused`,
    });
  });
});

describe("the number of requests at a time", () => {
  it("is limited, and all are sent", async () => {
    let open = 0;
    let most = 0;
    const handler: Handler = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return version;
    };
    await using local = await startLocalClient(handler, { concurrency: 3 });
    await Promise.all(Array.from({ length: 20 }, () => local.client.cluster.getVersion()));
    expect(local.server.requests).toHaveLength(20);
    expect(most).toBe(3);
    expect(local.server.connections()).toBeLessThanOrEqual(3);
  });

  it("removes an aborted caller from the queue", async () => {
    await using local = await startLocalClient(() => new Promise(() => {}), { concurrency: 1, requestTimeoutMs: 200 });
    const first = local.client.cluster.getVersion().catch(() => {});
    await expect(local.client.cluster.getVersion({ signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    await first;
    expect(local.server.requests.length).toBeLessThanOrEqual(3);
  });
});
