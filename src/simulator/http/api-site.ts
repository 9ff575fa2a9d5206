import { authenticate, credentialsFrom, type Login } from "../access/authenticate.ts";
import { type ApiAnswer, dispatch } from "../kernel/dispatch.ts";
import { Download } from "../kernel/download.ts";
import { Failure, failureText } from "../kernel/failure.ts";
import type { Router } from "../kernel/router.ts";
import type { Simulation } from "../kernel/simulation.ts";
import type { RawParameters } from "../schema/validate.ts";
import { type Answer, type Incoming, plainError, reset } from "./connection.ts";
import { decodeForm } from "./form.ts";
import { formatters } from "./formatter.ts";
import type { RequestHead } from "./message.ts";
import { decodeJsonObject } from "./perl-json.ts";

const mostBodyBytes = 512 * 1024;
/** Every 401 takes at least this long. */
const refusalSeconds = 3;

export interface ApiSite {
  readonly sim: Simulation;
  readonly router: Router;
}

/** Everything below /api2: login, body, formatter, dispatch; the order is pve-http-server's. */
export async function serveApi(site: ApiSite, incoming: Incoming): Promise<Answer> {
  const { head } = incoming;
  const [, format, path = "/"] = /^\/api2\/+([a-z][a-z0-9]+)(\/.*)?$/s.exec(head.path) ?? [];
  if (format === undefined) {
    return plainError(501, "no such uri");
  }
  const started = site.sim.clock.now();
  let login: Login;
  try {
    const credentials = credentialsFrom(head.headers);
    login = authenticate(site.sim, { method: head.method, path }, credentials);
  } catch (thrown) {
    await site.sim.clock.sleep(refusalSeconds);
    const status = (thrown instanceof Failure ? thrown.status : undefined) ?? 401;
    return { status, reason: failureText(thrown instanceof Failure ? new Error(thrown.message) : thrown) };
  }
  const body = await readBody(incoming);
  if (body !== undefined && !Buffer.isBuffer(body)) {
    return body;
  }
  const formatter = formatters[format];
  if (formatter === undefined) {
    return plainError(501, `no formatter for uri ${path}, ${format}`);
  }
  let params: RawParameters;
  try {
    params = parameters(head, body);
  } catch (thrown) {
    return plainError(500, failureText(thrown));
  }
  const { caller, byToken } = login;
  const answer = await dispatch(site.sim, site.router, {
    method: head.method,
    path,
    caller,
    byToken,
    params,
    upload: undefined,
  });
  if (answer.status === 401) {
    await site.sim.clock.sleep(Math.max(refusalSeconds - site.sim.clock.since(started), 0));
  }
  return render(answer, formatter);
}

function render(answer: ApiAnswer, formatter: (typeof formatters)[string] & {}): Answer {
  if (answer.connection === "reset") {
    return reset;
  }
  if (answer.bare) {
    return { status: answer.status, reason: answer.message };
  }
  if (answer.data instanceof Download) {
    const { body, contentType, disposition } = answer.data;
    return { status: 200, body, headers: { "Content-Type": contentType, "Content-Disposition": disposition } };
  }
  const { status, message, contentType, body } = formatter(answer);
  return { status, reason: message, body, headers: contentType === undefined ? {} : { "Content-Type": contentType } };
}

/** The body, undefined without one, or the answer to one that is not taken. */
async function readBody({ head, reader }: Incoming): Promise<Buffer | Answer | undefined> {
  const length = Number(head.headers.get("content-length") ?? 0);
  if (!length) {
    return undefined;
  }
  if (head.method !== "PUT" && head.method !== "POST") {
    return plainError(501, `Unexpected content for method '${head.method}'`);
  }
  if (length > mostBodyBytes) {
    return plainError(501, "for data too large");
  }
  const type = head.headers.get("content-type");
  const kind = contentType(head);
  if (kind !== "" && kind !== "application/x-www-form-urlencoded" && kind !== "application/json") {
    return plainError(506, `upload 'Content-Type '${type}' not implemented`);
  }
  return await reader.bytes(length);
}

function contentType(head: RequestHead): string {
  return (head.headers.get("content-type") ?? "").split(/\s*[;,]\s*/)[0] ?? "";
}

/** Body and query; the query wins, and `_dc` is only there to get past caches. */
function parameters(head: RequestHead, body: Buffer | undefined): RawParameters {
  let params: RawParameters = {};
  if (head.method === "PUT" || head.method === "POST") {
    params =
      contentType(head) === "application/json"
        ? decodeJsonObject(body?.toString("utf8") ?? "")
        : decodeForm(body?.toString("latin1") ?? "");
  }
  const { _dc: _, ...all } = { ...params, ...decodeForm(head.query) };
  return all;
}
