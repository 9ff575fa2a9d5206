import * as z from "zod";
import { isPveError } from "../errors.ts";
import { apiObject } from "../wire.ts";
import type { Call } from "./call.ts";
import type { Host } from "./fail-over.ts";
import { parseAnswer } from "./parse-answer.ts";

const template = "/nodes/{node}/certificates/info";
const certificates = z.array(apiObject(() => ({ filename: z.string(), fingerprint: z.string().optional() })));

/**
 * The fingerprint of the cluster's own certificate authority: every user may read it, all nodes have the same, and two clusters
 * never do (pve-manager: PVE/API2/Certificates.pm). Undefined: the host does not show it.
 */
export async function clusterOf(host: Host, { headers, signal }: Call): Promise<string | undefined> {
  const path = "/nodes/localhost/certificates/info";
  const call: Call = { method: "GET", template, path, parameters: {}, headers, isRepeatable: true, signal };
  try {
    const { data } = parseAnswer(call, await host.send(call), certificates);
    return data.find(({ filename }) => filename.endsWith("pve-root-ca.pem"))?.fingerprint;
  } catch (reason) {
    if (isPveError(reason, "unreachable", "timeout") && reason.details.status === undefined) throw reason;
    return undefined;
  }
}
