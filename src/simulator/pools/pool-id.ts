import { die } from "../core/kernel/failure.ts";
import { namedFormat } from "../core/schema/format.ts";

export const poolIdFormat = namedFormat("pve-poolid", (value) => {
  if (value.split("/").length > 3) {
    die(`pool name '${value}' nested too deeply (max levels = 3)`);
  }
  if (!/^[A-Za-z0-9.\-_]+(?:\/[A-Za-z0-9.\-_]+){0,2}$/.test(value)) {
    die(`pool name '${value}' contains invalid characters`);
  }
});
