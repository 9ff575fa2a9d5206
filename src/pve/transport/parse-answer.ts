import type * as z from "zod";
import { PveError } from "../errors.ts";
import type { Answer, Call } from "./call.ts";
import { parseJson } from "./safe-json.ts";

/** The contents of a response. */
export interface Parsed<T> {
  readonly data: T;
  /** The total number, where a list was truncated. */
  readonly total: number | undefined;
  /** What is staged and not in effect, as a diff beside the data. */
  readonly changes: string | undefined;
}

const longAnswer = 256 * 1024;

/** Reads `{"data": …}` by a schema. Data that does not fit is `malformed`, with its path. */
export function parseAnswer<S extends z.ZodType>(call: Call, answer: Answer, schema: S): Parsed<z.infer<S>> {
  const envelope = readEnvelope(call, answer);
  // Compiling a schema takes as long as reading hundreds of objects with one that is not compiled.
  const result = schema.safeParse(envelope["data"], { jitless: answer.body.length < longAnswer });
  if (!result.success) {
    const [issue] = result.error.issues;
    const where = ["data", ...(issue?.path ?? [])].map(String).join(".");
    throw malformed(call, answer, `${where}: ${issue?.message ?? "unexpected value"}`);
  }
  const { total, changes } = envelope;
  return {
    data: result.data,
    total: typeof total === "number" ? total : undefined,
    changes: typeof changes === "string" ? changes : undefined,
  };
}

function readEnvelope(call: Call, answer: Answer): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(answer.body.toString("utf8"));
  } catch (reason) {
    throw malformed(call, answer, reason instanceof PveError ? reason.message : "it is not JSON");
  }
  if (typeof value !== "object" || value === null || !("data" in value)) {
    throw malformed(call, answer, "it has no data; is this address a Proxmox VE API?");
  }
  return value as Record<string, unknown>;
}

function malformed({ method, template }: Call, { status }: Answer, problem: string): PveError {
  const text = `the response to ${method} ${template} does not match the API: ${problem}`;
  return new PveError("malformed", text, { method, path: template, status });
}
