import { describe, expect, test } from "vitest";
import { diagnose } from "#kit";
import { errorKinds, PveError } from "#pve";

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

  test("that lists the parameters PVE complains of once", () => {
    const error = new PveError("invalid", "Parameter verification failed: cores: must be 1; memory: too small", {
      method: "PUT",
      path: "/x",
      params: { cores: "must be 1", memory: "too small" },
    });
    expect(diagnose(error, about)?.detail.match(/cores/g)).toHaveLength(1);
  });

  test("that does not put words into PVE's mouth", () => {
    const error = new PveError("invalid", "no endpoint is given");
    expect(diagnose(error, { operation: "configure", type: "proxmox" })).toEqual({
      summary: "Unable to configure the provider",
      detail: "No endpoint is given.",
    });
  });

  test("that says when the outcome is not known", () => {
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
