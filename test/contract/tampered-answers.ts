import type { Simulator } from "#simulator";
import type { Endpoint } from "../../src/simulator/core/kernel/endpoint.ts";

/** What a call is answered with, as plain data; the parameters that it was sent with. */
export type Tamper = (call: string, answer: unknown, given: Readonly<Record<string, unknown>>) => unknown;

/**
 * Lets every answer of a simulator pass through `tamper`, which gets a copy and may change it. Returns what ends it. Files are left
 * alone.
 */
export function tamperAnswers({ sim }: Pick<Simulator, "sim">, tamper: Tamper): () => void {
  const { router } = sim;
  const find = router.find.bind(router);
  router.find = (method, path) => {
    const route = find(method, path);
    return route && { ...route, endpoint: tampered(route.endpoint, tamper) };
  };
  return () => {
    router.find = find;
  };
}

function tampered(endpoint: Endpoint, tamper: Tamper): Endpoint {
  const call = `${endpoint.method} ${endpoint.path}`;
  return {
    ...endpoint,
    async handler(given) {
      const answer = await endpoint.handler(given);
      if (typeof answer !== "object" || answer === null || "contentType" in answer) return answer;
      return tamper(call, JSON.parse(JSON.stringify(answer)), given.params);
    },
  };
}
