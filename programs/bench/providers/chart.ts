import { type Figures, jobs } from "./measure.ts";

const width = 760;
const barHeight = 14;
const left = 190;
const colours: Readonly<Record<string, string>> = { ours: "#2b7a78", bpg: "#c0703a", telmate: "#8a5a9e" };

/** Wall times of the largest common size, by job, as bars: shorter is better. */
export function chart(all: readonly Figures[]): string {
  const names = [...new Set(all.map(({ contender }) => contender))];
  const sizes = [...new Set(all.map(({ vms }) => vms))];
  const shared = sizes.filter((vms) =>
    names.every((name) => all.some((one) => one.contender === name && one.vms === vms)),
  );
  const vms = Math.max(...shared);
  const latencies = [...new Set(all.map(({ latencyMs }) => latencyMs))].sort((a, b) => a - b);
  const groups = jobs.flatMap((job) => latencies.map((latencyMs) => ({ job, latencyMs })));
  let y = 40;
  const parts = groups.flatMap(({ job, latencyMs }) => {
    const shown = all.filter((one) => one.job === job && one.latencyMs === latencyMs && one.vms === vms);
    const longest = Math.max(...all.filter((one) => one.job === job && one.vms === vms).map((one) => one.wallSeconds));
    const label = `<text x="${left - 10}" y="${y + barHeight}" text-anchor="end">${job}, ${latencyMs} ms</text>`;
    const bars = shown.map((one) => {
      const length = Math.max(1, ((width - left - 150) * one.wallSeconds) / longest);
      const at = y;
      y += barHeight + 3;
      return (
        `<rect x="${left}" y="${at}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" fill="${colours[one.contender] ?? "#666"}"/>` +
        `<text x="${(left + length + 6).toFixed(1)}" y="${at + barHeight - 3}">${one.wallSeconds.toFixed(1)} s, ${one.calls} calls</text>`
      );
    });
    y += 12;
    return [label, ...bars];
  });
  const legend = names.map(
    (name, index) =>
      `<rect x="${left + index * 110}" y="12" width="12" height="12" rx="2" fill="${colours[name] ?? "#666"}"/>` +
      `<text x="${left + index * 110 + 18}" y="22">${name}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="Wall time of ${vms} VMs by job">`,
    "<style>text { font: 12px system-ui, sans-serif; fill: #333 } @media (prefers-color-scheme: dark) { text { fill: #ddd } }</style>",
    `<text x="10" y="22">${vms} VMs</text>`,
    ...legend,
    ...parts,
    "</svg>\n",
  ].join("\n");
}
