/**
 * `npm run fuzz:security`: ten minutes of hostile API answers and of nonsense at the plugin's socket, five each.
 * MINUTES=1 SEED=7 make it shorter and begin elsewhere; a finding prints the seed that repeats it.
 */
import { HostileLab, liveAmongLies } from "./answers.ts";
import { BesiegedProvider } from "./protocol.ts";

const minutes = Number(process.env["MINUTES"] ?? 10);
const first = Number(process.env["SEED"] ?? 1);
const half = (minutes * 60_000) / 2;

const lives = await fuzzAnswers();
const attacks = await fuzzProtocol();
process.exitCode = lives + attacks > 0 ? 1 : 0;

async function fuzzAnswers(): Promise<number> {
  const lab = await HostileLab.open();
  const until = Date.now() + half;
  let found = 0;
  let seed = first;
  for (; Date.now() < until; seed++) {
    for (const { what } of await liveAmongLies(lab, seed)) {
      found++;
      process.stdout.write(`answers, seed ${seed}: ${what}\n`);
    }
  }
  await lab.close();
  process.stdout.write(`hostile answers: ${seed - first} lives, ${found} findings\n`);
  return found;
}

async function fuzzProtocol(): Promise<number> {
  let provider = await BesiegedProvider.open();
  const until = Date.now() + half;
  let seed = first;
  let found = 0;
  let left = 0;
  for (; found === 0 && Date.now() < until; seed++) {
    await provider.attack(seed);
    if (seed % 100 > 0) continue;
    const health = await provider.health();
    if (health === "sound") continue;
    if (health !== 0) {
      found++;
      const said = provider.stderr.slice(-2_000);
      process.stdout.write(`protocol, seeds up to ${seed}: the provider is ${health}\n${said}\n`);
    }
    left++;
    provider = await BesiegedProvider.open();
  }
  await provider.close();
  const pieces = `${seed - first} pieces, ${left} providers cut off`;
  process.stdout.write(`nonsense at the socket: ${pieces}, ${found} findings\n`);
  return found;
}
