import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { bits, explicit, implicit, integer, objectId, octets, sequence, set, time, truth, utf8 } from "./der.ts";

const day = 24 * 60 * 60 * 1000;

const id = {
  commonName: "2.5.4.3",
  organisation: "2.5.4.10",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuthentication: "1.3.6.1.5.5.7.3.1",
};

export interface ServerIdentity {
  /** PEM, for the server. */
  readonly key: string;
  /** PEM chain, for the server. */
  readonly cert: string;
  /** PEM, for its clients. */
  readonly caCertificate: string;
}

/**
 * A new certificate authority, like that of a PVE cluster, and a server certificate that it signed for these names and
 * addresses.
 */
export function makeServerIdentity(hosts: readonly string[], days = 825): ServerIdentity {
  const authority = { name: "Proxmox VE API simulator CA", keys: newKeys() };
  const server = { name: hosts[0] ?? "localhost", keys: newKeys() };
  const caCertificate = certificate({
    subject: authority,
    issuer: authority,
    days: 825,
    extensions: [
      extension(id.basicConstraints, sequence(truth(true)), "critical"),
      // keyCertSign and cRLSign
      extension(id.keyUsage, bits(Buffer.from([0x06]), 1), "critical"),
    ],
  });
  const cert = certificate({
    subject: server,
    issuer: authority,
    days,
    extensions: [
      extension(id.basicConstraints, sequence(), "critical"),
      // digitalSignature
      extension(id.keyUsage, bits(Buffer.from([0x80]), 7), "critical"),
      extension(id.extendedKeyUsage, sequence(objectId(id.serverAuthentication))),
      extension(id.subjectAlternativeName, sequence(...hosts.map(alternativeName))),
    ],
  });
  const key = server.keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { key, cert: `${cert}${caCertificate}`, caCertificate };
}

interface Party {
  readonly name: string;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
}

function newKeys(): Party["keys"] {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}

function certificate(of: { subject: Party; issuer: Party; days: number; extensions: Buffer[] }): string {
  const algorithm = sequence(objectId(id.ecdsaWithSha256));
  const keyInfo = of.subject.keys.publicKey.export({ type: "spki", format: "der" });
  const now = Date.now();
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(of.issuer.name),
    sequence(time(new Date(now - day)), time(new Date(now + of.days * day))),
    distinguishedName(of.subject.name),
    keyInfo,
    explicit(
      3,
      sequence(
        ...of.extensions,
        extension(id.subjectKeyIdentifier, octets(keyIdentifier(of.subject))),
        extension(id.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(of.issuer)))),
      ),
    ),
  );
  const signature = sign("sha256", body, of.issuer.keys.privateKey);
  return pem(sequence(body, algorithm, bits(signature)));
}

function distinguishedName(commonName: string): Buffer {
  const part = (type: string, text: string) => set(sequence(objectId(type), utf8(text)));
  return sequence(part(id.organisation, "Proxmox VE API simulator"), part(id.commonName, commonName));
}

function extension(type: string, value: Buffer, critical?: "critical"): Buffer {
  return sequence(objectId(type), ...(critical === undefined ? [] : [truth(true)]), octets(value));
}

function keyIdentifier(party: Party): Buffer {
  return createHash("sha1")
    .update(party.keys.publicKey.export({ type: "spki", format: "der" }))
    .digest();
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) {
    return implicit(7, Buffer.from(host.split(".").map(Number)));
  }
  return isIPv6(host) ? implicit(7, ipv6Bytes(host)) : implicit(2, Buffer.from(host, "ascii"));
}

function ipv6Bytes(address: string): Buffer {
  const [front = "", back = ""] = address.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const missing = 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array.from({ length: missing }, () => "0"), ...groups(back)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

function pem(content: Buffer): string {
  const lines = content.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
