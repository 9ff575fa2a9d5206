import { dispatchOnNode } from "../core/kernel/dispatch.ts";
import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { namedFormat } from "../core/schema/format.ts";
import { string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import type { RawParameters } from "../core/schema/validate.ts";

interface Command {
  readonly method: string;
  /** Relative to the node. */
  readonly path: string;
  readonly args?: RawParameters;
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The errors of a command, with the texts of PVE::JSONSchema. */
function faultsOf(command: unknown, index: number): string[] {
  if (!isObject(command)) {
    return [`[${index}]: type check ('object') failed`];
  }
  const { method, path, args } = command as Partial<Record<keyof Command, unknown>>;
  const missing = Object.entries({ method, path }).filter(([, value]) => value === undefined);
  return [
    ...missing.map(([name]) => `[${index}].${name}: property is missing and it is not optional`),
    ...(method === undefined || /^(GET|POST|PUT|DELETE)$/.test(String(method))
      ? []
      : [`[${index}].method: value does not match the regex pattern`]),
    ...(args === undefined || isObject(args) ? [] : [`[${index}].args: type check ('object') failed`]),
  ];
}

const commandBatch = namedFormat("pve-command-batch", (value) => {
  let commands: unknown;
  try {
    commands = JSON.parse(value);
  } catch (thrown) {
    die(`commands param did not contain valid JSON: ${(thrown as Error).message}`);
  }
  const faults = Array.isArray(commands) ? commands.flatMap(faultsOf) : ["type check ('array') failed"];
  if (faults.length > 0) {
    die(`commands is not a valid array of commands: Parameter verification failed.\n${faults.join("\n")}`);
  }
});

/** pve-manager `PVE/API2/Nodes.pm`, `execute`: several calls in one request, each with its own answer. */
export const executeEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/execute",
    protected: true,
    proxyTo: "node",
    parameters: { node, commands: string({ format: commandBatch }) },
    handler: async ({ sim, caller, node: here, params }) => {
      const answers: object[] = [];
      for (const { method, path, args } of JSON.parse(params.commands) as Command[]) {
        const request = { method, path: `nodes/${params.node}/${path}`, caller, params: args ?? {} };
        const { status, data, message, errors } = await dispatchOnNode(sim, request, here);
        answers.push(
          status === 200 ? { status, data } : { status, message, ...(errors === undefined ? {} : { errors }) },
        );
      }
      return answers;
    },
  }),
];
