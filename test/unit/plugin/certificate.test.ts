import { generateKeyPairSync, sign, verify, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCertificate, createIdentity, toPem } from "../../../src/plugin/certificate.ts";
import { bitString, integer, objectIdentifier, octetString, sequence, time } from "../../../src/plugin/der.ts";

describe("an identity", () => {
  test("is what Terraform expects: its own authority, for localhost, on both ends of a connection", () => {
    const certificate = new X509Certificate(createIdentity().certificate);
    expect(certificate).toMatchObject({
      subject: "CN=localhost",
      issuer: "CN=localhost",
      subjectAltName: "DNS:localhost",
      ca: true,
      keyUsage: ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"],
    });
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect(certificate.checkIssued(certificate)).toBe(true);
  });

  test("is valid now and longer than any run of Terraform", () => {
    const now = new Date("2026-03-01T12:00:00Z");
    const certificate = new X509Certificate(createIdentity(now).certificate);
    expect(certificate.validFromDate).toEqual(new Date("2026-02-28T12:00:00Z"));
    expect(certificate.validToDate).toEqual(new Date("2027-03-01T12:00:00Z"));
  });

  // The signature's two numbers have 30 to 33 bytes each and the serial number is random: lengths vary from run to run,
  // and a mistake in one of them shows once in hundreds of runs.
  test("is readable by OpenSSL and matches its key, 800 times", () => {
    for (let run = 0; run < 800; run++) {
      const { certificate, privateKey } = createIdentity();
      const read = new X509Certificate(toPem(certificate));
      expect(read.raw.equals(certificate)).toBe(true);
      expect(read.verify(read.publicKey)).toBe(true);
      expect(read.checkPrivateKey(privateKey)).toBe(true);
      expect(read.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
      if (run % 8 === 0) {
        createSecureContext({ cert: toPem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }) });
      }
    }
  });
});

describe("a certificate", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

  test("keeps any names and dates, before and after the year 2050", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,200}$/);
    const date = fc.date({ min: new Date("1950-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(name, name, date, date, (subject, issuer, notBefore, notAfter) => {
        const fields = { subject, issuer, publicKey, signingKey: privateKey, notBefore, notAfter };
        const read = new X509Certificate(createCertificate(fields));
        expect(read.subject).toBe(`CN=${subject}`);
        expect(read.issuer).toBe(`CN=${issuer}`);
        expect(read.subjectAltName).toBe(`DNS:${subject}`);
        expect(read.validFromDate.getTime()).toBe(wholeSeconds(notBefore));
        expect(read.validToDate.getTime()).toBe(wholeSeconds(notAfter));
        expect(read.verify(publicKey)).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  test("in PEM form has no line over 64 characters and no empty line, for any length", () => {
    for (let length = 1; length < 200; length++) {
      const lines = toPem(Buffer.alloc(length, 7)).trimEnd().split("\n");
      expect(lines.every((line) => line.length > 0 && line.length <= 64)).toBe(true);
      expect(Buffer.from(lines.slice(1, -1).join(""), "base64")).toEqual(Buffer.alloc(length, 7));
    }
  });
});

describe("DER", () => {
  test.each<[string, Buffer, string]>([
    ["a short length takes one byte", octetString(Buffer.alloc(127)).subarray(0, 3), "047f00"],
    ["a length of 128 takes two", octetString(Buffer.alloc(128)).subarray(0, 4), "04818000"],
    ["a length of 256 takes three", octetString(Buffer.alloc(256)).subarray(0, 5), "0482010000"],
    ["zero is one zero byte", integer(Buffer.alloc(3)), "020100"],
    ["a number has no leading zeros", integer(Buffer.of(0, 0, 1)), "020101"],
    ["a number with its top bit set gets a zero in front", integer(Buffer.of(0x80)), "02020080"],
    ["an identifier takes seven bits a byte", objectIdentifier("1.2.840.10045.4.3.2"), "06082a8648ce3d040302"],
    ["unused bits are counted", bitString(Buffer.of(0x84), 2), "03020284"],
    ["a sequence holds what it is given", sequence(integer(Buffer.of(1)), integer(Buffer.of(2))), "3006020101020102"],
    ["2049 has a two-digit year", time(new Date("2049-12-31T23:59:59Z")), "170d3439313233313233353935395a"],
    ["2050 has a four-digit year", time(new Date("2050-01-01T00:00:00Z")), "180f32303530303130313030303030305a"],
  ])("%s", (_, value, expected) => {
    expect(value.toString("hex")).toBe(expected);
  });

  test("numbers of any size equal what OpenSSL writes for a signature", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    for (let run = 0; run < 100; run++) {
      const message = Buffer.from(String(run));
      const pair = sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" });
      const ours = sequence(integer(pair.subarray(0, 32)), integer(pair.subarray(32)));
      expect(verify("sha256", message, publicKey, ours)).toBe(true);
    }
  });
});

function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}
