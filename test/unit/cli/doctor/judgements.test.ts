import { describe, expect, it } from "vitest";
import { judgeCertificate, type Presented } from "../../../../src/cli/doctor/checks/certificate.ts";
import { judgeClock } from "../../../../src/cli/doctor/checks/clock.ts";
import { inactive } from "../../../../src/cli/doctor/checks/storages.ts";
import { judgeVersion } from "../../../../src/cli/doctor/checks/version.ts";

describe("a certificate", () => {
  const fingerprint = Array.from({ length: 32 }, () => "AB").join(":");
  const shown = (objection: string | undefined): Presented => ({
    host: "pve1.example.com",
    objection,
    certificate: {
      subject: { CN: "pve1" },
      issuer: { CN: "Proxmox Virtual Environment" },
      subjectaltname: "DNS:pve1, IP Address:192.0.2.1",
      valid_from: "Jan  1 00:00:00 2026 GMT",
      valid_to: "Jan  1 00:00:00 2028 GMT",
      fingerprint256: fingerprint,
    } as unknown as Presented["certificate"],
  });

  it.each([
    ["trusted", undefined, {}, "ok", /trusted for pve1\.example\.com/],
    ["self-signed", "DEPTH_ZERO_SELF_SIGNED_CERT", {}, "failed", /self-signed/],
    ["of an unknown authority", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", {}, "failed", /does not trust/],
    ["of another authority", "SELF_SIGNED_CERT_IN_CHAIN", { caCertificate: "x" }, "failed", /not the authority in/],
    ["for other names", "ERR_TLS_CERT_ALTNAME_INVALID", {}, "failed", /for pve1, 192\.0\.2\.1, not for pve1\.example/],
    ["too old", "CERT_HAS_EXPIRED", {}, "failed", /expired on Jan {2}1 00:00:00 2028/],
    ["too young", "CERT_NOT_YET_VALID", {}, "failed", /not valid before Jan {2}1 00:00:00 2026/],
    ["waived", "CERT_HAS_EXPIRED", { insecure: true }, "notice", /PROXMOX_VE_INSECURE .*expired/],
    ["pinned", "DEPTH_ZERO_SELF_SIGNED_CERT", { tlsFingerprint: "ab".repeat(32) }, "ok", /it matches PROXMOX_VE_TLS/],
    ["pinned and another", undefined, { tlsFingerprint: "cd".repeat(32) }, "failed", /its fingerprint is AB:AB/],
  ] as const)("that is %s", (_, objection, trust, verdict, said) => {
    const finding = judgeCertificate(shown(objection), trust);
    expect(finding).toMatchObject({ verdict });
    expect(finding.said).toMatch(said);
    if (verdict === "failed") expect(finding.cure?.length).toBeGreaterThan(0);
  });
});

describe("a version", () => {
  it.each([
    ["9.0.3", "ok"],
    ["9.2.11", "ok"],
    ["8.4.14", "failed"],
    ["7.4-20", "failed"],
    ["10.0.1", "notice"],
  ])("%s", (version, verdict) => {
    expect(judgeVersion(version)).toMatchObject({ verdict, said: expect.stringContaining(version) });
  });
});

describe("a clock", () => {
  it.each([
    [0, "ok"],
    [29, "ok"],
    [-30, "notice"],
    [299, "notice"],
    [300, "failed"],
    [-90_000, "failed"],
  ])("that is %d s ahead", (seconds, verdict) => {
    expect(judgeClock(seconds)).toMatchObject({ verdict });
  });
});

it("a storage that is enabled but not active is reported with its node", () => {
  const seen = [
    { storage: "nas", node: "pve1", active: true },
    { storage: "nas", node: "pve2", active: false },
    { storage: "old", node: "pve2", active: undefined },
  ];
  expect(inactive(seen)).toMatchObject([{ verdict: "notice", said: "`nas` is not active on pve2" }]);
});
