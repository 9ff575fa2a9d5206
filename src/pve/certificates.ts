import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { apiObject, integer, nothing, upid } from "./wire.ts";

const certificate = apiObject(() => ({
  /** `pve-root-ca.pem`, `pve-ssl.pem`, or `pveproxy-ssl.pem` for one that was uploaded or ordered. */
  filename: z.string(),
  fingerprint: z.string().optional(),
  subject: z.string().optional(),
  issuer: z.string().optional(),
  notbefore: integer.optional(),
  notafter: integer.optional(),
  san: z.array(z.string()).optional(),
  pem: z.string().optional(),
}));

export type Certificate = z.infer<typeof certificate>;

export interface CertificateUpload {
  readonly certificates: string;
  readonly key?: string;
  readonly force?: boolean;
}

/** `/nodes/{node}/certificates` (pve-manager: PVE/API2/Certificates.pm, PVE/API2/ACME.pm). */
export function certificateCalls(api: Api) {
  const custom = "/nodes/{node}/certificates/custom";
  const acme = "/nodes/{node}/certificates/acme/certificate";
  return {
    list: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/certificates/info", { node }, z.array(certificate), options),
    /** Restarts pveproxy, as the other writes do: for a moment nothing is answered. */
    upload: (node: string, values: CertificateUpload, options?: CallOptions) =>
      api.post(custom, { node, ...values, restart: true }, nothing, options),
    remove: (node: string, options?: CallOptions) =>
      api.delete(custom, { node, restart: true }, nothing, { ...options, isRepeatable: true }),
    order: (node: string, force: boolean, options?: CallOptions) => api.post(acme, { node, force }, upid, options),
    renew: (node: string, options?: CallOptions) => api.put(acme, { node, force: true }, upid, options),
    revoke: (node: string, options?: CallOptions) => api.delete(acme, { node }, upid, options),
  };
}

export type CertificateCalls = ReturnType<typeof certificateCalls>;
