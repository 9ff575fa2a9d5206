import { afterAll, beforeAll, expect, test } from "vitest";
import { ResourceBench } from "../resource-bench.ts";
import { invoke } from "../vm/streams.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
afterAll(() => bench.close());

test("destroying the endpoint of Proxmox VE restores its first settings, and succeeds", async () => {
  const endpoints = bench.resource("proxmox_notification_endpoint");
  const first = await endpoints.import({ id: "sendmail/mail-to-root" });
  const sendmail = { mailto_users: ["root@pam"], author: "Cluster" };
  const changed = await endpoints.update(first, { name: "mail-to-root", comment: "ours", sendmail });
  await endpoints.destroy(changed);
  await bench.configure();
  expect((await endpoints.import({ id: "sendmail/mail-to-root" })).state).toEqual(first.state);
});

test("destroying the matcher of Proxmox VE restores its first settings, and succeeds", async () => {
  const matchers = bench.resource("proxmox_notification_matcher");
  const first = await matchers.import({ id: "default-matcher" });
  const changed = await matchers.update(first, {
    name: "default-matcher",
    targets: ["mail-to-root"],
    match_severities: ["error"],
  });
  await matchers.destroy(changed);
  await bench.configure();
  expect((await matchers.import({ id: "default-matcher" })).state).toEqual(first.state);
});

test("a test message is sent to an endpoint, and one that does not exist is named with others", async () => {
  const send = (target: string) => invoke(bench.provider, "proxmox_notification_test", { target } as never);
  const { diagnostics: none } = (await send("mail-to-root")) as unknown as { diagnostics: object[] };
  expect(none ?? []).toEqual([]);
  await expect(send("mail-to-rot").then((result) => JSON.stringify(result))).resolves.toContain("mail-to-rot");
});

test.each(["a\tb", "x".repeat(129), " blank"])(
  "a comment that the file does not take is refused: %j",
  async (comment) => {
    const endpoint = { name: "ops", comment, sendmail: { mailto: ["ops@example.com"] } };
    await expect(bench.resource("proxmox_notification_endpoint").create(endpoint)).rejects.toThrow("128 characters");
    await expect(bench.resource("proxmox_notification_matcher").create({ name: "ops", comment })).rejects.toThrow(
      "128 characters",
    );
  },
);

test("the encryption of a mail server that is left out again is what it was before", async () => {
  const endpoints = bench.resource("proxmox_notification_endpoint");
  const smtp = { server: "mail.example.com", from_address: "pve@example.com", mailto: ["root"] };
  const now = () => bench.simulator.sim.world.notifications["mailbox"]?.options["mode"];
  const first = await endpoints.create({ name: "mailbox", smtp });
  const plain = await endpoints.update(first, { name: "mailbox", smtp: { ...smtp, mode: "insecure" } });
  expect(now()).toBe("insecure");
  const back = await endpoints.update(plain, { name: "mailbox", smtp });
  expect(now()).toBe("tls");
  await endpoints.destroy(back);
});
