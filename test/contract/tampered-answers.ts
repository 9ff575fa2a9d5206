import type { Simulator } from "#simulator";
import type { Endpoint } from "../../src/simulator/core/kernel/endpoint.ts";

type Given = Readonly<Record<string, unknown>>;

export interface Tampering {
  /** Called with every answer, as a copy: what is returned is sent. */
  answer?(call: string, answer: unknown, given: Given): unknown;
  /** Called before every call: what is returned is sent, and the call is not made; undefined: it is. */
  instead?(call: string, given: Given): unknown;
}

/** Lets every call of a simulator pass through `tampering`. Returns what ends it. Files are left alone. */
export function tamperAnswers({ sim }: Pick<Simulator, "sim">, tampering: Tampering): () => void {
  const { router } = sim;
  const find = router.find.bind(router);
  router.find = (method, path) => {
    const route = find(method, path);
    return route && { ...route, endpoint: tampered(route.endpoint, tampering) };
  };
  return () => {
    router.find = find;
  };
}

function tampered(endpoint: Endpoint, { answer: change, instead }: Tampering): Endpoint {
  const call = `${endpoint.method} ${endpoint.path}`;
  return {
    ...endpoint,
    async handler(given) {
      const other = instead?.(call, given.params);
      if (other !== undefined) return other;
      const answer = await endpoint.handler(given);
      if (typeof answer !== "object" || answer === null || "contentType" in answer) return answer;
      return change === undefined ? answer : change(call, JSON.parse(JSON.stringify(answer)), given.params);
    },
  };
}
