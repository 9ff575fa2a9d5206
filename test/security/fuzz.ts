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
  const blame = (what: string) => {
    found++;
    process.stdout.write(`protocol, up to seed ${seed}: ${what}\n${provider.stderr.slice(-2_000)}\n`);
  };
  for (; Date.now() < until && found === 0; seed++) {
    await provider.attack(seed);
    if (provider.hasLeft) {
      const code = await provider.exitCode();
      if (code !== 0) blame(`the provider ended with ${code}`);
      provider = await BesiegedProvider.open();
      left++;
    } else if (seed % 500 === 0 && !(await provider.isSound())) blame("the provider did not survive");
  }
  if (found === 0 && !(await provider.isSound())) blame("the provider did not survive");
  await provider.close();
  const pieces = `${seed - first} pieces, cut off ${left} times`;
  process.stdout.write(`nonsense at the socket: ${pieces}, ${found} findings\n`);
  return found;
}
