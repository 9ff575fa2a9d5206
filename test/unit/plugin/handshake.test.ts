import { describe, expect, test } from "vitest";
import { createIdentity, toPem } from "../../../src/plugin/certificate.ts";
import { handshakeLine, isStartedByTerraform, LaunchRefused, readLaunch } from "../../../src/plugin/handshake.ts";
import { reattachLine } from "../../../src/plugin/reattach.ts";

const cookie = { TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2" };

describe("reading Terraform's environment variables", () => {
  test.each([
    ["6 alone", "6"],
    ["5 and 6", "5,6"],
    ["6 and 5", "6,5"],
  ])("accepts %s", (_, versions) => {
    expect(readLaunch({ ...cookie, PLUGIN_PROTOCOL_VERSIONS: versions })).toEqual({ clientCertificate: undefined });
  });

  test("reads the client's certificate", () => {
    const { certificate } = createIdentity();
    const launch = readLaunch({ ...cookie, PLUGIN_PROTOCOL_VERSIONS: "6", PLUGIN_CLIENT_CERT: toPem(certificate) });
    expect(launch.clientCertificate?.raw).toEqual(certificate);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "without the cookie",
      {},
      "This binary is a Terraform provider: Terraform or OpenTofu starts it. It does nothing when started by hand.",
    ],
    [
      "with another cookie",
      { TF_PLUGIN_MAGIC_COOKIE: "chocolate" },
      "This binary is a Terraform provider: Terraform or OpenTofu starts it. It does nothing when started by hand.",
    ],
    [
      "where only protocol 5 is offered",
      { ...cookie, PLUGIN_PROTOCOL_VERSIONS: "5" },
      "This provider supports plugin protocol 6; the program that started it offers 5. Use Terraform 1.0 or later, or OpenTofu.",
    ],
    [
      "where no protocol is offered",
      cookie,
      "This provider supports plugin protocol 6; the program that started it offers none. Use Terraform 1.0 or later, or OpenTofu.",
    ],
    [
      "with an invalid certificate",
      { ...cookie, PLUGIN_PROTOCOL_VERSIONS: "6", PLUGIN_CLIENT_CERT: "hello" },
      "PLUGIN_CLIENT_CERT does not hold a certificate in PEM form.",
    ],
  ])("refuses a start %s, with a reason", (_, env, text) => {
    expect(() => readLaunch(env)).toThrow(LaunchRefused);
    expect(() => readLaunch(env)).toThrow(text);
  });

  test("distinguishes Terraform from a user in a shell", () => {
    expect(isStartedByTerraform(cookie)).toBe(true);
    expect(isStartedByTerraform({})).toBe(false);
  });
});

describe("the line on stdout", () => {
  test("has the server's address and the certificate without padding", () => {
    expect(handshakeLine({ network: "unix", text: "/tmp/plugin-1" }, Buffer.of(1, 2, 3, 4))).toBe(
      "1|6|unix|/tmp/plugin-1|grpc|AQIDBA\n",
    );
  });

  test("leaves the certificate empty without TLS", () => {
    expect(handshakeLine({ network: "tcp", text: "127.0.0.1:10000" }, undefined)).toBe(
      "1|6|tcp|127.0.0.1:10000|grpc|\n",
    );
  });

  test("of a debugged process can be pasted into a shell", () => {
    const line = reattachLine("registry.terraform.io/a/b", { network: "unix", text: "/tmp/plugin-1" });
    const [, json = ""] = line.match(/^TF_REATTACH_PROVIDERS='(.*)'\n$/) ?? [];
    expect(JSON.parse(json)).toEqual({
      "registry.terraform.io/a/b": {
        Protocol: "grpc",
        ProtocolVersion: 6,
        Pid: process.pid,
        Test: true,
        Addr: { Network: "unix", String: "/tmp/plugin-1" },
      },
    });
  });
});
