import type { Json, JsonObject } from "./recording.ts";
import { toolLines } from "./volatile.ts";

/** A task log without the lines that tools below the recorded API wrote; the others are numbered anew. */
export function withoutToolLines(body: Json): Json {
  const lines = dataOf(body);
  if (!Array.isArray(lines)) {
    return body;
  }
  const kept = (lines as JsonObject[]).filter(
    ({ t }) => typeof t !== "string" || !toolLines.some((line) => line.test(t)),
  );
  return { ...(body as JsonObject), data: kept.map((line, index) => ("n" in line ? { ...line, n: index + 1 } : line)) };
}

/** The diff of a pending interface file: options of a stanza come in hash order. */
export function withStableOrder(body: Json): Json {
  const changes = isObject(body) ? body["changes"] : undefined;
  if (typeof changes !== "string") {
    return body;
  }
  const lines = changes.split("\n").filter((line) => !/^(@@|--|\+\+)/.test(line));
  return { ...(body as JsonObject), changes: lines.toSorted().join("\n") };
}

/** Until the next statistics cycle a guest's status is `unknown`; of such a guest only what both sides have counts. */
export function withTheSameStatistics(expected: Json, got: Json): [Json, Json] {
  const [before, here] = [structuredClone(expected), structuredClone(got)];
  const others = new Map(guestsOf(here).map((guest) => [guest["id"], guest]));
  for (const guest of guestsOf(before)) {
    const other = others.get(guest["id"]);
    const statuses = [guest["status"], other?.["status"]];
    if (other && guest["type"] === "qemu" && statuses.includes("unknown") && statuses[0] !== statuses[1]) {
      const isShared = (name: string) => name !== "status" && name in guest && name in other;
      for (const name of [...Object.keys(guest), ...Object.keys(other)].filter((name) => !isShared(name))) {
        delete guest[name];
        delete other[name];
      }
    }
  }
  return [before, here];
}

function guestsOf(body: Json): JsonObject[] {
  const data = dataOf(body);
  const owners = Array.isArray(data) ? data : [data ?? null];
  return owners.flatMap((owner) => {
    const members = isObject(owner) ? owner["members"] : undefined;
    return (Array.isArray(members) ? members : [owner]).filter(isObject);
  });
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const dataOf = (body: Json): Json | undefined => (isObject(body) ? body["data"] : undefined);
