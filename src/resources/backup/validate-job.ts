import { enumerate, type Report, validatePrune } from "#kit";

type Values = Readonly<Record<string, unknown>>;

interface Given {
  readonly config: object;
  readonly report: Pick<Report, "error" | "warning">;
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/** Which guests: PVE takes exactly one way, and silently drops the others when it changes. */
function validateSelection(values: Values, report: Given["report"]): void {
  const ways = ["all", "vmids", "pool"] as const;
  if (values["all"] === false) {
    report.error(
      "all",
      "Only true is a choice",
      "`all = false` selects no guest. Remove it, and give `vmids` or `pool`.",
    );
    return;
  }
  const given = ways.filter((way) => values[way] !== null);
  if (given.length !== 1) {
    const found = given.length === 0 ? "none is" : `${enumerate(given)} are`;
    report.error(given[1] ?? null, "Which guests", `Exactly one of ${enumerate(ways)} must be given, and ${found}.`);
  }
  if (isGiven(values["exclude"]) && values["all"] === null) {
    report.error(
      "exclude",
      "Only with all",
      "`exclude` leaves guests out of `all = true`: give both, or only list guests.",
    );
  }
}

/** Where notifications go by the mode, and what has no effect with it. */
function validateNotification(values: Values, report: Given["report"]): void {
  const { notification_mode: mode, mailto, mail_notification: when } = values;
  if (mode === undefined || mailto === undefined) return;
  const isSystem = mode === "notification-system" || (mode !== "legacy-sendmail" && mailto === null);
  const idle = [...(isGiven(mailto) ? ["mailto"] : []), ...(isGiven(when) ? ["mail_notification"] : [])];
  if (isSystem && idle.length > 0) {
    const detail = `The notification system is used, so Proxmox VE ignores ${enumerate(idle)}. Set \`notification_mode = "legacy-sendmail"\` with \`mailto\`, or use \`proxmox_notification_matcher\`.`;
    report.warning(idle[0] ?? null, "Setting without effect", detail);
  }
  if (mode === "legacy-sendmail" && mailto === null) {
    const detail = "With `legacy-sendmail`, nothing is sent without `mailto`.";
    report.warning("notification_mode", "Notifications go nowhere", detail);
  }
}

export function validateJob({ config, report }: Given): void {
  const values = config as Values;
  validateSelection(values, report);
  validateNotification(values, report);
  validatePrune(values["prune"] as Parameters<typeof validatePrune>[0], report);
  for (const name of ["notes_template", "protected"]) {
    if (!isGiven(values[name]) || values["storage"] !== null) continue;
    report.error(
      name,
      "Storage needed",
      `Proxmox VE takes \`${name}\` only with \`storage\`: give it, such as "local".`,
    );
  }
  if (isGiven(values["dump_directory"]) && isGiven(values["storage"])) {
    report.error(
      "dump_directory",
      "One place only",
      "Backups go to `storage` or to `dump_directory`: give one of them.",
    );
  }
  const fleecing = values["fleecing"] as Values | null | undefined;
  if (fleecing?.["enabled"] === true && fleecing["storage"] === null) {
    report.error(
      "fleecing.storage",
      "Storage needed",
      "Fleecing needs a storage of content `images` to keep the data on.",
    );
  }
}
