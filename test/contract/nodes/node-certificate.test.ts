import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeServerIdentity } from "../../../src/simulator/core/http/certificate.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
afterEach(async () => {
  bench.simulator.faults.clear();
  for (const host of Object.values(bench.simulator.sim.world.nodes)) delete host.certificate;
  await bench.configure();
});
afterAll(() => bench.close());

const certificates = () => bench.resource("proxmox_node_certificate");
const first = makeServerIdentity(["pve1.example.com"]);
const second = makeServerIdentity(["other.example.com"]);

/** `pve1` is the node that answers: its web server restarts under the provider's own connection. */
const config = { node: "pve1", certificate_chain: first.cert, private_key: first.key };
const changed = { ...config, certificate_chain: second.cert, private_key: second.key, private_key_version: 2 };

test("a certificate is set, replaced, imported and removed while the web server restarts", async () => {
  const before = await certificates().create(config);
  expect(attribute(before, "subject_alternative_names")).toEqual(["pve1.example.com"]);
  const after = await certificates().update(before, changed);
  expect(attribute(after, "fingerprint")).not.toBe(attribute(before, "fingerprint"));
  expect(bench.simulator.sim.world.nodes["pve1"]?.certificate?.key).toBe(second.key);
  const imported = await certificates().import({ id: "pve1" });
  expect(second.cert.startsWith(String(attribute(imported, "certificate_chain")))).toBe(true);
  await certificates().destroy(after);
  expect(bench.simulator.sim.world.nodes["pve1"]?.certificate).toBeUndefined();
});

test("a certificate of the chain that is added is sent, with the key that the node has", async () => {
  const now = await certificates().create(config);
  const chain = `${first.cert}${first.caCertificate}`;
  await certificates().update(now, { ...config, certificate_chain: chain });
  expect(bench.simulator.sim.world.nodes["pve1"]?.certificate).toEqual({ chain, key: first.key });
});

test("a certificate that was removed by hand is set again, and one that was exchanged is set back", async () => {
  const now = await certificates().create(config);
  const host = bench.simulator.sim.world.nodes["pve1"];
  if (host) host.certificate = { chain: second.cert, key: second.key };
  await bench.configure();
  const seen = await certificates().find(now);
  expect((await certificates().plan(seen, config)).action).toBe("update");
  delete host?.certificate;
  await bench.configure();
  expect(await certificates().find(now)).toBeNull();
});

test("a certificate that is sent while the web server restarts is sent again", async () => {
  const call = "POST /nodes/{node}/certificates/custom";
  bench.simulator.faults.order({ do: "reset", call, times: 1 });
  const now = await certificates().create(config);
  bench.simulator.faults.order({ do: "reset", call, times: 1 });
  const chain = `${first.cert}${first.caCertificate}`;
  const longer = await certificates().update(now, { ...config, certificate_chain: chain });
  expect(bench.simulator.sim.world.nodes["pve1"]?.certificate?.chain).toBe(chain);
  await certificates().destroy(longer);
});

test("a lost answer is no failure when the certificate is there", async () => {
  bench.simulator.faults.order({
    do: "answer",
    call: "POST /nodes/{node}/certificates/custom",
    status: 596,
    after: 1,
  });
  await certificates().destroy(await certificates().create(config));
});

test.each([
  ["a key of another certificate", { ...config, private_key: second.key }, /belongs to another certificate/],
  ["a chain that is none", { ...config, certificate_chain: "nonsense" }, /at least one certificate in PEM form/],
  ["a key that is none", { ...config, private_key: "nonsense" }, /private key in PEM form/],
  ["a first certificate without a key", { node: "pve1", certificate_chain: first.cert }, /Give `private_key`/],
  ["a node that does not exist", { ...config, node: "pve9" }, /Node `pve9` does not exist/],
])("%s is refused in the plan", async (_, given, message) => {
  await expect(certificates().plan(null, given)).rejects.toThrow(message);
});

test("a certificate that is there is refused in the plan, and at apply when it was set since", async () => {
  const plan = await certificates().plan(null, config);
  const host = bench.simulator.sim.world.nodes["pve1"];
  if (host) host.certificate = { chain: second.cert, key: second.key };
  await bench.configure();
  await expect(certificates().plan(null, config)).rejects.toThrow('id = "pve1"');
  await expect(certificates().apply(plan)).rejects.toThrow("exists already");
});

test("the privilege that the caller lacks is named", async () => {
  await bench.configure("terraform@pve!tf");
  const { access } = bench.simulator.sim.world;
  access.acl = access.acl.filter(({ ugid }) => !ugid.startsWith("terraform@pve"));
  access.acl.push({ path: "/", type: "user", ugid: "terraform@pve", roleid: "PVEAuditor", propagate: true });
  access.acl.push({ path: "/", type: "token", ugid: "terraform@pve!tf", roleid: "PVEAuditor", propagate: true });
  await expect(certificates().plan(null, config)).rejects.toThrow("/nodes/pve1: Sys.Modify");
});
