import { list, string } from "#framework";
import type { Certificate } from "#pve";
import { timestamp } from "./timestamp.ts";

const fact = <T>(type: T, doc: string) => ({ type, mode: "computed", keep: true, volatile: true, doc }) as const;

/** What PVE shows of a node's certificate. It renews ordered ones automatically, so all of it may change at any time. */
export const certificateFacts = {
  fingerprint: fact(string(), "SHA-256 fingerprint of the certificate."),
  subject: fact(string(), "Subject of the certificate."),
  issuer: fact(string(), "Issuer of the certificate."),
  subject_alternative_names: fact(list(string()), "Names and addresses that the certificate is for."),
  not_before: fact(string(), "When it begins to be valid, in RFC 3339 form."),
  not_after: fact(string(), "When it ends, in RFC 3339 form."),
} as const;

export const factsOf = (found: Certificate) => ({
  fingerprint: found.fingerprint ?? "",
  subject: found.subject ?? "",
  issuer: found.issuer ?? "",
  subject_alternative_names: found.san ?? [],
  not_before: timestamp(found.notbefore ?? 0),
  not_after: timestamp(found.notafter ?? 0),
});

/** The certificate that pveproxy uses instead of its own; null if it uses its own. */
export const customOf = (certificates: readonly Certificate[]): Certificate | null =>
  certificates.find(({ filename }) => filename === "pveproxy-ssl.pem") ?? null;
