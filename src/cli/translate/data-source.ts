import type { Body } from "./hcl/document.ts";
import type { Obj } from "./hcl/output.ts";
import { type Setting, Translation } from "./translation.ts";

/** The list that holds what a data source finds here, where the other one found a single object. */
export const listIn = ({ entry }: Pick<Setting, "entry">): string | undefined => entry.objects[0];

/** A data source: what is given selects objects; the rest is read by references. */
export function dataSource(setting: Setting, body: Body): Obj {
  const { entry } = setting;
  const list = listIn(setting);
  const rows = Object.fromEntries(
    Object.entries(entry.rows).map(([name, row]) => {
      const target = row.slice(1);
      const own = list && target.startsWith(`${list}.`) ? target.slice(list.length + 1) : target;
      if (row.startsWith("=") && entry.arguments.includes(own)) return [name, `=${own}`];
      if (row.startsWith("=") && !target.startsWith("proxmox_")) return [name, "-it is found without"];
      return [name, row];
    }),
  );
  return new Translation({ ...setting, entry: { ...entry, rows } }, body).run();
}
