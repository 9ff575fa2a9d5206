import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KnownGuests } from "../../../../src/pve/guard/known-guests.ts";
import type { GuestConfig } from "../../../../src/pve/qemu.ts";

const guest = { node: "pve1", vmid: 401 };
const config = { digest: "a", name: "web", options: { cores: "2" } } as unknown as GuestConfig;
const reads = {
  getConfig: async () => config,
  findConfig: async () => config,
  listPending: async () => [
    { key: "digest", value: "a" },
    { key: "cores", value: "2" },
  ],
};
const parse = (options: Record<string, string>) => ({ ...config, options }) as GuestConfig;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

it.each(["getConfig", "findConfig", "listPending"] as const)(
  "what %s has returned is believed for half a minute, since others may change the guest",
  async (read) => {
    const { knownConfig, knownPending, ...calls } = new KnownGuests().remembering("qemu", reads, parse);
    await calls[read](guest);
    vi.advanceTimersByTime(29_000);
    expect(knownConfig(guest)).toBeDefined();
    vi.advanceTimersByTime(2_000);
    expect(knownConfig(guest)).toBeUndefined();
    expect(knownPending(guest)).toBeUndefined();
    await calls[read](guest);
    expect(knownConfig(guest)).toBeDefined();
  },
);

it("a slow answer is as old as its request", async () => {
  const { promise, resolve } = Promise.withResolvers<GuestConfig>();
  const slow = { ...reads, getConfig: () => promise };
  const { knownConfig, getConfig } = new KnownGuests().remembering("qemu", slow, parse);
  const reading = getConfig(guest);
  vi.advanceTimersByTime(31_000);
  resolve(config);
  await reading;
  expect(knownConfig(guest)).toBeUndefined();
});

it.each([
  ["a write to it", (known: KnownGuests) => known.wasCalled({ path: "/nodes/pve1/qemu/401/config", parameters: {} })],
  [
    "a clone with its VMID",
    (known: KnownGuests) => known.wasCalled({ path: "/nodes/pve1/qemu/9000/clone", parameters: { newid: 401 } }),
  ],
  ["a write that may concern any guest", (known: KnownGuests) => known.wasCalled({ path: "/pools", parameters: {} })],
])("%s ends that", async (_, change) => {
  const known = new KnownGuests();
  const { knownConfig, getConfig } = known.remembering("qemu", reads, parse);
  await getConfig(guest);
  change(known);
  expect(knownConfig(guest)).toBeUndefined();
});

it("a write to another guest does not", async () => {
  const known = new KnownGuests();
  const { knownConfig, getConfig } = known.remembering("qemu", reads, parse);
  await getConfig(guest);
  known.wasCalled({ path: "/nodes/pve1/qemu/402/config", parameters: {} });
  expect(knownConfig(guest)).toBeDefined();
});
