import { PveError } from "../errors.ts";

/** Deeper than any response of PVE; recursion over a response must not exhaust the stack. */
const maxDepth = 64;

/**
 * `JSON.parse` for untrusted input. An own `__proto__` is dropped, since copying it to another object would change that
 * object's prototype, and nesting is limited.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const open: [node: object, depth: number][] = isObject(value) ? [[value, 1]] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    if (depth > maxDepth) {
      throw new PveError("malformed", `the response is nested more than ${maxDepth} levels deep`);
    }
    if (Object.hasOwn(node, "__proto__")) {
      Reflect.deleteProperty(node, "__proto__");
    }
    for (const child of Object.values(node)) {
      if (isObject(child)) {
        open.push([child, depth + 1]);
      }
    }
  }
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
