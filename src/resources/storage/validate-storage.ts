import { enumerate, type Report, validatePrune } from "#kit";
import { abilities, type StorageType, storageTypes } from "./types/abilities.ts";
import { validateMembers } from "./types/requirements.ts";

type Config = Readonly<Record<string, unknown>>;

interface Given {
  readonly config: object;
  readonly report: Pick<Report, "error">;
}

/** The type that is given; null where several are, or none, or where it is not known yet. */
export function typeIn(config: object): StorageType | null {
  const values = config as Config;
  const given = storageTypes.filter((type) => values[type] !== null);
  const [type = null] = given;
  return given.length === 1 && type !== null && values[type] !== undefined ? type : null;
}

/** What the type cannot hold or does not take: PVE drops the one without a word, and refuses the other. */
export function validateStorage({ config, report }: Given): void {
  const { content, prune, max_protected_backups, bandwidth_limits } = config as Config;
  validatePrune(prune as Parameters<typeof validatePrune>[0], report);
  const type = typeIn(config);
  if (type === null) return;
  const { content: possible, keepsBackups, hasNoLimits } = abilities[type];
  const contents = (content ?? []) as readonly (string | undefined)[];
  const misplaced = contents.filter((one) => one !== undefined && !possible.includes(one as (typeof possible)[number]));
  if (misplaced.length > 0) {
    const detail = `A storage of type \`${type}\` cannot hold ${enumerate(misplaced as string[])}. It can hold ${enumerate(possible)}.`;
    report.error("content", "Content that the type cannot hold", detail);
  } else if (contents.length > 1 && contents.includes("none")) {
    report.error("content", "None and some", "`none` says that nothing is kept there: give it alone.");
  }
  const refuse = (path: string) =>
    report.error(path, "Not for this type", `A storage of type \`${type}\` does not take \`${path}\`.`);
  if (prune && !keepsBackups) refuse("prune");
  if (typeof max_protected_backups === "number" && !keepsBackups) refuse("max_protected_backups");
  if (bandwidth_limits && hasNoLimits) refuse("bandwidth_limits");
  validateMembers(type, (config as Config)[type] as Config, report);
}
