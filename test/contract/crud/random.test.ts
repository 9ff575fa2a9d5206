import { afterAll, expect, test } from "vitest";
import { Dice } from "../../../programs/chaos/dice.ts";
import type { ResourceBench } from "../resource-bench.ts";
import { isUnforeseeable, openRowsBench } from "./bench.ts";
import { handRows } from "./hand-rows.ts";
import { Life, tally } from "./random-life.ts";
import { type Case, casesOf, rows } from "./rows.ts";
import { settingsRows } from "./settings-rows.ts";

/** `npm run fuzz:definitions` for the full run of 1,000; `SEED=3 CASES=250 ONLY=12` repeats one case, `TYPES=proxmox_user` some types. */
const seed = Number(process.env["SEED"] ?? 1);
const count = Number(process.env["CASES"] ?? 12);
const only = process.env["ONLY"] === undefined ? null : Number(process.env["ONLY"]);

/** Whether others meddle between the plan and its apply, as with a plan that is stored and approved. */
const isLate = process.env["LATE"] === "1";

const types = process.env["TYPES"]?.split(",");
const kinds = casesOf([...rows, ...settingsRows, ...handRows]).filter(({ type }) => types?.includes(type) ?? true);

let bench: ResourceBench | undefined;
afterAll(() => bench?.close());

async function fresh(): Promise<ResourceBench> {
  await bench?.close();
  bench = await openRowsBench({ as: "root@pam", speed: 2000 });
  for (const { prepare } of kinds) prepare?.(bench.simulator.sim.world);
  return bench;
}

/** One command of Terraform for all of them; who has failed takes no further part. */
async function together(lives: readonly Life[], about: string, work: (life: Life) => Promise<void>): Promise<void> {
  const those = lives.filter(({ isOver }) => !isOver);
  await Promise.all(
    those.map((life) =>
      work(life).catch((reason: unknown) => {
        life.isOver = true;
        if (isUnforeseeable(reason)) return;
        life.finding = `${life.kind.type} ${about}: ${String(reason)} in ${JSON.stringify(life.configs)}, others: ${JSON.stringify(life.meddlings)}`;
      }),
    ),
  );
}

/** What others do, one after the other, each with a provider of its own. */
async function meddle(lives: readonly Life[], step: number): Promise<void> {
  for (const life of lives) {
    if (step > 0) await together([life], `others ${step}`, () => life.meddle(step));
    await bench?.configure();
  }
}

async function leadThrough(lives: readonly Life[]): Promise<string[]> {
  const steps = lives[0]?.configs.length ?? 0;
  for (let step = 0; step < steps; step += 1) {
    if (isLate) await together(lives, `stale plan ${step}`, (life) => life.plan(step));
    await meddle(lives, step);
    if (isLate) await together(lives, `stale apply ${step}`, (life) => life.applyLate());
    await together(lives, `plan ${step}`, (life) => life.plan(step));
    await together(lives, `apply ${step}`, (life) => life.apply());
    await together(lives, `second plan ${step}`, (life) => life.settle(step));
  }
  await together(lives, "destroy", (life) => life.destroy());
  return lives.flatMap(({ finding }) => finding ?? []);
}

/** Up to four objects of different types at once. */
function someKinds(dice: Dice): Case[] {
  const chosen = Array.from({ length: dice.int(1, 4) }, () => dice.pick(kinds));
  return [...new Map(chosen.map((kind) => [kind.type, kind])).values()];
}

test(
  "objects of all kinds become any others, and go: each plan is kept, and the second is empty",
  async () => {
    const findings: string[] = [];
    let among = await fresh();
    for (let index = 0; index < count; index += 1) {
      if (only !== null && index !== only) continue;
      const dice = new Dice(seed * 100_003 + index);
      const lives = someKinds(dice).map((kind) => new Life(kind, dice, among));
      const found = await leadThrough(lives);
      findings.push(...found.map((one) => `SEED=${seed} ONLY=${index}: ${one}`));
      if (lives.some(({ isOver }) => isOver)) among = await fresh();
      else await among.configure();
    }
    process.stderr.write(`${JSON.stringify(tally)}, ${findings.length} findings\n`);
    expect(findings).toEqual([]);
  },
  60_000 + count * 10_000,
);
