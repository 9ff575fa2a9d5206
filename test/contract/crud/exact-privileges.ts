import type { ResourceBench } from "../resource-bench.ts";

/** A caller without any privilege of its own. */
export const poor = "terraform@pve";

type Pair = readonly [path: string, privilege: string];

/** A provider whose caller has no privilege at all is not configured; this one is of no use to any definition. */
const idle: Pair = ["/", "Sys.Syslog"];

/** Exactly these privileges, and no others that count. */
export async function grant(bench: ResourceBench, needed: readonly Pair[]): Promise<void> {
  const { access } = bench.simulator.sim.world;
  access.acl = access.acl.filter(({ ugid }) => !ugid.startsWith(poor));
  for (const [path, pairs] of Map.groupBy([...needed, idle], ([where]) => where)) {
    const roleid = `exactly${path.replaceAll("/", "-")}`;
    access.roles[roleid] = pairs.map(([, privilege]) => privilege) as (typeof access.roles)[string];
    for (const [type, ugid] of [
      ["user", poor],
      ["token", `${poor}!tf`],
    ] as const) {
      access.acl.push({ path, type, ugid, roleid, propagate: true });
    }
  }
  await bench.configure(`${poor}!tf`);
}

/** What the plan itself says a caller without any privilege lacks: the first of several that would do. */
export async function neededFor(bench: ResourceBench, plan: () => Promise<unknown>): Promise<Pair[]> {
  await grant(bench, []);
  const message = await plan().then(
    () => "",
    (reason: Error) => reason.message,
  );
  return [...message.matchAll(/^ {2}(\/\S*): (.+)$/gm)].flatMap(([, path = "", list = ""]) =>
    list.split(", ").map((text) => [path, text.replace(/ \(for .*/, "").split(" or ")[0] ?? ""] as const),
  );
}
