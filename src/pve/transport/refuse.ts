import {
  mayHaveReachedWorker,
  readMissingPrivilege,
  readStatus,
  readTexts,
  readWrappedParameters,
} from "../error-texts.ts";
import { PveError } from "../errors.ts";
import { requiredPrivilege } from "../privileges.ts";
import { withoutPlace } from "../single-texts.ts";
import type { Answer, Call, Send } from "./call.ts";
import { parseJson } from "./safe-json.ts";

/** Turns every response that is not a success into a `PveError`; status codes exist below this wrapper only. */
export function rejectFailures(send: Send): Send {
  return async (call) => {
    const answer = await send(call);
    if (answer.status >= 200 && answer.status < 300) {
      return answer;
    }
    throw answer.status < 400 ? redirected(call, answer) : refused(call, answer);
  };
}

/**
 * PVE answers plain HTTP on its port with a redirect. The client does not follow it, so that credentials go only to the
 * configured address.
 */
function redirected({ method, template }: Call, { status, headers }: Answer): PveError {
  const text = `the server redirects to ${String(headers["location"] ?? "nowhere")}; give that address as the endpoint`;
  return new PveError("malformed", text, { method, path: template, status });
}

function refused(call: Call, answer: Answer): PveError {
  const { status, reason } = answer;
  const { message, errors } = readBody(answer.body);
  const said = withoutPlace(message ?? reason).trim() || `HTTP status ${status}`;
  const params = errors ?? readWrappedParameters(said);
  const texts = [said, ...Object.values(errors ?? {})];
  const statusKind = readStatus(status, said);
  const reading = statusKind === null ? readTexts(texts, call.template) : undefined;
  const missing =
    reading?.missing ?? readMissingPrivilege(said) ?? (status === 403 ? requiredPrivilege(call) : undefined);
  return new PveError(statusKind ?? reading?.kind ?? "invalid", withParameters(said, errors), {
    method: call.method,
    path: call.template,
    status,
    ...(params && { params }),
    ...(reading?.lock && { lock: reading.lock }),
    ...(missing && { missing }),
    ...(reading?.isInUse && { isInUse: true }),
    ...(mayHaveReachedWorker(status) && !call.isRepeatable && { mayHaveHappened: true }),
  });
}

/** "Parameter verification failed." alone does not name the parameters. */
function withParameters(said: string, errors: Readonly<Record<string, string>> | undefined): string {
  const each = Object.entries(errors ?? {}).map(([name, text]) => `${name}: ${text}`);
  return each.length === 0 ? said : `${said.replace(/\.$/, "")}: ${each.join("; ")}`;
}

/** `{"data":null,"message":"…\n","errors":{…}}`; older hosts and proxies send less, or something else. */
function readBody(body: Buffer): { message?: string; errors?: Readonly<Record<string, string>> } {
  let parsed: unknown;
  try {
    parsed = parseJson(body.toString("utf8"));
  } catch {
    return {};
  }
  const { message, errors } = (typeof parsed === "object" && parsed !== null ? parsed : {}) as Record<string, unknown>;
  const isMap = typeof errors === "object" && errors !== null && !Array.isArray(errors);
  const texts = isMap
    ? Object.entries(errors).map(([name, text]) => [name, withoutPlace(String(text)).trim()] as const)
    : [];
  return {
    ...(typeof message === "string" && message.trim() !== "" && { message }),
    ...(texts.length > 0 && { errors: Object.fromEntries(texts) }),
  };
}
