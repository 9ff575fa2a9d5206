import type { Input } from "../../test/harness/index.ts";
import { Dice } from "./dice.ts";
import type { Part } from "./part.ts";
import { referencesIn } from "./references.ts";
import { type Cut, drawCut, drawTroubles, type Trouble } from "./troubles.ts";

export type Config = Readonly<Record<string, Input>>;
/** The configured objects, by address. */
export type Configs = Readonly<Record<string, Config>>;

/** One `terraform apply`, and its faults. */
export interface Step {
  readonly configs: Configs;
  readonly troubles: readonly Trouble[];
  readonly cut: Cut | null;
}

/** The life cycle of a few objects, generated beforehand: the result depends on the provider. */
export interface Script {
  readonly seed: number;
  readonly parts: readonly Part[];
  readonly parallelism: number;
  /** The user of Terraform's login. */
  readonly caller: "root@pam!admin" | "root@pam" | "terraform@pve";
  readonly steps: readonly Step[];
  /** Secrets that must not be in any log. */
  readonly secrets: readonly string[];
}

export function writeScript(seed: number, parts: readonly Part[]): Script {
  const dice = new Dice(seed);
  const actors = parts.flatMap((part) => part.cast(dice, seed));
  const guests = actors.flatMap(({ guest }) => guest ?? []);
  const steps = Array.from({ length: dice.int(1, 3) }, (_, at): Step => {
    const present = actors.filter(() => at === 0 || dice.chance(0.8));
    return {
      configs: whole(Object.fromEntries(present.map(({ address, wishes }) => [address, wishes[at] ?? {}]))),
      troubles: drawTroubles(dice, guests, parts),
      cut: drawCut(dice),
    };
  });
  return {
    seed,
    parts,
    parallelism: dice.pick([1, 10]),
    caller: dice.pick(["root@pam!admin", "root@pam", "terraform@pve"]),
    steps,
    secrets: actors.flatMap(({ secret }) => secret ?? []),
  };
}

/** Without the objects that refer to one that is not configured. */
function whole(configs: Configs): Configs {
  const kept = Object.entries(configs).filter(([, config]) =>
    referencesIn(config).every((address) => address in configs),
  );
  const isWhole = kept.length === Object.keys(configs).length;
  return isWhole ? configs : whole(Object.fromEntries(kept));
}
