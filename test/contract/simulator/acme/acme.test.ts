import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

describe("ACME with an imagined authority", () => {
  const at = lab();

  test("registers an account, orders, renews and revokes a certificate", async () => {
    at.simulator.sim.world.acme.accounts["default"] = {
      contact: ["mailto:ops@example.com"],
      directory: "https://ca.example.com/directory",
      location: "https://ca.example.com/acct/1",
      createdAt: "2026-01-01T00:00:00Z",
    };
    await at.ask("PUT /nodes/pve2/config", { acme: "domains=pve2.example.com", acmedomain0: "www.example.com" });
    expect(await at.run("POST /nodes/pve2/certificates/acme/certificate")).toBe("OK");
    expect(await at.ask("GET /nodes/pve2/certificates/info")).toContainEqual(
      expect.objectContaining({ filename: "pveproxy-ssl.pem", san: ["pve2.example.com", "www.example.com"] }),
    );
    expect(await at.run("POST /nodes/pve2/certificates/acme/certificate")).toMatch(/force/);
    expect(await at.run("PUT /nodes/pve2/certificates/acme/certificate")).toBe("OK");
    expect(await at.run("DELETE /nodes/pve2/certificates/acme/certificate")).toBe("OK");
    expect(await at.ask("GET /nodes/pve2/certificates/info")).toHaveLength(2);
  });

  test("an order without an account fails in its task", async () => {
    await at.ask("PUT /nodes/pve2/config", { acme: "domains=pve2.example.com" });
    expect(await at.run("POST /nodes/pve2/certificates/acme/certificate")).toMatch(/does not exist/);
  });
});
