import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { type Answer, exchange } from "./exchange.ts";
import { fixture, type Json, type JsonObject, type Step } from "./recording.ts";

/** One chain of scenarios on one server: captured values and the ticket. */
export class Session {
  readonly #simulator: Simulator;
  readonly #captured = new Map<string, Json>();
  #ticket: { ticket: string; CSRFPreventionToken: string } | null = null;

  constructor(simulator: Simulator) {
    this.#simulator = simulator;
  }

  /** Sends the step's request; its captures are taken from the answer. */
  async send(step: Step): Promise<Answer> {
    const { method = "GET" } = step;
    const { type, body } = this.#body(step);
    const headers = {
      ...(await this.#credentials(step.auth, method)),
      ...(type === null ? {} : { "Content-Type": type }),
      ...strings(this.fill(step.headers ?? {}) as JsonObject),
    };
    const answer = await this.#exchange(method, this.#target(step), headers, body);
    this.#capture(step, answer);
    return answer;
  }

  async control(action: JsonObject): Promise<void> {
    const body = Buffer.from(JSON.stringify(this.fill(action)));
    const { status, text } = await this.#exchange("POST", "/simulator/control", { "Content-Type": json }, body);
    if (status !== 200) {
      throw new Error(`control action refused: ${text}`);
    }
  }

  /** Waits until a task has ended. */
  async task(upid: string): Promise<JsonObject> {
    const node = upid.split(":")[1] ?? "pve";
    const target = `/api2/json/nodes/${node}/tasks/${encodeURIComponent(upid)}/status`;
    for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
      const { json: body } = await this.#exchange("GET", target, await this.#credentials("root_token", "GET"));
      const status = (body as JsonObject | undefined)?.["data"] as JsonObject | undefined;
      if (status?.["status"] === "stopped") {
        return status;
      }
      await wait(pause);
    }
  }

  /** Replaces `${name}` in every string. */
  fill(value: Json, isPath = false): Json {
    if (typeof value === "string") {
      return value.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
        const text = this.#value(name.replace(/^raw:/, ""));
        return isPath && !name.startsWith("raw:") ? encodeURIComponent(text) : text;
      });
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.fill(item));
    }
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.fill(member)]));
    }
    return value;
  }

  #value(name: string): string {
    const now = /^now(?:([+-]\d+))?$/.exec(name);
    if (now) {
      return String(Math.floor(Date.now() / 1000) + Number(now[1] ?? 0));
    }
    const repeated = /^repeat:(.):(\d+)$/.exec(name);
    if (repeated) {
      return String(repeated[1]).repeat(Number(repeated[2]));
    }
    const captured = this.#captured.get(name);
    if (captured === undefined) {
      throw new Error(`nothing was captured as \${${name}}: an earlier step failed`);
    }
    return String(captured);
  }

  #target({ path = "/", query, raw_query }: Step): string {
    const filled = String(this.fill(path, true));
    const target = filled.startsWith("=")
      ? filled.slice(1)
      : filled.startsWith("/api2")
        ? filled
        : `/api2/json${filled}`;
    if (query) {
      return `${target}?${encode(this.fill(query) as JsonObject)}`;
    }
    return raw_query === undefined ? target : `${target}?${this.fill(raw_query, true)}`;
  }

  #body(step: Step): { type: string | null; body?: Buffer } {
    const { form, raw, multipart } = step;
    if (form) {
      return { type: "application/x-www-form-urlencoded", body: Buffer.from(encode(this.fill(form) as JsonObject)) };
    }
    if (step.json !== undefined) {
      return { type: json, body: Buffer.from(JSON.stringify(this.fill(step.json))) };
    }
    if (raw) {
      const body = raw.body_b64 === undefined ? String(this.fill(raw.body ?? "")) : Buffer.from(raw.body_b64, "base64");
      return { type: raw.content_type ?? null, body: Buffer.from(body) };
    }
    return multipart ? this.#multipart(multipart) : { type: null };
  }

  #multipart({ fields = {}, file }: NonNullable<Step["multipart"]>): { type: string; body: Buffer } {
    const boundary = "----replayed";
    const parts = Object.entries(this.fill(fields) as JsonObject).map(([name, value]) =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    );
    if (file) {
      const disposition = `form-data; name="${file.field ?? "filename"}"; filename="${this.fill(file.name)}"`;
      const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
      parts.push(Buffer.from(head), gunzipSync(Buffer.from(file.gzip_b64, "base64")), Buffer.from("\r\n"));
    }
    const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
    return { type: `multipart/form-data; boundary=${boundary}`, body };
  }

  async #credentials(auth: Step["auth"], method: string): Promise<Record<string, string>> {
    if (auth === undefined || auth === "none") {
      return {};
    }
    if (typeof auth === "object") {
      return strings(this.fill(auth.headers ?? {}) as JsonObject);
    }
    if (auth === "root_ticket") {
      const { ticket, CSRFPreventionToken } = await this.#login();
      const cookie = { Cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}` };
      return method === "GET" || method === "HEAD" ? cookie : { ...cookie, CSRFPreventionToken };
    }
    const token = fixture.tokens.find(({ alias }) => alias === auth);
    return { Authorization: `PVEAPIToken=${token?.tokenid}=${token?.secret}` };
  }

  async #login() {
    if (this.#ticket === null) {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const body = Buffer.from(encode(fixture.ticket));
      const answer = await this.#exchange("POST", "/api2/json/access/ticket", headers, body);
      this.#ticket = (answer.json as { data: { ticket: string; CSRFPreventionToken: string } }).data;
    }
    return this.#ticket;
  }

  #exchange(method: string, target: string, headers: Record<string, string>, body?: Buffer): Promise<Answer> {
    return exchange(this.#simulator, { method, target, headers, ...(body ? { body } : {}) });
  }

  #capture({ captures = {} }: Step, { json: body }: Answer): void {
    for (const [name, how] of Object.entries(captures)) {
      const { path, regex } = typeof how === "string" ? { path: how } : how;
      const value = valueAt(body, path);
      const captured = value !== undefined && regex ? new RegExp(regex).exec(String(value))?.[1] : value;
      if (captured === undefined || captured === null) {
        this.#captured.delete(name);
      } else {
        this.#captured.set(name, captured);
      }
    }
  }
}

const json = "application/json";

const strings = (values: JsonObject) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

function encode(values: JsonObject): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [
      name,
      typeof item === "boolean" ? String(Number(item)) : String(item),
    ]),
  );
  return String(new URLSearchParams(pairs));
}

/** A subset of JSONPath: `$.a`, `$['a b']`, `[0]`, `[-1]`, `[?key=value]` for the first that matches. */
function valueAt(document: Json | undefined, path: string): Json | undefined {
  let here = document;
  for (const found of path.matchAll(/\.([\w-]+)|\['([^']+)'\]|\[(-?\d+)\]|\[\?([\w-]+)=([^\]]*)\]/g)) {
    const [, name, quoted, index, key, wanted] = found;
    if (typeof here !== "object" || here === null) {
      return undefined;
    }
    if (Array.isArray(here)) {
      here =
        key === undefined ? here.at(Number(index)) : here.find((item) => String((item as JsonObject)[key]) === wanted);
    } else {
      here = here[name ?? quoted ?? ""];
    }
  }
  return here;
}
