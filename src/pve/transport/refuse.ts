import { STATUS_CODES } from "node:http";
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
  const text = `the server redirects to ${JSON.stringify(String(headers["location"] ?? "nowhere"))}, which is not followed; check the configured endpoint`;
  return new PveError("malformed", text, { method, path: template, status });
}

function refused(call: Call, answer: Answer): PveError {
  const { status, reason } = answer;
  const { message, errors, isQuoted = isOwnReason(answer) } = readBody(answer.body);
  const retryAfterMs = readRetryAfter(answer);
  const said =
    status === tooManyRequests
      ? limited(retryAfterMs)
      : withoutPlace(message ?? reason).trim() || `HTTP status ${status}`;
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
    ...(isQuoted && status !== tooManyRequests && { isQuoted }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(params && { params }),
    ...(reading?.lock && { lock: reading.lock }),
    ...(missing && { missing }),
    ...(reading?.isInUse && { isInUse: true }),
    ...(mayHaveReachedWorker(status) && !call.isRepeatable && { mayHaveHappened: true }),
  });
}

/** Proxmox VE itself limits no requests: this is a proxy in front of it. */
const tooManyRequests = 429;

const limited = (retryAfterMs = 0): string => {
  const wait = retryAfterMs === 0 ? "" : `, and for a wait of ${Math.ceil(retryAfterMs / 1000)} s`;
  return `the server asks for fewer requests (HTTP status ${tooManyRequests})${wait}`;
};

/** `Retry-After` has seconds or a date. */
function readRetryAfter({ headers }: Answer): number | undefined {
  const text = String(headers["retry-after"] ?? "").trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return text === "" || Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** PVE puts its message there; others, the name that the status has everywhere. */
const isOwnReason = ({ status, reason }: Answer): boolean => reason.trim() !== "" && reason !== STATUS_CODES[status];

/** "Parameter verification failed." alone does not name the parameters. */
function withParameters(said: string, errors: Readonly<Record<string, string>> | undefined): string {
  const each = Object.entries(errors ?? {}).map(([name, text]) => `${name}: ${text}`);
  return each.length === 0 ? said : `${said.replace(/\.$/, "")}: ${each.join("; ")}`;
}

/** `{"data":null,"message":"…\n","errors":{…}}`; older hosts and proxies send less, or something else. */
function readBody(body: Buffer): {
  message?: string;
  errors?: Readonly<Record<string, string>>;
  /** Whether the text has the form that only PVE sends. */
  isQuoted?: boolean;
} {
  let parsed: unknown;
  try {
    parsed = parseJson(body.toString("utf8"));
  } catch {
    return {};
  }
  const { message, errors } = (typeof parsed === "object" && parsed !== null ? parsed : {}) as Record<string, unknown>;
  const isMap = typeof errors === "object" && errors !== null && !Array.isArray(errors);
  // Their order is that of a Perl hash; the message of equal refusals is always the same.
  const byName = isMap ? Object.entries(errors).sort(([a], [b]) => (a < b ? -1 : 1)) : [];
  const texts = byName.map(([name, text]) => [name, withoutPlace(String(text)).trim()] as const);
  const isSaid = typeof message === "string" && message.trim() !== "";
  return {
    ...(isSaid && { message, isQuoted: "data" in (parsed as object) }),
    ...(texts.length > 0 && { errors: Object.fromEntries(texts) }),
  };
}
