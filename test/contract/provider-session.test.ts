import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "#kit";
import { type Simulator, startSimulator } from "#simulator";

const log = { debug() {}, info() {}, warn() {}, error() {} };
let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 200 });
});
afterAll(() => simulator.close());

test("every secret is registered before a line could show it, including those of the environment and of the login", async () => {
  const hidden: string[] = [];
  const environment = {
    PROXMOX_VE_ENDPOINT: simulator.url,
    PROXMOX_VE_CA_CERTIFICATE: simulator.caCertificate,
    PROXMOX_VE_USERNAME: "root@pam",
    PROXMOX_VE_PASSWORD: "proxmox",
  };
  const session = await openSession({}, { environment, log, conceal: (secret) => hidden.push(secret) });
  expect(hidden).toEqual(["proxmox"]);
  await session.cluster.getVersion();
  expect(hidden).toEqual(["proxmox", expect.stringMatching(/^PVE:root@pam:/), expect.stringMatching(/^[0-9A-F]{8}:/)]);
  await session.close();
});
