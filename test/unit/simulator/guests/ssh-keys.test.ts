import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkSshKeys } from "../../../../src/simulator/guests/ssh-keys.ts";

const field = (data: Buffer | string) => {
  const bytes = Buffer.from(data);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const base64 = (...fields: (Buffer | string)[]) => Buffer.concat(fields.map(field)).toString("base64");

function ed25519(): string {
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return `ssh-ed25519 ${base64("ssh-ed25519", Buffer.from(x, "base64url"))}`;
}
function rsa(): string {
  const { n = "", e = "" } = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" });
  const modulus = Buffer.concat([Buffer.alloc(1), Buffer.from(n, "base64url")]);
  return `ssh-rsa ${base64("ssh-rsa", Buffer.from(e, "base64url"), modulus)}`;
}

const check = (text: string) => () => checkSshKeys(encodeURIComponent(text));

describe("public keys", () => {
  const key = ed25519();

  test.each([
    ["one", key],
    ["one with a comment and a line end", `${key} me@example.org\n`],
    ["two with a blank line between", `${key}\n  \n${rsa()} x`],
    ["one with options", `no-pty,command="/bin/true" ${key}`],
    ["none", "\n"],
  ])("are accepted: %s", (_, text) => {
    expect(check(text)).not.toThrow();
  });

  test.each([
    ["any text", "hello"],
    ["a type alone", "ssh-ed25519"],
    ["no base64", "ssh-ed25519 !!!!"],
    ["a truncated key", key.slice(0, -8)],
    ["the data of another type", key.replace("ssh-ed25519", "ssh-rsa")],
    ["one bad line of two", `${key}\nhello`],
    ["a comment line", `# mine\n${key}`],
  ])("are not %s", (_, text) => {
    expect(check(text)).toThrow("SSH public key validation error");
  });
});
