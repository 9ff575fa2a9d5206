import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

export interface ExpectedAnswer {
  readonly status: number;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parsed JSON; null where the body was empty. */
  readonly body?: Json;
  /** Instead of `body`, where the answer was no JSON. */
  readonly text?: string;
  readonly ignore_body?: boolean;
}

/** One recorded interaction. */
export interface Step {
  readonly scenario: string;
  readonly step: number;
  readonly title?: string;
  /** A name from the fixture's tokens, `root_ticket`, `none`, or the headers themselves. */
  readonly auth?: string | { readonly headers?: JsonObject };
  readonly method?: string;
  /** Below /api2/json, unless it starts with /api2 or with `=`, which stands for "as it is". */
  readonly path?: string;
  readonly query?: JsonObject;
  readonly raw_query?: string;
  readonly form?: JsonObject;
  readonly json?: Json;
  readonly raw?: { readonly content_type?: string | null; readonly body?: string; readonly body_b64?: string };
  readonly multipart?: {
    readonly fields?: JsonObject;
    readonly file?: { readonly name: string; readonly field?: string; readonly gzip_b64: string };
  };
  readonly headers?: JsonObject;
  readonly expect?: ExpectedAnswer;
  readonly expect_task?: JsonObject;
  /** Values for later steps, as `${name}`. */
  readonly captures?: Readonly<Record<string, string | { readonly path: string; readonly regex?: string }>>;
  readonly wait_task?: boolean;
  /** No request: wait for this task. */
  readonly wait_upid?: string;
  /** No request: an action on the simulator's control endpoint. */
  readonly control?: JsonObject;
  readonly sleep_ms?: number;
  /** The answer comes from a stub below the recorded API: a mismatch does not count. */
  readonly fake?: boolean;
  /** The answer shows a task in flight: a mismatch does not count. */
  readonly timing?: boolean;
}

export interface Fixture {
  readonly tokens: readonly { readonly alias: string; readonly tokenid: string; readonly secret: string }[];
  readonly ticket: { readonly username: string; readonly password: string };
}

const folder = join(import.meta.dirname, "data");

export const fixture = JSON.parse(readFileSync(join(folder, "fixture.json"), "utf8")) as Fixture;

/** The steps of every scenario, by its name. Each scenario starts from the fixture. */
export function scenarios(): Map<string, Step[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const lines = files
    .toSorted()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean));
  return Map.groupBy(
    lines.map((line) => JSON.parse(line) as Step),
    ({ scenario }) => scenario,
  );
}
