import { expect, test } from "vitest";
import { quote } from "../../../../src/framework/schema/quote.ts";

test.each([
  ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END OPENSSH PRIVATE KEY-----"],
  ["-----BEGIN PRIVATE KEY-----\nMIIE"],
  ["PuTTY-User-Key-File-3: ssh-ed25519"],
])("a private key is not quoted: %s", (text) => {
  expect(quote(text)).toBeUndefined();
  expect(quote([text])).toBeUndefined();
});

test("other text is", () => {
  expect(quote("web_1")).toBe('"web_1"');
});
