import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import type { PveError } from "../../../../src/pve/errors.ts";
import type { Call } from "../../../../src/pve/transport/call.ts";
import { type EndpointSettings, openEndpoint } from "../../../../src/pve/transport/endpoint.ts";
import { type Handler, json, type LocalServer, refusal, startLocalServer } from "../local-server.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const call: Call = {
  method: "GET",
  template: "/version",
  path: "/version",
  parameters: {},
  headers: {},
  isRepeatable: true,
};
const write: Call = { ...call, method: "POST", template: "/pools", path: "/pools", isRepeatable: false };

async function connect(handler: Handler, more: Partial<EndpointSettings> = {}, url?: URL) {
  const server = await startLocalServer(handler);
  const endpoint = openEndpoint(url ?? server.url, {
    tls: { caCertificate: server.caCertificate },
    requestTimeoutMs: 5000,
    connectTimeoutMs: 2000,
    concurrency: 4,
    maxAnswerBytes: 10_000,
    ...more,
  });
  closing.push(
    () => endpoint.close(),
    () => server.close(),
  );
  return { server, endpoint };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it should have failed"),
    (reason: PveError) => reason,
  );

describe("requests", () => {
  it("put the parameters of a GET and a DELETE into the query", async () => {
    const { server, endpoint } = await connect(() => json(null));
    const parameters = {
      purge: true,
      "destroy-unreferenced-disks": false,
      name: "a b&c;d=e",
      list: ["x", "y"],
      none: undefined,
    };
    await endpoint.send({ ...call, method: "DELETE", path: "/nodes/pve/qemu/100", parameters });
    expect(server.requests[0]).toMatchObject({
      method: "DELETE",
      url: "/api2/json/nodes/pve/qemu/100?purge=1&destroy-unreferenced-disks=0&name=a%20b%26c%3Bd%3De&list=x%2Cy",
      body: "",
    });
    expect(server.requests[0]?.headers["content-length"]).toBeUndefined();
  });

  it("send those of a POST as a form with its length, every special character encoded", async () => {
    const { server, endpoint } = await connect(() => json(null));
    await endpoint.send({
      ...write,
      parameters: { boot: "order=scsi0;net0", net0: "virtio=AA:BB,tag=2", note: "ü+!'()*" },
    });
    const body = "boot=order%3Dscsi0%3Bnet0&net0=virtio%3DAA%3ABB%2Ctag%3D2&note=%C3%BC%2B%21%27%28%29%2A";
    expect(server.requests[0]).toMatchObject({ method: "POST", body });
    expect(server.requests[0]?.headers).toMatchObject({
      "content-type": "application/x-www-form-urlencoded",
      "content-length": String(body.length),
    });
  });

  it("keep a path prefix", async () => {
    const { server, endpoint } = await connect(() => json(null));
    const behindProxy = openEndpoint(new URL("/cluster-a/", server.url), {
      tls: { caCertificate: server.caCertificate },
      requestTimeoutMs: 5000,
      connectTimeoutMs: 2000,
      concurrency: 1,
      maxAnswerBytes: 1000,
    });
    await behindProxy.send(call);
    await behindProxy.close();
    expect(server.requests[0]?.url).toBe("/cluster-a/api2/json/version");
    expect(endpoint.origin).toBe(server.url.origin);
  });

  it("upload a file last, after its text parts, with the length known beforehand", async () => {
    const { server, endpoint } = await connect(() => json("UPID"));
    const upload = { fileName: 'a"b.iso', size: 5, open: () => Readable.from([Buffer.from("he"), Buffer.from("llo")]) };
    await endpoint.send({ ...write, parameters: { content: "iso" }, upload });
    const [{ headers, body } = expect.fail("no request")] = server.requests;
    expect(body).toMatch(
      /^------\S+\r\nContent-Disposition: form-data; name="content"\r\n\r\niso\r\n------\S+\r\nContent-Disposition: form-data; name="filename"; filename="a_b.iso"\r\nContent-Type: application\/octet-stream\r\n\r\nhello\r\n------\S+--\r\n$/,
    );
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers["transfer-encoding"]).toBeUndefined();
  });
});

describe("answers", () => {
  it("keep the reason phrase: a 401 of PVE has nothing else", async () => {
    const { endpoint } = await connect(() => ({ status: 401, reason: "No ticket", headers: { connection: "close" } }));
    expect(await endpoint.send(call)).toMatchObject({ status: 401, reason: "No ticket", body: Buffer.alloc(0) });
  });

  it("larger than allowed are aborted", async () => {
    const { endpoint } = await connect(() => json("x".repeat(20_000)));
    expect(await failure(endpoint.send(call))).toMatchObject({
      kind: "malformed",
      message: expect.stringContaining("larger than 10000 bytes"),
    });
  });

  it("that are late are a timeout, and a write may have happened", async () => {
    const { endpoint } = await connect(() => new Promise(() => {}), { requestTimeoutMs: 100 });
    expect(await failure(endpoint.send(call))).toMatchObject({ kind: "timeout", details: { mayHaveHappened: false } });
    expect(await failure(endpoint.send(write))).toMatchObject({ kind: "timeout", details: { mayHaveHappened: true } });
  });

  it("are not waited for once the caller has aborted", async () => {
    const controller = new AbortController();
    const { endpoint } = await connect(() => {
      controller.abort(new Error("enough"));
      return new Promise(() => {});
    });
    await expect(endpoint.send({ ...call, signal: controller.signal })).rejects.toThrow("enough");
    await expect(endpoint.send({ ...call, signal: controller.signal })).rejects.toThrow("enough");
  });
});

describe("connections", () => {
  it("are kept for the next request", async () => {
    const { server, endpoint } = await connect(() => json(null));
    for (let n = 0; n < 5; n++) {
      await endpoint.send(call);
    }
    expect(server.connections()).toBe(1);
  });

  it("are closed before the hundredth request, when PVE would close them", async () => {
    const { server, endpoint } = await connect(() => json(null));
    for (let n = 0; n < 105; n++) {
      await endpoint.send(call);
    }
    expect(server.connections()).toBe(2);
    expect(server.requests.filter(({ connection }) => connection === 1)).toHaveLength(99);
  });

  it("are not used again after a refusal", async () => {
    const { server, endpoint } = await connect(() => refusal(500, "VM is locked (clone)"));
    await endpoint.send(call);
    await endpoint.send(call);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it("that break during a write leave its result unknown", async () => {
    const { endpoint } = await connect((_, response) => {
      response.socket?.destroy();
      return "handled";
    });
    expect(await failure(endpoint.send(write))).toMatchObject({
      kind: "unreachable",
      details: { mayHaveHappened: true },
    });
    expect(await failure(endpoint.send(call))).toMatchObject({
      kind: "unreachable",
      details: { mayHaveHappened: false },
    });
  });

  it("that are refused did not send the write", async () => {
    const { endpoint } = await connect(() => json(null), {}, new URL("https://127.0.0.1:9"));
    expect(await failure(endpoint.send(write))).toMatchObject({
      kind: "unreachable",
      message: "https://127.0.0.1:9: the connection was refused",
      details: { mayHaveHappened: false },
    });
  });

  it("that end in the middle of a response are detected", async () => {
    const { endpoint } = await connect((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{");
      setTimeout(() => response.socket?.destroy(), 20);
      return "handled";
    });
    expect(await failure(endpoint.send(call))).toMatchObject({ kind: "unreachable" });
  });
});

describe("the server's certificate", () => {
  const tls = (pick: (server: LocalServer) => EndpointSettings["tls"]) => async () => {
    const { server } = await connect(() => json(null));
    const endpoint = openEndpoint(server.url, {
      tls: pick(server),
      requestTimeoutMs: 5000,
      connectTimeoutMs: 2000,
      concurrency: 2,
      maxAnswerBytes: 1000,
    });
    closing.push(() => endpoint.close());
    return [server, await endpoint.send(write).catch((reason: PveError) => reason)] as const;
  };

  it.each([
    ["is not trusted by default when its authority is unknown", tls(() => ({})), "authority", "is not trusted"],
    [
      "is refused when its fingerprint differs",
      tls(() => ({ fingerprint: "00".repeat(32) })),
      "pin",
      "is not the one whose fingerprint is pinned",
    ],
    [
      "is refused for another fingerprint even with `insecure`",
      tls(() => ({ fingerprint: "00".repeat(32), isInsecure: true })),
      "pin",
      "is not the one whose fingerprint is pinned",
    ],
  ])("%s", async (_, attempt, distrust, said) => {
    const [server, error] = await attempt();
    expect(error).toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining(`its certificate ${said}`),
      details: { mayHaveHappened: false, distrust },
    });
    expect((error as PveError).message).not.toContain(server.fingerprint);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["is accepted when the given authority signed it", tls(({ caCertificate }) => ({ caCertificate }))],
    ["is accepted by its fingerprint", tls(({ fingerprint }) => ({ fingerprint }))],
    [
      "is accepted by its fingerprint in small letters without colons",
      tls(({ fingerprint }) => ({ fingerprint: fingerprint.replaceAll(":", "").toLowerCase() })),
    ],
    ["is accepted unverified with `insecure`", tls(() => ({ isInsecure: true }))],
  ])("%s", async (_, attempt) => {
    const [server, answer] = await attempt();
    expect(answer).toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["a fingerprint of the wrong length", { fingerprint: "AB:CD" }, "not a SHA-256 fingerprint"],
    ["a missing CA file", { caCertificate: "/nowhere/ca.pem" }, "neither PEM text nor a file"],
  ])("%s is refused before anything is sent", (_, given, message) => {
    const open = () =>
      openEndpoint(new URL("https://127.0.0.1:9"), {
        tls: given,
        requestTimeoutMs: 1,
        connectTimeoutMs: 1,
        concurrency: 1,
        maxAnswerBytes: 1,
      });
    expect(open).toThrow(message);
  });
});
