import { createIdentity, toPem } from "../../src/plugin/certificate.ts";
import type { Certificate } from "./launch.ts";

/** A certificate as Terraform makes one for each connection. Tests with Terraform itself show that such ones are valid. */
export function clientCertificate(): Certificate {
  const { certificate, privateKey } = createIdentity();
  return { certificate: toPem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}
