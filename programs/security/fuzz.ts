/**
 * `npm run fuzz:security`: ten minutes, a third each of hostile API responses, of hostile texts in everything that a person
 * is shown, and of malformed data at the plugin's socket. MINUTES=1 SEED=7 make it shorter and start at another seed; a finding prints the seed that repeats it.
 */
import { HostileLab, runAgainstHostile } from "./answers.ts";
import { FuzzedProvider } from "./protocol.ts";
import { TextLab } from "./texts.ts";

const minutes = Number(process.env["MINUTES"] ?? 10);
const first = Number(process.env["SEED"] ?? 1);
const third = (minutes * 60_000) / 3;

const lives = await fuzzAnswers();
const texts = await fuzzTexts();
const attacks = await fuzzProtocol();
process.exitCode = lives + texts + attacks > 0 ? 1 : 0;

async function fuzzAnswers(): Promise<number> {
  const lab = await HostileLab.open();
  const until = Date.now() + third;
  let found = 0;
  let seed = first;
  for (; Date.now() < until; seed++) {
    for (const { what } of await runAgainstHostile(lab, seed)) {
      found++;
      process.stdout.write(`answers, seed ${seed}: ${what}\n`);
    }
  }
  await lab.close();
  process.stdout.write(`hostile responses: ${seed - first} runs, ${found} findings\n`);
  return found;
}

async function fuzzTexts(): Promise<number> {
  const lab = await TextLab.open();
  const until = Date.now() + third;
  let found = 0;
  let seed = first;
  for (; Date.now() < until; seed++) {
    for (const what of await lab.run(seed)) {
      found++;
      process.stdout.write(`texts, seed ${seed}: ${what}\n`);
    }
  }
  await lab.close();
  process.stdout.write(`hostile texts: ${seed - first} runs, ${lab.count} texts shown, ${found} findings\n`);
  return found;
}

async function fuzzProtocol(): Promise<number> {
  let provider = await FuzzedProvider.open();
  const until = Date.now() + third;
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
    provider = await FuzzedProvider.open();
  }
  await provider.close();
  const pieces = `${seed - first} messages, ${left} providers restarted`;
  process.stdout.write(`malformed data at the socket: ${pieces}, ${found} findings\n`);
  return found;
}
