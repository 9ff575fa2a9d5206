import { expect, test } from "vitest";
import { publicKey } from "../../../../../src/resources/guest/validate/public-key.ts";
import { sshKey } from "../../../../contract/vm/suite.ts";

const [type = "", data = ""] = sshKey.split(" ");

test.each([
  ["a key with its comment", sshKey],
  ["a key without a comment", `${type} ${data}`],
  ["blanks and line feeds around it", `\n ${sshKey}\n`],
  ["options before it", `no-pty,command="echo hi there" ${sshKey}`],
])("%s is accepted", (_, text) => {
  expect(publicKey(text)).toBeUndefined();
});

test.each([
  [
    "a private key",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----",
    /this is a private one.*\.pub/,
  ],
  [
    "a private RSA key",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    /this is a private one/,
  ],
  ["a PuTTY key", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none", /this is a private one/],
  ["the format of RFC 4716", "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----", /ssh-keygen -i/],
  ["several keys", `${sshKey}\n${sshKey}`, /one key.*split/],
  ["a path", "~/.ssh/id_ed25519.pub", /authorized_keys/],
  ["nothing", "", /authorized_keys/],
  ["a truncated key", `${type} ${data.slice(0, -12)}`, /truncated or damaged/],
  ["a type without a key", type, /truncated or damaged/],
  ["garbage after the type", `${type} nonsense`, /truncated or damaged/],
  ["another type than it says", `ssh-rsa ${data}`, /truncated or damaged/],
])("%s is refused", (_, text, message) => {
  expect(publicKey(text)).toMatch(message);
});

test("a private key is not repeated in the message", () => {
  const secret = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU";
  expect(publicKey(`-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}`)).not.toContain(secret);
});
