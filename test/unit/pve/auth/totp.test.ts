import { describe, expect, it } from "vitest";
import { createTotp } from "../../../../src/pve/auth/totp.ts";

// RFC 6238, appendix B; the secret is the ASCII text "12345678901234567890".
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("a one-time code", () => {
  it.each([
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ])("at second %i is %s", (seconds, code) => {
    expect(createTotp(`otpauth://totp/x?secret=${secret}&digits=8`).at(seconds * 1000).code).toBe(code);
  });

  it("has six digits and thirty seconds by default", () => {
    expect(createTotp(secret).at(59_000)).toEqual({ code: "287082", step: 1, endsInMs: 1000 });
  });

  it("uses the hash that the address names", () => {
    const sha256 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA";
    const address = `otpauth://totp/x?secret=${sha256}&algorithm=SHA256&digits=8`;
    expect(createTotp(address).at(59_000).code).toBe("46119246");
  });

  it("accepts blanks and small letters in the secret", () => {
    expect(createTotp("gezd gnbv gy3t qojq gezd gnbv gy3t qojq").at(59_000).code).toBe("287082");
  });

  it.each(["", "not base 32!", "otpauth://totp/x"])("cannot be generated from %j", (given) => {
    expect(() => createTotp(given)).toThrow("neither base32 nor an otpauth:// address");
  });
});
