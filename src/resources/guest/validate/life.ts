import { type Config, type Members, parseDuration, type Report } from "#kit";
import type { GuestAttributes } from "../attributes.ts";

interface Validate {
  readonly config: Config<GuestAttributes>;
  readonly report: Pick<Report, "error">;
}

/** `ha.state` and `power` decide the same. */
export function checkHa({ config, report }: Validate): void {
  const state = config.ha?.state;
  if (!state || state === "ignored" || !config.power || config.power === "unmanaged") return;
  if ((state === "started") !== (config.power === "running")) {
    report.error(
      "ha.state",
      "Conflicting power",
      `\`ha.state = "${state}"\` contradicts \`power = "${config.power}"\`.`,
    );
  }
}

/** Settings of the provider that say nothing without one another. */
export function checkLife({ config, report }: Validate, noun: string): void {
  const { shutdown, placement, node, template, power } = config;
  if (template === true && power === "running") {
    const detail = `A template cannot run, and \`power = "running"\` asks for that. Remove one of them.`;
    report.error("power", "Conflicting power", detail);
  }
  if (shutdown?.force === false && shutdown.timeout && parseDuration(shutdown.timeout) === 0) {
    report.error(
      "shutdown.force",
      "No way to stop",
      `\`timeout = "0s"\` stops the ${noun} at once, which \`force = false\` forbids. Give the guest time, or remove \`force\`.`,
    );
  }
  if (placement === "enforce" && node === null) {
    report.error(
      "placement",
      "Node needed",
      `\`placement = "enforce"\` keeps the ${noun} on \`node\`, which is not set. Set it.`,
    );
  }
  checkTimes(report, "shutdown.timeout", shutdown?.timeout, config.timeouts);
  checkTimes(report, "destroy.grace", config.destroy?.grace, config.timeouts, ["delete"]);
}

const limits = { update: "30m", delete: "10m" } as const;

/** The operation ends at its own limit, even if the guest still has time to shut down. */
function checkTimes(
  report: Validate["report"],
  path: "shutdown.timeout" | "destroy.grace",
  time: string | null | undefined,
  timeouts: Members | null | undefined,
  operations: readonly (keyof typeof limits)[] = ["update", "delete"],
): void {
  if (!time || timeouts === undefined) return;
  for (const operation of operations) {
    const given = timeouts?.[operation] ?? null;
    const limit = typeof given === "string" ? given : limits[operation];
    if ((parseDuration(time) ?? 0) < (parseDuration(limit) ?? 0)) continue;
    report.error(
      path,
      "More time than the operation has",
      `The guest may take ${time}, and \`timeouts.${operation}\` is ${limit}. Raise \`timeouts.${operation}\`.`,
    );
  }
}
