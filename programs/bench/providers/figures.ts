import type { Figures, Job } from "./measure.ts";

/** The growth with the number of VMs: 0 none, 1 linear, 2 quadratic. */
export function exponent(points: readonly { readonly vms: number; readonly value: number }[]): number | null {
  const [largest, before] = points.toSorted((a, b) => b.vms - a.vms);
  if (!largest || !before || before.value <= 0) return null;
  return Math.log(largest.value / before.value) / Math.log(largest.vms / before.vms);
}

/** This provider's figure divided by the peer's, for the same job. */
export function ratio(all: readonly Figures[], one: Figures, of: (figures: Figures) => number): number | null {
  const other = all.find(
    ({ contender, job, vms, latencyMs }) =>
      contender !== one.contender && job === one.job && vms === one.vms && latencyMs === one.latencyMs,
  );
  return other && of(other) > 0 ? of(one) / of(other) : null;
}

export interface Bar {
  readonly what: string;
  readonly limit: number;
  readonly measured: number;
}

/** The limits that this run has measured. */
export function bars(all: readonly Figures[], pools: number): Bar[] {
  const ours = (job: Job, vms: number, latencyMs?: number) =>
    all.find(
      (one) =>
        one.contender === "ours" &&
        one.job === job &&
        one.vms === vms &&
        (latencyMs === undefined || one.latencyMs === latencyMs),
    );
  const wall = (figures: Figures) => figures.wallSeconds;
  const hundred = ours("plan", 100);
  const near = ours("plan", 100, 5);
  const singles = all.filter(({ contender, job, vms }) => contender === "ours" && job === "plan" && vms === 1);
  const destroys = all.filter(({ contender, job }) => contender === "ours" && job === "destroy");
  const created = ours("apply", 10);
  const thousand = ours("plan", 1_000);
  const found: (Bar | null)[] = [
    hundred ? { what: "API calls of a plan of 100 VMs", limit: 105, measured: hundred.calls } : null,
    near && ratioBar(`plan of 100 VMs at 5 ms, ${pools} pools, over the peer's`, pools >= 10 ? 0.25 : 0.5, all, near),
    ...singles.map((one) => ratioBar(`plan of 1 VM at ${one.latencyMs} ms, over the peer's`, 1, all, one)),
    ...destroys.map((one) => {
      const what = `destroy of ${one.vms} at ${one.latencyMs} ms, over the peer's`;
      return ratioBar(what, one.vms === 1 ? 1.1 : 0.8, all, one);
    }),
    created ? { what: "calls besides polling to create a VM, of 10", limit: 8, measured: creating(created) } : null,
    thousand
      ? { what: "MB of the provider in a plan of 1,000 VMs", limit: 200, measured: thousand.peakBytes / 1e6 }
      : null,
  ].map((bar) => bar ?? null);
  return found.filter((bar) => bar !== null);

  function ratioBar(what: string, limit: number, of: readonly Figures[], one: Figures): Bar | null {
    const measured = ratio(of, one, wall);
    return measured === null ? null : { what, limit, measured };
  }
}

/** The limits of a run with containers. */
export function containerBars(all: readonly Figures[]): Bar[] {
  const ours = all.filter(({ contender, vms }) => contender === "ours" && vms === 20);
  return ours.flatMap((one): Bar[] => {
    if (one.job !== "plan" && one.job !== "apply") return [];
    const measured = ratio(all, one, ({ wallSeconds }) => wallSeconds);
    const what = `${one.job} of 20 containers at ${one.latencyMs} ms, over the peer's`;
    const calls = { what: "calls besides polling to create a container, of 20", limit: 6, measured: creating(one) };
    return [...(measured === null ? [] : [{ what, limit: 0.7, measured }]), ...(one.job === "apply" ? [calls] : [])];
  });
}

/**
 * The time that the refresh adds to a plan, this provider's divided by the peer's: without Terraform's own work, which
 * is the same for both.
 */
export function beyondTerraform(all: readonly Figures[], plan: Figures): number | null {
  const added = (contender: string) => {
    const of = (job: Job) =>
      all.find(
        (one) =>
          one.contender === contender && one.job === job && one.vms === plan.vms && one.latencyMs === plan.latencyMs,
      )?.wallSeconds;
    const [whole, without] = [of("plan"), of("unrefreshed")];
    return whole === undefined || without === undefined ? null : whole - without;
  };
  const peer = all.find(({ contender }) => contender !== plan.contender)?.contender;
  const [own, other] = [added(plan.contender), peer === undefined ? null : added(peer)];
  return own === null || other === null || other <= 0 ? null : own / other;
}

const creating = ({ byEndpoint, calls, vms }: Figures): number =>
  (calls - (byEndpoint["GET /nodes/{node}/tasks"] ?? 0)) / vms;
