import { createIdentity, toPem } from "../../src/plugin/certificate.ts";
import type { Certificate } from "./launch.ts";

/** What Terraform would make for one connection. That such certificates are sound, Terraform itself proves elsewhere. */
export function clientCertificate(): Certificate {
  const { certificate, privateKey } = createIdentity();
  return { certificate: toPem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}
