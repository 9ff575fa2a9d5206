import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";
import { call, RawConnection, rootToken } from "./client.ts";

let simulator: Simulator;
let authorization: string;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 100, tidy: true });
  authorization = `Authorization: PVEAPIToken=${simulator.tokens[rootToken]}`;
});
afterAll(() => simulator.close());

/** Sends one request on a fresh connection; the status line and what follows the head. */
async function exchange(
  lines: readonly string[],
  body = "",
): Promise<{ status: string; body: string; closed: boolean }> {
  const connection = await RawConnection.open(simulator);
  connection.send(lines, body);
  const answer = await connection.answer();
  const closed = /^connection: close$/im.test(answer);
  if (closed) {
    await connection.ended();
  }
  connection.close();
  const [status = ""] = answer.split("\r\n", 1);
  return { status, body: answer.slice(answer.indexOf("\r\n\r\n") + 4), closed };
}

const path = "/api2/json/version";

describe("requests the server does not serve", () => {
  test.each<[string, string[], string, string]>([
    ["another HTTP version", ["GET / HTTP/2.0"], "", "HTTP/1.0 506 http protocol version 2.0 not supported"],
    ["no HTTP at all", ["hello"], "", "HTTP/1.0 400 bad request"],
    ["an authority in the target", ["GET user@host/ HTTP/1.1"], "", "HTTP/1.0 400 invalid url"],
    ["an unparsable header", [`GET ${path} HTTP/1.1`, "no colon"], "", "HTTP/1.1 506 unable to parse request header"],
    [
      "a chunked body",
      [`POST ${path} HTTP/1.1`, "Transfer-Encoding: chunked"],
      "",
      "HTTP/1.1 501 chunked transfer encoding not supported",
    ],
    [
      "another encoding",
      [`POST ${path} HTTP/1.1`, "Transfer-Encoding: br"],
      "",
      "HTTP/1.1 501 Unknown transfer encoding 'br'",
    ],
    ["no format in the path", ["GET /api2 HTTP/1.1"], "", "HTTP/1.1 501 no such uri"],
    ["a path outside the API", ["GET /pve2/x HTTP/1.1"], "", "HTTP/1.1 500 no such file '/pve2/x'"],
  ])("%s", async (_, lines, body, status) => {
    const answer = await exchange(lines, body);
    expect(answer.status).toBe(status);
    expect(answer.body.trim()).toBe(status.replace(/^\S+ \d+ /, ""));
    expect(answer.closed).toBe(true);
  });

  test("a method that is not one of four has no body in its answer", async () => {
    expect(await exchange([`PATCH ${path} HTTP/1.1`])).toEqual({
      status: "HTTP/1.1 501 method 'PATCH' not available",
      body: "",
      closed: true,
    });
  });

  test.each<[string, string, string, string, string]>([
    ["a body on DELETE", "DELETE", "text/plain", "x", "501 Unexpected content for method 'DELETE'"],
    ["a body on GET", "GET", "text/plain", "x", "501 Unexpected content for method 'GET'"],
    ["another content type", "POST", "text/xml", "<a/>", "506 upload 'Content-Type 'text/xml' not implemented"],
    ["a body over 512 KiB", "POST", "application/json", "x".repeat(512 * 1024 + 1), "501 for data too large"],
  ])("%s, and only after the login", async (_, method, type, body, status) => {
    const lines = [`${method} ${path} HTTP/1.1`, `Content-Type: ${type}`, `Content-Length: ${body.length}`];
    expect((await exchange([...lines, authorization], body)).status).toBe(`HTTP/1.1 ${status}`);
    expect((await exchange(lines, body)).status).toBe("HTTP/1.1 401 No ticket");
  });

  test("an unknown format", async () => {
    const answer = await call(simulator, "GET", "/api2/yaml/version");
    expect([answer.status, answer.text]).toEqual([501, "no formatter for uri /version, yaml"]);
  });

  test("an unknown path is counted", async () => {
    await call(simulator, "GET", "/does/not/exist");
    const { body } = await call(simulator, "GET", "/simulator/log");
    expect(body).toMatchObject({ data: { unserved: { "GET /does/not/exist": expect.any(Number) } } });
  });
});

describe("header limits", () => {
  test.each<[string, string[]]>([
    ["63 lines", Array.from({ length: 63 }, (_, index) => `X-${index}: 1`)],
    ["8 KiB", [`X: ${"y".repeat(8192)}`]],
  ])("beyond %s the server never answers", async (_, headers) => {
    const connection = await RawConnection.open(simulator);
    connection.send([`GET ${path} HTTP/1.1`, ...headers]);
    await connection.ended(); // the idle timeout
    expect(await connection.answer()).toBe("");
  });

  test("62 lines are served", async () => {
    const headers = Array.from({ length: 61 }, (_, index) => `X-${index}: 1`);
    expect((await exchange([`GET ${path} HTTP/1.1`, ...headers, authorization])).status).toBe("HTTP/1.1 200 OK");
  });
});

describe("connections", () => {
  test("carry a hundred requests and end with the last", async () => {
    const connection = await RawConnection.open(simulator);
    const answers: string[] = [];
    for (let count = 0; count < 100; count++) {
      connection.send([`GET ${path} HTTP/1.1`, authorization]);
      answers.push(/^connection: (.*)$/im.exec(await connection.answer())?.[1] ?? "");
    }
    await connection.ended();
    expect(answers.slice(0, 99)).toEqual(Array.from({ length: 99 }, () => "Keep-Alive"));
    expect(answers[99]).toBe("close");
  });

  test("answer requests that were sent ahead, in order", async () => {
    const connection = await RawConnection.open(simulator);
    connection.send([`GET ${path} HTTP/1.1`, authorization]);
    connection.send(["GET /api2/json/access HTTP/1.1", authorization, "Connection: close"]);
    expect(await connection.answer()).toContain('"release"');
    expect(await connection.answer()).toContain('"subdir"');
    await connection.ended();
  });

  test("end after every error", async () => {
    const connection = await RawConnection.open(simulator);
    connection.send(["GET /api2/json/nowhere HTTP/1.1", authorization]);
    expect(await connection.answer()).toContain("Connection: close");
    await connection.ended();
  });

  test("end for clients of HTTP/1.0 unless they ask otherwise", async () => {
    expect((await exchange([`GET ${path} HTTP/1.0`, authorization])).closed).toBe(true);
    expect((await exchange([`GET ${path} HTTP/1.0`, authorization, "Connection: keep-alive"])).closed).toBe(false);
  });

  test("are closed when the client does not send what it announced", async () => {
    const connection = await RawConnection.open(simulator);
    connection.send(["POST /api2/json/access/groups HTTP/1.1", authorization, "Content-Length: 20"], "groupid=half");
    await connection.ended();
    expect(await connection.answer()).toBe("");
    expect(simulator.sim.world.access.groups).not.toHaveProperty("half");
  });

  test.each([
    ["GET", 301, "Moved Permanently"],
    ["POST", 308, "Permanent Redirect"],
  ])("without TLS are redirected: %s with %d", async (method, status, reason) => {
    const connection = await RawConnection.open(simulator, "plain");
    connection.send([`${method} /api2/json/version?x=1 HTTP/1.1`, "Host: pve.example.com:8006"]);
    const answer = await connection.answer();
    expect(answer).toContain(`HTTP/1.1 ${status} ${reason}`);
    expect(answer).toContain("Location: https://pve.example.com:8006/api2/json/version?x=1");
    await connection.ended();
  });
});

describe("answers", () => {
  test("carry PVE's headers", async () => {
    const { headers } = await call(simulator, "GET", "/version");
    expect(headers).toMatchObject({
      server: "pve-api-daemon/3.0",
      "cache-control": "max-age=0",
      pragma: "no-cache",
      "content-type": "application/json;charset=UTF-8",
      expires: headers["date"],
    });
  });

  test("are compressed from 1 KiB on, if the client wants it", async () => {
    const connection = await RawConnection.open(simulator);
    connection.send(["GET /api2/json/access/roles HTTP/1.1", authorization, "Accept-Encoding: gzip"]);
    const answer = await connection.answer();
    expect(answer).toContain("Content-Encoding: gzip");
    const body = Buffer.from(answer.slice(answer.indexOf("\r\n\r\n") + 4), "latin1");
    expect(JSON.parse(gunzipSync(body).toString("utf8"))).toHaveProperty("data");
    connection.send([`GET ${path} HTTP/1.1`, authorization, "Accept-Encoding: gzip"]);
    expect(await connection.answer()).not.toContain("Content-Encoding");
    connection.close();
  });

  test("have the message's first line as reason, and the whole message in the body", async () => {
    const answer = await call(simulator, "GET", "/access/users/ghost@pve");
    expect(answer).toMatchObject({
      status: 500,
      reason: "no such user ('ghost@pve')",
      body: { data: null, message: "no such user ('ghost@pve')\n" },
    });
  });

  test("in extjs format are always 200 and say in the body how it went", async () => {
    expect(await call(simulator, "GET", "/api2/extjs/version")).toMatchObject({ status: 200, body: { success: 1 } });
    expect(await call(simulator, "GET", "/api2/extjs/access/roles/none")).toMatchObject({
      status: 200,
      reason: "OK",
      body: { success: 0, status: 500, message: "role 'none' does not exist\n", data: null },
    });
  });
});

describe("parameters", () => {
  test("in the query win over the body, and _dc is dropped", async () => {
    const answer = await call(simulator, "POST", "/access/groups?groupid=from-query&_dc=1", {
      form: { groupid: "from-body" },
    });
    expect(answer.status).toBe(200);
    expect((await call(simulator, "GET", "/access/groups/from-query")).status).toBe(200);
  });

  test("that contradict the path are refused before permissions are looked at", async () => {
    const answer = await call(simulator, "GET", "/access/groups/a?groupid=b", { token: "noacl@pve!tf" });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: { groupid: "duplicate parameter (already defined in URI) with conflicting values!" } },
    });
  });

  test("are looked at after permissions", async () => {
    const bad = { form: { groupid: "a b", nonsense: "1" } };
    expect((await call(simulator, "POST", "/access/groups", { ...bad, token: "noacl@pve!tf" })).reason).toBe(
      "Permission check failed (/access/groups, Group.Allocate)",
    );
    expect((await call(simulator, "POST", "/access/groups", bad)).body.errors).toEqual({
      groupid: "invalid format - group name 'a b' contains invalid characters\n",
      nonsense: "property is not defined in schema and the schema does not allow additional properties",
    });
  });

  test("in broken JSON are an error of the HTTP layer", async () => {
    const answer = await call(simulator, "POST", "/pools", {
      headers: { "Content-Type": "application/json", "Content-Length": "0" },
    });
    expect(answer.status).toBe(500);
    expect(answer.reason).toMatch(/^malformed JSON string, .* at character offset 0 \(before "\(end of string\)"\) at/);
    expect(answer.headers["content-type"]).toBeUndefined();
  });
});
