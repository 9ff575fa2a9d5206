import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  bitString,
  boolean,
  context,
  contextPlain,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from "./der.ts";

/** What each side of the mutual TLS presents to the other. */
export interface Identity {
  /** DER, as the handshake line carries it. */
  certificate: Buffer;
  privateKey: KeyObject;
}

export interface CertificateFields {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  /** The issuer's; P-256. */
  signingKey: KeyObject;
  notBefore: Date;
  notAfter: Date;
}

const oid = {
  commonName: "2.5.4.3",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
} as const;

const day = 24 * 60 * 60 * 1000;

/**
 * A key and a certificate for this process alone. Terraform trusts exactly this certificate, for the name "localhost";
 * it checks the dates once, when it connects. P-256 because it takes 1 ms to generate; go-plugin's own P-521 takes 16.
 */
export function createIdentity(now = new Date()): Identity {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const certificate = createCertificate({
    subject: "localhost",
    issuer: "localhost",
    publicKey,
    signingKey: privateKey,
    notBefore: new Date(now.getTime() - day),
    notAfter: new Date(now.getTime() + 365 * day),
  });
  return { certificate, privateKey };
}

/** An X.509 certificate (RFC 5280) in DER. */
export function createCertificate(fields: CertificateFields): Buffer {
  const algorithm = sequence(objectIdentifier(oid.ecdsaWithSha256));
  const toBeSigned = sequence(
    context(0, integer(Buffer.of(2))), // version 3
    integer(serialNumber()),
    algorithm,
    name(fields.issuer),
    sequence(time(fields.notBefore), time(fields.notAfter)),
    name(fields.subject),
    fields.publicKey.export({ type: "spki", format: "der" }),
    context(3, sequence(...extensions(fields.subject))),
  );
  return sequence(toBeSigned, algorithm, bitString(sign("sha256", toBeSigned, fields.signingKey)));
}

/** Lines of 64 characters without an empty line: OpenSSL refuses a block that has one. */
export function toPem(certificate: Uint8Array): string {
  const lines =
    Buffer.from(certificate)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** 16 random bytes; never zero and never negative, as RFC 5280 requires. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function name(commonName: string): Buffer {
  return sequence(set(sequence(objectIdentifier(oid.commonName), utf8String(commonName))));
}

/** Self-signed and trusted directly, so it is its own authority; both sides may use it, as client or server. */
function extensions(host: string): Buffer[] {
  const critical = boolean(true);
  const digitalSignature = 0x80;
  const keyCertSign = 0x04;
  return [
    extension(oid.basicConstraints, sequence(boolean(true)), critical),
    extension(oid.keyUsage, bitString(Buffer.of(digitalSignature | keyCertSign), 2), critical),
    extension(oid.extendedKeyUsage, sequence(objectIdentifier(oid.serverAuth), objectIdentifier(oid.clientAuth))),
    extension(oid.subjectAltName, sequence(contextPlain(2, Buffer.from(host, "latin1")))),
  ];
}

function extension(id: string, content: Buffer, ...critical: Buffer[]): Buffer {
  return sequence(objectIdentifier(id), ...critical, octetString(content));
}
