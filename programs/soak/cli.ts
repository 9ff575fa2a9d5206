/**
 * `npm run soak [-- OPERATIONS]`: ten thousand operations in one provider process; memory, sockets and timers stay flat. With
 * `OUR_PROVIDER` it is that executable.
 */
import { join } from "node:path";
import { buildProvider } from "../../test/acceptance/cluster-workspace.ts";
import { soak } from "./soak.ts";
import { growth } from "./vitals.ts";

const wanted = Number(process.argv[2] ?? 10_000);
const provider = process.env["OUR_PROVIDER"] ?? join((await buildProvider()).folder, "provider.mjs");
const { samples, operations, seconds } = await soak(provider, wanted);
for (const sample of samples) process.stdout.write(`${JSON.stringify(sample)}\n`);
// The first fifth fills caches and lets the compiler warm up.
const settled = samples.slice(Math.ceil(samples.length / 5));
const [first, last] = [settled[0], settled.at(-1)];
const heap = growth(settled, "heapMb");
const rss = growth(settled, "rssMb");
process.stdout.write(
  `${operations} operations in ${seconds.toFixed(0)} s = ${(operations / seconds).toFixed(0)} per second; ` +
    `per 1,000 operations: heap ${heap.toFixed(2)} MB, RSS ${rss.toFixed(2)} MB; ` +
    `sockets ${first?.sockets} to ${last?.sockets}, timers ${first?.timers} to ${last?.timers}, handles ${first?.handles} to ${last?.handles}\n`,
);
const isFlat = heap < 1 && rss < 5 && (last?.sockets ?? 0) <= (first?.sockets ?? 0) + 8;
process.exit(isFlat ? 0 : 1);
