/**
 * `npm run soak [-- OPERATIONS]`: ten thousand operations in one provider process; memory, sockets and timers stay flat. With
 * `OUR_PROVIDER` it is that executable.
 */
import { join } from "node:path";
import { buildProvider } from "../../test/acceptance/cluster-workspace.ts";
import { kinds } from "./lives.ts";
import { soak } from "./soak.ts";
import { growth, settled } from "./vitals.ts";

/** A line through fewer samples shows their noise. */
const fewest = 5;
const wanted = Number(process.argv[2] ?? 10_000);
const provider = process.env["OUR_PROVIDER"] ?? join((await buildProvider()).folder, "provider.mjs");
const { samples, operations, seconds } = await soak(provider, wanted);
for (const sample of samples) process.stdout.write(`${JSON.stringify(sample)}\n`);
const judged = settled(samples, kinds.length);
const [first, last] = [judged[0], judged.at(-1)];
const heap = growth(judged, "heapMb");
const rss = growth(judged, "rssMb");
process.stdout.write(
  `${operations} operations in ${seconds.toFixed(0)} s = ${(operations / seconds).toFixed(0)} per second; ` +
    `per 1,000 operations, in ${judged.length} samples after all ${kinds.length} kinds were used: heap ${heap.toFixed(2)} MB, RSS ${rss.toFixed(2)} MB; ` +
    `sockets ${first?.sockets} to ${last?.sockets}, timers ${first?.timers} to ${last?.timers}, handles ${first?.handles} to ${last?.handles}\n`,
);
if (judged.length < fewest) process.stdout.write(`Fewer than ${fewest} samples: give more operations.\n`);
const isFlat = judged.length >= fewest && heap < 1 && rss < 5 && (last?.sockets ?? 0) <= (first?.sockets ?? 0) + 8;
process.exit(isFlat ? 0 : 1);
