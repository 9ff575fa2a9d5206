/**
 * `npm run soak:runners [-- ROUNDS [SEED]]`: two pipelines that share nothing but the cluster change its SDN at the same moment, for
 * fifty rounds. Neither may block the other.
 */
import { runRounds, vnetStacks } from "./rounds.ts";

const [rounds = "50", seed = "1"] = process.argv.slice(2);
const begun = performance.now();
const { applies, failures, deadlocks, wrong } = await runRounds(Number(rounds), Number(seed), vnetStacks);
for (const line of [...failures, ...deadlocks, ...wrong]) process.stdout.write(`${line}\n`);
process.stdout.write(
  `${rounds} rounds of two runners, ${applies} applies in ${((performance.now() - begun) / 1000).toFixed(0)} s: ` +
    `${deadlocks.length} deadlocks, ${failures.length} applies that a retry has solved, ${wrong.length} wrong results\n`,
);
process.exit(deadlocks.length + wrong.length === 0 ? 0 : 1);
