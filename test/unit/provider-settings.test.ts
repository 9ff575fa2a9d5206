import { describe, expect, test } from "vitest";
import { settingsFromEnvironment } from "#pve";
import { provider } from "../../src/provider.ts";
import { providerSettings, sessionSettings } from "../../src/provider-settings.ts";

type Settings = Parameters<typeof sessionSettings>[0];

const block = (given: object): Settings =>
  ({ ...Object.fromEntries(Object.keys(providerSettings).map((name) => [name, null])), ...given }) as Settings;

describe("the provider block", () => {
  test.each<[object, object]>([
    [{}, {}],
    [{ endpoint: "https://a:8006" }, { endpoints: ["https://a:8006"] }],
    [{ endpoints: ["https://a:8006", "https://b:8006"] }, { endpoints: ["https://a:8006", "https://b:8006"] }],
    [
      { username: "root@pam", password: "secret", totp_secret: "ABC" },
      { username: "root@pam", password: "secret", totpSecret: "ABC" },
    ],
    [{ insecure: false }, { insecure: false }],
    [{ requests: { timeout: "90s", concurrency: 4 } }, { requestTimeoutMs: 90_000, concurrency: 4 }],
    [{ tasks: { poll_interval: "500ms", timeout: "1h30m" } }, { taskPollMs: 500, taskTimeoutMs: 5_400_000 }],
    [{ locks: { attempts: 7, waits: ["1s", "10s"] } }, { lockAttempts: 7, lockWaitsMs: [1_000, 10_000] }],
    [
      { clones: { per_template: 2, per_storage: 3, stabilise: "0s" } },
      { clonesPerTemplate: 2, clonesPerStorage: 3, stabiliseMs: 0 },
    ],
    [{ permission_check: "off" }, { permissionCheck: "off" }],
    [{ plan_checks: "off" }, { planChecks: "off" }],
    [{ cluster_check: "off" }, { clusterCheck: "off" }],
    [{ disk_owners: "800-899" }, { diskOwners: "800-899" }],
  ])("%j sets %j for the client, and leaves the rest to the environment", (given, expected) => {
    expect(sessionSettings(block(given))).toEqual(expected);
  });

  /** Every attribute that names a variable, with its path. */
  const documented = Object.values(providerSettings).flatMap(({ type, doc }) => {
    const { shape } = type;
    const inner = shape.kind === "nested" ? Object.values(shape.attributes).map((member) => member.doc) : [doc];
    return inner.map((text) => /Environment: `(\w+)`/.exec(text)?.[1] ?? text);
  });

  test("names a variable for every setting, and the client reads each of them", () => {
    const samples: Record<string, string> = {
      INSECURE: "true",
      CONCURRENCY: "3",
      ATTEMPTS: "3",
      CLONES: "3",
      PERMISSION: "off",
      PLAN: "off",
      CLUSTER: "off",
    };
    const values = documented.map((name) => {
      const sample = Object.entries(samples).find(([word]) => name.includes(word))?.[1] ?? "3s";
      return Object.keys(settingsFromEnvironment({ [name]: sample }).settings);
    });
    expect(values.filter((keys) => keys.length !== 1)).toEqual([]);
  });

  test("is the provider's", () => {
    expect(provider.attributes).toBe(providerSettings);
  });
});
