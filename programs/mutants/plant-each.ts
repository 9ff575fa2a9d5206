import type { Fault, Suite } from "./fault.ts";
import { Workplace } from "./workplace.ts";

export interface Finding {
  readonly fault: Fault;
  readonly isNoticed: boolean;
  readonly seconds: number;
  /** What the tests printed. */
  readonly output: string;
}

/** Plants one fault after the other, in several copies at the same time, once their tests are known to pass without any. */
export async function* plantEach(faults: readonly Fault[], jobs: number): AsyncGenerator<Finding> {
  using workplaces = new DisposableStack();
  const first = workplaces.use(new Workplace());
  await provePassing(
    first,
    faults.map(({ suite }) => suite),
  );
  const waiting = [...faults];
  const lanes = [first, ...Array.from({ length: jobs - 1 }, () => workplaces.use(new Workplace()))];
  const running = new Map<Workplace, Promise<[Workplace, Finding]>>();
  const begin = (workplace: Workplace) => {
    const fault = waiting.shift();
    if (fault) running.set(workplace, plant(workplace, fault));
    else running.delete(workplace);
  };
  lanes.forEach(begin);
  while (running.size > 0) {
    const [workplace, finding] = await Promise.race(running.values());
    begin(workplace);
    yield finding;
  }
}

/** A suite that fails in any case would notice every fault. */
async function provePassing(workplace: Workplace, suites: readonly Suite[]): Promise<void> {
  const { passed, failed, output } = await workplace.run(suites);
  if (passed > 0 && failed.length === 0) return;
  throw new Error(
    `the tests fail without any fault: ${passed} passed, ${failed.length} failed\n${[...failed, output].join("\n")}`,
  );
}

/** Tests have to fail; a source that cannot be loaded any more is no fault that a user could meet. */
async function plant(workplace: Workplace, fault: Fault): Promise<[Workplace, Finding]> {
  const { passed, failed, seconds, output } = await workplace.runWith(fault);
  const why =
    passed + failed.length > 0 ? "" : "No test was run: none has this name, or the sources cannot be loaded.\n";
  return [workplace, { fault, isNoticed: failed.length > 0, seconds, output: `${why}${output}` }];
}
