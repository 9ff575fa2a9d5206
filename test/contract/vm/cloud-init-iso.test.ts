import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openSession, type Session } from "#kit";
import { type Simulator, startSimulator } from "#simulator";
import { buildNoCloudIso, isoFileName } from "../../../src/resources/vm/cloud-init-iso/no-cloud.ts";
import { uploadNoCloudIso } from "../../../src/resources/vm/cloud-init-iso/upload.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const vm = { node: "pve2", vmid: 401 };
const data = { userData: "#cloud-config\n", metaData: "instance-id: i-1\n" };

let simulator: Simulator;
let api: Session;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 200 });
  const { url, tokens, caCertificate } = simulator;
  const apiToken = tokens["terraform@pve!tf"] ?? "";
  api = await openSession({ endpoints: [url], apiToken, caCertificate }, { log });
});
beforeEach(() => simulator.reset());
afterAll(async () => {
  await api.close();
  await simulator.close();
});

const upload = (given = data, storage = "local") =>
  uploadNoCloudIso({ api, log, signal: new AbortController().signal }, vm, storage, given);
const images = () => simulator.sim.world.volumes.filter(({ content }) => content === "iso");
const uploads = () => Object.values(simulator.sim.world.tasks).filter(({ type }) => type === "imgcopy").length;

test("a VM's data is put on its node as an ISO image", async () => {
  const image = buildNoCloudIso(data);
  expect(await upload()).toBe(`local:iso/${isoFileName(401, image)}`);
  expect(images()).toMatchObject([{ volid: `local:iso/${isoFileName(401, image)}`, node: "pve2", size: image.length }]);
});

test("the same data is not put there twice", async () => {
  const volume = await upload();
  expect(await upload()).toBe(volume);
  expect(uploads()).toBe(1);
});

test("other data is another image beside it", async () => {
  await upload();
  await upload({ ...data, metaData: "instance-id: i-2\n" });
  expect(images()).toHaveLength(2);
});

test("a storage that holds no ISO images refuses it, and says so", async () => {
  await expect(upload(data, "local-lvm")).rejects.toThrow("can't upload to storage type 'lvmthin'");
});
