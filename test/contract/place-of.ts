interface Message {
  readonly detail: string;
  readonly attribute?: unknown;
}

/**
 * The whole path of a message, such as `disks.scsi0.size`. Terraform receives as much of it as it can show; if that is
 * less, the text begins with the whole path.
 */
export function placeOf({ detail, attribute }: Message): string {
  const steps = (attribute as { steps?: Record<string, unknown>[] } | null)?.steps ?? [];
  const shown = steps.map((step) => String(Object.values(step).find((value) => typeof value !== "object")));
  const [, whole] = /^([a-z0-9_]+(?:\.[a-z0-9_]+|\["[^"]*"\]|\[\d+\])+)(?=:| is | contains | sets )/.exec(detail) ?? [];
  return whole?.replaceAll(/\["?([^"\]]*)"?\]/g, ".$1") ?? shown.join(".");
}
