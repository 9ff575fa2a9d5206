import type { Figures, Job } from "./measure.ts";

/** What the README shows is of one run, at this latency. */
const latencyMs = 5;

/** The place of the table in the README. */
const place = /(<!-- bench -->\n)[\s\S]*?(\n<!-- end -->)/;

interface Run {
  readonly figures: readonly Figures[];
  readonly terraform: string;
  readonly date: string;
}

/** The table of the README, all of it from one run; throws if the run has measured less. */
export function readmeTable({ figures, terraform, date }: Run): string {
  const peer = figures.find(({ contender }) => contender !== "ours")?.contender;
  if (peer === undefined) throw new Error("the README compares two providers: set PEER_PROVIDER and PEER_KIND");
  const of = (contender: string, job: Job, vms: number): Figures => {
    const isIt = (one: Figures) =>
      one.contender === contender && one.job === job && one.vms === vms && one.latencyMs === latencyMs;
    const found = figures.find(isIt);
    if (found === undefined) throw new Error(`the run has no ${job} of ${vms} VMs of ${contender} at ${latencyMs} ms`);
    return found;
  };
  const row = (title: string, cell: (contender: string) => string) => `| ${title} | ${cell("ours")} | ${cell(peer)} |`;
  const seconds = ({ wallSeconds }: Figures, digits = 1) => `${wallSeconds.toFixed(digits)} s`;
  const count = (of: number) => of.toLocaleString("en-US");
  const work = (job: Job) => (contender: string) => {
    const one = of(contender, job, 100);
    return `${count(one.calls)} calls, ${seconds(one)}`;
  };
  return [
    `| run of ${date}, Terraform ${terraform} | this provider | ${peer} |`,
    "|---|---|---|",
    row("plan of 100 VMs", (contender) => {
      const one = of(contender, "plan", 100);
      return `${count(one.calls)} calls over ${one.connections} connections, ${seconds(one)}`;
    }),
    row("create 100 VMs by clone", work("apply")),
    row("destroy 100 VMs", work("destroy")),
    row("plan of one VM", (contender) => seconds(of(contender, "plan", 1), 2)),
  ].join("\n");
}

export function withTable(readme: string, table: string): string {
  if (!place.test(readme)) throw new Error("the README has no place for the table");
  return readme.replace(place, (_, begin: string, end: string) => `${begin}${table}${end}`);
}
