import type { ValidateContext } from "#kit";
import type { optionAttributes } from "./option-attributes.ts";

type Context = ValidateContext<typeof optionAttributes>;

/** Options that PVE refuses together. */
export function validateOptions(context: Context): void {
  checkNextId(context);
  checkRebalancing(context);
}

function checkNextId({ config: { next_id: range }, report }: Context): void {
  if (!range || range.lower === undefined || range.upper === undefined) return;
  const [lower, upper] = [range.lower || 100, range.upper || 1_000_000];
  if (lower <= upper) return;
  const detail = `\`lower\` is ${lower} and \`upper\` is ${upper}${range.upper === null ? ", its default" : ""}. Give a higher \`upper\` or a lower \`lower\`.`;
  report.error(range.lower === null ? "next_id.upper" : "next_id.lower", "Empty range of VMIDs", detail);
}

const tuning = ["threshold", "margin", "method", "hold_duration"] as const;

function checkRebalancing({ config: { crs }, report }: Context): void {
  if (!crs || crs.ha_auto_rebalance !== null) return;
  for (const name of tuning) {
    if (crs[`ha_auto_rebalance_${name}`] === null) continue;
    const detail = `Proxmox VE takes \`ha_auto_rebalance_${name}\` only together with \`ha_auto_rebalance\`. Write that, too.`;
    report.error(`crs.ha_auto_rebalance_${name}`, "Rebalancing is not set", detail);
  }
}
