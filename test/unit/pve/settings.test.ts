import { describe, expect, it } from "vitest";
import { parseDuration, settingsFromEnvironment } from "../../../src/pve/environment.ts";
import { type ClientSettings, mergeSettings, parseEndpoint, resolveSettings } from "../../../src/pve/settings.ts";
import { token } from "./local-client.ts";

describe("the environment", () => {
  it.each<[string, Record<string, string>, ClientSettings]>([
    ["nothing", {}, {}],
    [
      "an endpoint and a token",
      { PROXMOX_VE_ENDPOINT: "https://a:8006/", PROXMOX_VE_API_TOKEN: token },
      { endpoints: ["https://a:8006/"], apiToken: token },
    ],
    [
      "several endpoints, which win over one",
      { PROXMOX_VE_ENDPOINT: "x", PROXMOX_VE_ENDPOINTS: "a, b c" },
      { endpoints: ["a", "b", "c"] },
    ],
    [
      "a user",
      { PROXMOX_VE_USERNAME: "root@pam", PROXMOX_VE_PASSWORD: "p", PROXMOX_VE_TOTP_SECRET: "S" },
      { username: "root@pam", password: "p", totpSecret: "S" },
    ],
    [
      "a ticket",
      { PROXMOX_VE_AUTH_TICKET: "t", PROXMOX_VE_CSRF_PREVENTION_TOKEN: "c" },
      { authTicket: "t", csrfToken: "c" },
    ],
    [
      "TLS",
      { PROXMOX_VE_INSECURE: "true", PROXMOX_VE_CA_CERTIFICATE: "/ca.pem", PROXMOX_VE_TLS_FINGERPRINT: "AB" },
      { insecure: true, caCertificate: "/ca.pem", tlsFingerprint: "AB" },
    ],
    [
      "locks",
      { PROXMOX_VE_LOCK_ATTEMPTS: "3", PROXMOX_VE_LOCK_WAITS: "1s,500ms", PROXMOX_VE_STABILISE: "0" },
      { lockAttempts: 3, lockWaitsMs: [1000, 500], stabiliseMs: 0 },
    ],
    [
      "tasks",
      { PROXMOX_VE_TASK_POLL_INTERVAL: "2s", PROXMOX_VE_TASK_TIMEOUT: "10m" },
      { taskPollMs: 2000, taskTimeoutMs: 600_000 },
    ],
    [
      "limits",
      {
        PROXMOX_VE_CONCURRENCY: "4",
        PROXMOX_VE_CLONES_PER_TEMPLATE: "2",
        PROXMOX_VE_CLONES_PER_STORAGE: "3",
        PROXMOX_VE_REQUEST_TIMEOUT: "90",
      },
      { concurrency: 4, clonesPerTemplate: 2, clonesPerStorage: 3, requestTimeoutMs: 90_000 },
    ],
    [
      "checks",
      { PROXMOX_VE_PERMISSION_CHECK: "off", PROXMOX_VE_PLAN_CHECKS: "off" },
      { permissionCheck: "off", planChecks: "off" },
    ],
    ["owners of disks", { PROXMOX_VE_DISK_OWNERS: "800-899" }, { diskOwners: "800-899" }],
    ["empty variables", { PROXMOX_VE_ENDPOINT: "", PROXMOX_VE_API_TOKEN: "" }, {}],
  ])("with %s", (_, environment, settings) => {
    expect(settingsFromEnvironment(environment)).toEqual({ settings, notes: [] });
  });

  it.each<[string, Record<string, string>, ClientSettings, string[]]>([
    [
      "a token",
      {
        PM_API_URL: "https://a:8006/api2/json",
        PM_API_TOKEN_ID: "tf@pve!ci",
        PM_API_TOKEN_SECRET: "s",
        PM_TLS_INSECURE: "1",
      },
      { endpoints: ["https://a:8006/api2/json"], apiToken: "tf@pve!ci=s", insecure: true },
      [
        "PM_API_URL is read as PROXMOX_VE_ENDPOINT",
        "PM_TLS_INSECURE is read as PROXMOX_VE_INSECURE",
        "PM_API_TOKEN_ID and PM_API_TOKEN_SECRET are read as PROXMOX_VE_API_TOKEN",
      ],
    ],
    [
      "a user",
      { PM_USER: "u@pam", PM_PASS: "p" },
      { username: "u@pam", password: "p" },
      ["PM_USER is read as PROXMOX_VE_USERNAME", "PM_PASS is read as PROXMOX_VE_PASSWORD"],
    ],
    [
      "settings that the provider's own names have already",
      { PM_API_URL: "x", PROXMOX_VE_ENDPOINT: "y", PM_USER: "u@pam", PM_PASS: "p", PROXMOX_VE_API_TOKEN: token },
      { endpoints: ["y"], apiToken: token },
      [],
    ],
    ["half a token", { PM_API_TOKEN_ID: "tf@pve!ci" }, {}, []],
  ])("with Telmate's names for %s", (_, environment, settings, notes) => {
    expect(settingsFromEnvironment(environment)).toEqual({ settings, notes });
  });

  it.each([
    [{ PROXMOX_VE_INSECURE: "maybe" }, 'PROXMOX_VE_INSECURE is "maybe", neither true nor false'],
    [{ PROXMOX_VE_LOCK_ATTEMPTS: "0" }, 'PROXMOX_VE_LOCK_ATTEMPTS is "0", not a whole number above 0'],
    [{ PROXMOX_VE_PERMISSION_CHECK: "apply" }, 'PROXMOX_VE_PERMISSION_CHECK is "apply", neither plan nor off'],
    [{ PROXMOX_VE_STABILISE: "soon" }, 'PROXMOX_VE_STABILISE is "soon", not a duration'],
  ])("%j is refused with its name", (environment, message) => {
    expect(() => settingsFromEnvironment(environment)).toThrow(message);
  });

  it.each([
    ["2", 2000],
    ["2s", 2000],
    ["1.5s", 1500],
    ["500ms", 500],
    ["5m", 300_000],
    ["1h", 3_600_000],
  ])("reads %s as %i ms", (text, ms) => {
    expect(parseDuration(text, "x")).toBe(ms);
  });
});

describe("an endpoint", () => {
  it.each([
    ["https://pve1.example.com:8006/", "https://pve1.example.com:8006/"],
    ["https://pve1.example.com:8006/api2/json", "https://pve1.example.com:8006/"],
    ["https://pve.example.com/cluster-a/api2/json/", "https://pve.example.com/cluster-a"],
    ["https://pve.example.com", "https://pve.example.com/"],
    ["pve1", "https://pve1:8006/"],
    ["pve1:443", "https://pve1/"],
    ["10.0.0.1", "https://10.0.0.1:8006/"],
    ["[fe80::1]:8006", "https://[fe80::1]:8006/"],
  ])("%s is %s", (text, url) => {
    expect(parseEndpoint(text).href).toBe(url);
  });

  it.each([
    ["http://pve1:8006", "https only"],
    ["https://root:secret@pve1:8006", "contains credentials"],
    ["https://", "is not an address"],
    ["a b", "is not an address"],
  ])("cannot be %s", (text, message) => {
    expect(() => parseEndpoint(text)).toThrow(message);
    expect(() => parseEndpoint(text)).not.toThrow("secret");
  });
});

describe("settings", () => {
  const where = { endpoints: ["pve1"] };

  it.each<[string, ClientSettings, object]>([
    ["a token", { apiToken: `${token}\n` }, { kind: "token", token }],
    [
      "a user and a password, whose blanks count",
      { username: "root@pam\n", password: " p \r\n", totpSecret: "S\n" },
      { kind: "password", username: "root@pam", password: " p ", totpSecret: "S" },
    ],
    ["a ticket", { authTicket: "t\n", csrfToken: "c\n" }, { kind: "ticket", ticket: "t", csrfToken: "c" }],
  ])("read from a file may end with a line feed: %s", (_, given, credentials) => {
    expect(resolveSettings({ ...where, ...given }).credentials).toMatchObject(credentials);
  });

  it("have the documented defaults", () => {
    expect(resolveSettings({ ...where, apiToken: token })).toMatchObject({
      credentials: { kind: "token", token },
      requestTimeoutMs: 60_000,
      tasks: { firstPollMs: 100, pollMs: 1000, timeoutMs: 300_000 },
      locks: { attempts: 5, waitsMs: [2000, 3000, 4000, 5000] },
      clones: { stabiliseMs: 2000 },
      tls: { isInsecure: undefined },
    });
  });

  it.each<[ClientSettings, string]>([
    [{ apiToken: token }, "no endpoint is given"],
    [where, "an API token (PROXMOX_VE_API_TOKEN), or a user name and a password is missing"],
    [{ ...where, username: "root@pam" }, "the password is missing"],
    [{ ...where, apiToken: "3f6b1f2e" }, "not of the form user@realm!name=secret"],
    [{ ...where, username: "root", password: "x" }, '"root" is not of the form user@realm'],
  ])("%j are refused", (given, message) => {
    expect(() => resolveSettings(given)).toThrow(message);
  });

  it("of the block win over the environment's, with their own credentials", () => {
    const environment = { endpoints: ["a"], apiToken: token, insecure: true };
    const block = { username: "root@pam", password: "x", insecure: undefined };
    expect(mergeSettings(environment, block)).toEqual({
      endpoints: ["a"],
      insecure: true,
      username: "root@pam",
      password: "x",
    });
    expect(mergeSettings(environment, { endpoints: ["b"] })).toEqual({
      endpoints: ["b"],
      apiToken: token,
      insecure: true,
    });
  });
});
