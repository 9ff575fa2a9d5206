import type { Caller } from "../access/caller.ts";
import { checkPermissions } from "../access/check-permissions.ts";
import type { Properties } from "../schema/schema.ts";
import { checkParameters, type RawParameters } from "../schema/validate.ts";
import type { World } from "../world/world.ts";
import type { Call, Endpoint, Upload } from "./endpoint.ts";
import { die, Failure, failureText, paramError, permissionError } from "./failure.ts";
import type { Router } from "./router.ts";
import { RunningProcess } from "./running-process.ts";
import type { Simulation } from "./simulation.ts";

/** How long pveproxy waits for pvedaemon or another node. */
const proxySeconds = 30;

export interface ApiRequest {
  readonly method: string;
  /** Below the format, decoded: `/nodes/pve/qemu`. */
  readonly path: string;
  readonly caller: Caller;
  readonly byToken: boolean;
  readonly params: RawParameters;
  readonly upload: Upload | undefined;
}

export interface ApiAnswer {
  readonly status: number;
  /** The reason phrase and, for errors, the body's `message`. */
  readonly message?: string;
  readonly data?: unknown;
  readonly errors?: Readonly<Record<string, string>> | undefined;
  readonly envelope?: Readonly<Record<string, unknown>>;
  /** The proxy's own answer: a status line and nothing else. */
  readonly bare?: true;
  /** No answer at all. */
  readonly connection?: "reset";
}

/** A request in the API daemon. */
class Request extends RunningProcess implements Call {
  readonly params: Record<string, unknown>;
  readonly given: Readonly<Record<string, string>>;
  readonly envelope: Record<string, unknown> = {};
  readonly upload: Upload | undefined;

  constructor(
    sim: Simulation,
    request: ApiRequest,
    node: string,
    checked: { params: Record<string, unknown>; given: Record<string, string> },
  ) {
    super(sim, node, request.caller);
    this.params = checked.params;
    this.given = checked.given;
    this.upload = request.upload;
  }

  get world(): World {
    return this.sim.world;
  }

  print(): void {
    // PVE writes this to the system log, which is not simulated.
  }

  warn(): void {
    // As above.
  }
}

/**
 * PVE::HTTPServer::rest_handler: route, conflicting parameters, tokens, permissions, node, parameters, handler; in this
 * order, so that a caller without privileges gets no information about the rest.
 */
export async function dispatch(sim: Simulation, router: Router, request: ApiRequest): Promise<ApiAnswer> {
  const { method, path } = request;
  const local = sim.world.nodes[sim.world.cluster.local];
  if (local?.lostInterfaces !== undefined || local?.poweredOff === true) {
    return { status: 0, connection: "reset" };
  }
  const route = router.find(method, path);
  if (route === undefined) {
    sim.log.addUnserved(`${method} ${path}`);
    return { status: 501, message: `Method '${method} ${path}' not implemented` };
  }
  const { endpoint, parameters } = route;
  const started = performance.now();
  let answer = proxyFault(sim, endpoint, "before") ?? (await serve(sim, endpoint, parameters, request));
  answer = proxyFault(sim, endpoint, "after", answer.data) ?? answer;
  const seconds = (performance.now() - started) / 1000;
  sim.log.add(`${method} ${endpoint.path}`, answer.status, seconds);
  sim.log.report({ method, path, status: answer.status, seconds });
  return sim.untidiness?.applyTo(answer, endpoint.path, path) ?? answer;
}

/**
 * One of several calls in a request (`execute`): it has its own permissions, and runs on the node that serves the
 * request.
 */
export async function dispatchOnNode(
  sim: Simulation,
  request: Omit<ApiRequest, "byToken" | "upload">,
  node: string,
): Promise<ApiAnswer> {
  const route = sim.router.find(request.method, request.path);
  if (route === undefined) {
    return { status: 500, message: `no handler for '${request.path}'\n` };
  }
  try {
    for (const name of Object.keys(request.params).filter((given) => Object.hasOwn(route.parameters, given))) {
      paramError({ [name]: "duplicate parameter" });
    }
    const raw = { ...route.parameters, ...request.params };
    const { endpoint } = route;
    checkPermissions(endpoint.permissions, { access: sim.world.access, caller: request.caller, params: raw });
    return await run(sim, endpoint, { ...request, byToken: false, upload: undefined }, node, raw);
  } catch (thrown) {
    return failureAnswer(thrown);
  }
}

/** The answer that an ordered fault gives to this call. */
function proxyFault(
  sim: Simulation,
  endpoint: Endpoint,
  moment: "before" | "after",
  data?: unknown,
): ApiAnswer | undefined {
  const fault = sim.faults.onCall(endpoint, moment, data);
  if (fault === undefined) {
    return undefined;
  }
  return fault === "reset"
    ? { status: 0, connection: "reset" }
    : { status: fault.status, message: fault.reason, bare: true };
}

async function serve(
  sim: Simulation,
  endpoint: Endpoint,
  parameters: Record<string, string>,
  request: ApiRequest,
): Promise<ApiAnswer> {
  try {
    const raw = joinParameters(parameters, request.params);
    if (request.byToken && endpoint.allowToken === false) {
      permissionError(`URI '${request.path}' not available with API token, need proper ticket.\n`);
    }
    checkPermissions(endpoint.permissions, { access: sim.world.access, caller: request.caller, params: raw });
    const { local } = sim.world.cluster;
    const node = endpoint.proxyTo === undefined ? local : targetNode(sim, raw[endpoint.proxyTo]);
    const member = sim.world.nodes[node];
    if (member !== undefined && !member.online) {
      return { status: 595, message: member.unreachable ?? "No route to host", bare: true };
    }
    const work = run(sim, endpoint, request, node, raw);
    return endpoint.protected === true || node !== local ? await withProxyTimeout(sim, work) : await work;
  } catch (thrown) {
    return failureAnswer(thrown);
  }
}

async function run(
  sim: Simulation,
  endpoint: Endpoint,
  request: ApiRequest,
  node: string,
  raw: RawParameters,
): Promise<ApiAnswer> {
  try {
    const call = new Request(
      sim,
      request,
      node,
      checkParameters(propertiesFor(endpoint, raw), raw, endpoint.additionalProperties, (name) =>
        nameInVariant(endpoint, raw, name),
      ),
    );
    const data = (await endpoint.handler(call)) ?? null;
    return { status: 200, data, envelope: call.envelope };
  } catch (thrown) {
    return failureAnswer(thrown);
  }
}

/**
 * For a request without a known type, only the parameters common to all types are known (PVE::JSONSchema,
 * `type-property`).
 */
function propertiesFor({ parameters, withoutType }: Endpoint, raw: RawParameters): Properties {
  const type = parameters["type"];
  if (withoutType === undefined || type?.type !== "string" || type.enum?.includes(String(raw["type"]))) {
    return parameters;
  }
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => withoutType.includes(name)));
}

/** An option of a type is reported as part of its variant (PVE::JSONSchema, `check_one_of`). */
function nameInVariant(endpoint: Endpoint, raw: RawParameters, name: string): string {
  const { withoutType } = endpoint;
  const isOfType = withoutType !== undefined && !withoutType.includes(name);
  return isOfType && Object.hasOwn(propertiesFor(endpoint, raw), name) ? `oneOf[${raw["type"]}].${name}` : name;
}

/** After 30 s the proxy answers 596; the work continues. */
async function withProxyTimeout(sim: Simulation, work: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const done = new AbortController();
  const timeout = sim.clock.sleep(proxySeconds, done.signal).then(
    (): ApiAnswer => ({ status: 596, message: "Connection timed out", bare: true }),
    () => work,
  );
  try {
    return await Promise.race([work, timeout]);
  } finally {
    done.abort();
  }
}

function failureAnswer(thrown: unknown): ApiAnswer {
  if (thrown instanceof Failure) {
    return { status: thrown.status ?? 500, message: thrown.message, errors: thrown.errors };
  }
  return { status: 500, message: failureText(thrown) };
}

function joinParameters(fromPath: Record<string, string>, given: RawParameters): RawParameters {
  for (const name of Object.keys(given).sort()) {
    if (Object.hasOwn(fromPath, name) && fromPath[name] !== String(given[name])) {
      paramError({ [name]: "duplicate parameter (already defined in URI) with conflicting values!" });
    }
  }
  return { ...fromPath, ...given };
}

/** The node to which a call is forwarded. An unknown name goes to the resolver, which does not know it either. */
function targetNode(sim: Simulation, name: unknown): string {
  const { world } = sim;
  if (name === undefined || name === "" || name === "0") {
    paramError({ node: "proxyto parameter does not exist" });
  }
  if (name === "localhost" || name === world.cluster.local) {
    return world.cluster.local;
  }
  if (world.nodes[String(name)] === undefined) {
    die(`hostname lookup '${name}' failed - failed to get address info for: ${name}: Name or service not known`);
  }
  return String(name);
}
