import type { Endpoint, Method } from "./endpoint.ts";

interface Branch {
  readonly literals: Map<string, Branch>;
  parameter: { readonly name: string; readonly branch: Branch; rest: boolean } | undefined;
  readonly methods: Partial<Record<Method, Endpoint>>;
}

const newBranch = (): Branch => ({ literals: new Map(), parameter: undefined, methods: {} });

export interface Route {
  readonly endpoint: Endpoint;
  readonly parameters: Record<string, string>;
}

/** Finds endpoints as PVE::RESTHandler does: empty path fragments are skipped. */
export class Router {
  readonly #root = newBranch();
  readonly endpoints: readonly Endpoint[];

  constructor(endpoints: readonly Endpoint[]) {
    this.endpoints = endpoints;
    for (const endpoint of endpoints) {
      this.#add(endpoint);
    }
  }

  find(method: string, path: string): Route | undefined {
    const parameters: Record<string, string> = {};
    const fragments = path.split("/").filter((fragment) => fragment !== "");
    let branch = this.#root;
    while (fragments.length > 0) {
      const fragment = fragments.shift() as string;
      const literal = branch.literals.get(fragment);
      if (literal !== undefined) {
        branch = literal;
        continue;
      }
      if (branch.parameter === undefined) {
        return undefined;
      }
      const { name, rest } = branch.parameter;
      parameters[name] = rest ? [fragment, ...fragments.splice(0)].join("/") : fragment;
      branch = branch.parameter.branch;
    }
    const endpoint = branch.methods[method as Method];
    return endpoint === undefined ? undefined : { endpoint, parameters };
  }

  #add(endpoint: Endpoint): void {
    let branch = this.#root;
    const fragments = endpoint.path.split("/").filter((fragment) => fragment !== "");
    for (const [index, fragment] of fragments.entries()) {
      const name = /^\{(.+)\}$/.exec(fragment)?.[1];
      if (name === undefined) {
        const next = branch.literals.get(fragment) ?? newBranch();
        branch.literals.set(fragment, next);
        branch = next;
      } else {
        branch.parameter ??= { name, branch: newBranch(), rest: false };
        branch.parameter.rest ||= endpoint.restOfPath === true && index === fragments.length - 1;
        branch = branch.parameter.branch;
      }
    }
    branch.methods[endpoint.method] = endpoint;
  }
}
