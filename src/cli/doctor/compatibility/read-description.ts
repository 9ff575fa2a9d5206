import { type Api, type ApiMethod, apiMethod, callKey, fieldsOf, listOf } from "./api-method.ts";

/** The description of 9.2 has 4.4 MB and is nested 25 levels deep. */
export const mostCharacters = 32 * 1024 * 1024;
const deepest = 100;
const mostMethods = 20_000;

/** A text that is no description of an API. */
export class DescriptionProblem extends Error {}

/**
 * The methods in `apidoc.js`, the script of a host's API viewer. The script is never run: the one array in it is cut out and
 * parsed as JSON.
 */
export function readDescription(script: string): Api {
  if (script.length > mostCharacters)
    throw new DescriptionProblem(`it is larger than ${mostCharacters / 1024 / 1024} MiB`);
  const methods: ApiMethod[] = [];
  visit(treeIn(script), methods);
  if (methods.length === 0) throw new DescriptionProblem("it describes no method");
  return new Map(methods.map((one) => [callKey(one.call), one]));
}

function treeIn(script: string): readonly unknown[] {
  const start = /^\s*\[/.test(script) ? script.indexOf("[") : startOf(script);
  if (start < 0) throw new DescriptionProblem("it has no `apiSchema = [`");
  try {
    return listOf(JSON.parse(script.slice(start, endOf(script, start))));
  } catch (thrown) {
    if (thrown instanceof DescriptionProblem) throw thrown;
    throw new DescriptionProblem("what follows `apiSchema =` is not JSON");
  }
}

function startOf(script: string): number {
  const found = /\b(?:apiSchema|pveapi)\s{0,10}=\s{0,10}\[/.exec(script);
  return found === null ? -1 : found.index + found[0].length - 1;
}

/** The place after the bracket that closes the array. */
function endOf(script: string, start: number): number {
  let depth = 0;
  let isInText = false;
  for (let at = start; at < script.length; at += 1) {
    const mark = script[at];
    if (isInText) {
      if (mark === "\\") at += 1;
      else if (mark === '"') isInText = false;
    } else if (mark === '"') isInText = true;
    else if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
    if (depth > deepest) throw new DescriptionProblem(`it is nested more than ${deepest} levels deep`);
    if (depth === 0) return at + 1;
  }
  throw new DescriptionProblem("its array has no end");
}

const knownMethod = /^(?:GET|POST|PUT|DELETE)$/;
const plainPath = /^\/[\w./{}*-]{1,300}$/;

function visit(branches: readonly unknown[], methods: ApiMethod[]): void {
  for (const branch of branches.map(fieldsOf)) {
    const { path, info, children } = branch;
    for (const [method, description] of Object.entries(fieldsOf(info))) {
      if (typeof path !== "string" || !plainPath.test(path) || !knownMethod.test(method)) continue;
      if (methods.push(apiMethod(method, path, description)) > mostMethods)
        throw new DescriptionProblem(`it describes more than ${mostMethods} methods`);
    }
    visit(listOf(children), methods);
  }
}
