import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:tls";
import { status } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { createCertificate, createIdentity, type Identity, toPem } from "../../../../src/plugin/certificate.ts";
import type { Handler } from "../../../../src/plugin/grpc/call.ts";
import { dial, type Served, serveMethods } from "./connection.ts";

const echo: Handler = async function* (request) {
  yield request;
};

const year = 365 * 24 * 60 * 60 * 1000;

describe("mutual TLS", () => {
  test("accepts the certificate that Terraform announced", async () => {
    const served = await serveMethods({ "/test/Echo": echo });
    await expect(dial(served).call("/test/Echo", Buffer.from("hello"))).resolves.toEqual(Buffer.from("hello"));
  });

  test.each<[string, (served: Served) => Identity | null]>([
    ["no certificate", () => null],
    ["another self-signed certificate", () => createIdentity()],
    ["the server's own certificate", ({ server }) => server],
    ["a certificate signed by the announced one", ({ client }) => signedBy(client)],
  ])("refuses %s, and keeps serving the right one", async (_, other) => {
    const served = await serveMethods({ "/test/Echo": echo });
    const refused = dial(served, other(served)).call("/test/Echo");
    await expect(refused).rejects.toMatchObject({ code: status.UNAVAILABLE });
    await expect(dial(served).call("/test/Echo")).resolves.toEqual(Buffer.alloc(0));
  });

  test.each([
    ["has expired", new Date(Date.now() - 2 * year)],
    ["is not valid yet", new Date(Date.now() + year)],
  ])("refuses the announced certificate when it %s", async (_, when) => {
    const served = await serveMethods({ "/test/Echo": echo }, { client: createIdentity(when) });
    await expect(dial(served).call("/test/Echo")).rejects.toMatchObject({ code: status.UNAVAILABLE });
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("supports HTTP/2 over %s", async (version) => {
    const socket = connectWith(await serveMethods({}), version);
    await once(socket, "secureConnect");
    expect([socket.getProtocol(), socket.alpnProtocol, socket.authorized]).toEqual([version, "h2", true]);
  });

  test("supports nothing older than TLS 1.2", async () => {
    const socket = connectWith(await serveMethods({}), "TLSv1.1");
    await expect(once(socket, "secureConnect")).rejects.toThrow();
  });
});

/** A new key, and a certificate signed with the authority's key. */
function signedBy(authority: Identity): Identity {
  const { privateKey } = createIdentity();
  const certificate = createCertificate({
    subject: "other.example",
    issuer: "localhost",
    publicKey: createPublicKey(privateKey),
    signingKey: authority.privateKey,
    notBefore: new Date(Date.now() - year),
    notAfter: new Date(Date.now() + year),
  });
  return { certificate, privateKey };
}

function connectWith({ path, client, server }: Served, version: "TLSv1.1" | "TLSv1.2" | "TLSv1.3") {
  const socket = connect({
    path,
    servername: "localhost",
    ca: toPem(server.certificate),
    cert: toPem(client.certificate),
    key: client.privateKey.export({ type: "pkcs8", format: "pem" }),
    ALPNProtocols: ["h2"],
    minVersion: version,
    maxVersion: version,
    ciphers: "DEFAULT@SECLEVEL=0", // otherwise the client itself refuses the old version
  });
  onTestFinished(() => void socket.destroy());
  return socket;
}
