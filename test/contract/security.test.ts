import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Dice } from "../../programs/chaos/dice.ts";
import { HostileLab, runAgainstHostile } from "../../programs/security/answers.ts";
import { mutations } from "../../programs/security/mutations.ts";
import { FuzzedProvider } from "../../programs/security/protocol.ts";
import { problemsIn } from "../../programs/security/shown-texts.ts";
import { TextLab } from "../../programs/security/texts.ts";

/** `npm run fuzz:security` in small; each row there is a seed here. */
describe("a hostile server", () => {
  let lab: HostileLab;
  beforeAll(async () => {
    lab = await HostileLab.open();
  });
  afterAll(() => lab.close());

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("neither breaks the provider nor gets its secret (seed %i)", async (seed) => {
    expect(await runAgainstHostile(lab, seed)).toEqual([]);
  });

  test("is accepted with correct responses", async () => {
    lab.proxy.tamper = (reply) => reply;
    const vm = lab.core.resource("proxmox_vm");
    const made = await vm.create({ name: "honest", clone: { template: "9000" } });
    await vm.destroy(made);
  });

  test("is detected by every kind of hostile response at the first call of a plan", async () => {
    const vm = lab.core.resource("proxmox_vm");
    const dice = new Dice(1);
    const lies = mutations("https://localhost:1/");
    // Each of these creates an impossible response; a merely changed value may go unnoticed.
    for (const index of [4, 5, 8, 9, 12, 13]) {
      const lie = lies[index] ?? expect.fail(`no lie ${index}`);
      lab.proxy.tamper = (reply) => lie(reply, dice);
      await expect(vm.create({ name: `hostile-${index}`, clone: { template: "9000" } })).rejects.toThrow();
    }
  });
});

test("hostile texts reach a person as plain text only", async () => {
  const lab = await TextLab.open();
  for (let seed = 1; seed <= 5; seed++) expect(await lab.run(seed)).toEqual([]);
  expect(lab.count).toBeGreaterThan(100);
  await lab.close();
});

test.each([
  { kind: "line", text: "a\nb" },
  { kind: "message", text: "a\n Error: b" },
  { kind: "output", text: "a\tb" },
  { kind: "event", text: '{"@message":"x","name":"a\\u202e"}' },
  { kind: "event", text: "stack" },
] as const)("a text that is not plain is found: $kind", (shown) => {
  expect(problemsIn(shown)).toHaveLength(1);
});

test("malformed data at the socket is refused, and the provider keeps working", async () => {
  const provider = await FuzzedProvider.open();
  for (let seed = 1; seed <= 300; seed++) await provider.attack(seed);
  expect(await provider.health()).toBe("sound");
  await provider.close();
});
