import { authenticate, credentialsFrom, type Login } from "../access/authenticate.ts";
import { type ApiAnswer, dispatch } from "../kernel/dispatch.ts";
import { Download } from "../kernel/download.ts";
import type { Upload } from "../kernel/endpoint.ts";
import { die, type Failure, failureText } from "../kernel/failure.ts";
import type { Router } from "../kernel/router.ts";
import type { Simulation } from "../kernel/simulation.ts";
import type { RawParameters } from "../schema/validate.ts";
import { type Answer, type Incoming, plainError, reset } from "./connection.ts";
import { decodeForm } from "./form.ts";
import { type Formatter, formatters } from "./formatter.ts";
import type { RequestHead } from "./message.ts";
import { readMultipart } from "./multipart.ts";
import { decodeJsonObject } from "./perl-json.ts";

const mostBodyBytes = 512 * 1024;
/** Every 401 takes at least this many milliseconds. */
const refusalSeconds = 3;

export interface ApiSite {
  readonly sim: Simulation;
  readonly router: Router;
}

interface Content {
  readonly params: RawParameters;
  readonly upload: Upload | undefined;
}

/** All requests below /api2: login, body, formatter, dispatch; in the order of pve-http-server. */
export async function serveApi(site: ApiSite, incoming: Incoming): Promise<Answer> {
  const { head } = incoming;
  const { clock } = site.sim;
  const [, format, path = "/"] = /^\/api2\/+([a-z][a-z0-9]+)(\/.*)?$/s.exec(head.path) ?? [];
  if (format === undefined) {
    return plainError(501, "no such uri");
  }
  const started = clock.now();
  let login: Login;
  try {
    login = authenticate(site.sim, { method: head.method, path }, credentialsFrom(head.headers));
  } catch (thrown) {
    await clock.sleep(refusalSeconds);
    const { status = 401, message } = thrown as Failure;
    return { status, reason: message };
  }
  const content = await readContent(incoming, login);
  if (content === reset || !("params" in content)) {
    return content;
  }
  const formatter = formatters[format];
  if (formatter === undefined) {
    return plainError(501, `no formatter for uri ${path}, ${format}`);
  }
  const { caller, byToken } = login;
  const answer = await dispatch(site.sim, site.router, { method: head.method, path, caller, byToken, ...content });
  if (answer.status === 401) {
    await clock.sleep(Math.max(refusalSeconds - clock.since(started), 0));
  }
  return render(answer, formatter);
}

function render(answer: ApiAnswer, formatter: Formatter): Answer {
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
  return { status, reason: message, body, headers: { "Content-Type": contentType } };
}

/** The parameters in body and query, or the answer to a refused body. */
async function readContent({ head, reader }: Incoming, login: Login): Promise<Content | Answer> {
  const length = Number(head.headers.get("content-length") ?? 0) || 0;
  const { method } = head;
  if (length && method !== "PUT" && method !== "POST") {
    return plainError(501, `Unexpected content for method '${method}'`);
  }
  const type = contentType(head);
  try {
    if (length && login.isUpload) {
      const { fields, upload } = await readMultipart(reader, length, boundaryOf(head));
      return { params: withQuery(fields, head), upload };
    }
    if (length > mostBodyBytes) {
      return plainError(501, "for data too large");
    }
    if (length && type !== "" && type !== "application/x-www-form-urlencoded" && type !== "application/json") {
      return plainError(506, `upload 'Content-Type '${head.headers.get("content-type")}' not implemented`);
    }
    const body = await reader.bytes(length);
    if (body === undefined) {
      return reset; // the client closed the connection during the upload
    }
    return { params: withQuery(bodyParameters(head, body), head), upload: undefined };
  } catch (thrown) {
    return plainError(500, failureText(thrown));
  }
}

function contentType(head: RequestHead): string {
  return (head.headers.get("content-type") ?? "").split(/\s*[;,]\s*/)[0] ?? "";
}

function boundaryOf(head: RequestHead): string {
  const type = head.headers.get("content-type") ?? "";
  const boundary = /[;,]\s*boundary\s*=\s*([^\s;,]+)/.exec(type)?.[1];
  return boundary ?? die(`upload 'Content-Type '${type}' not implemented`);
}

function bodyParameters(head: RequestHead, body: Buffer): RawParameters {
  if (head.method !== "PUT" && head.method !== "POST") {
    return {};
  }
  return contentType(head) === "application/json"
    ? decodeJsonObject(body.toString("utf8"))
    : decodeForm(body.toString("latin1"));
}

/** The query overrides the body; `_dc` only prevents caching. */
function withQuery(body: RawParameters, head: RequestHead): RawParameters {
  const { _dc: _, ...params } = { ...body, ...decodeForm(head.query) };
  return params;
}
