import fc from "fast-check";
import { neverSmaller, vmConfigs } from "../../test/contract/vm/arbitrary-vm.ts";
import type { Input } from "../../test/harness/index.ts";
import { Dice } from "./dice.ts";
import { type Cut, drawCut, drawTroubles, nodes, type Trouble } from "./troubles.ts";

export type Config = Readonly<Record<string, Input>>;
/** The configured VMs, by name: one resource each. */
export type Configs = Readonly<Record<string, Config>>;

/** One `terraform apply`, and its faults. */
export interface Step {
  readonly configs: Configs;
  readonly troubles: readonly Trouble[];
  readonly cut: Cut | null;
}

/** The life cycle of a few VMs, generated beforehand: the result depends on the provider. */
export interface Script {
  readonly seed: number;
  readonly parallelism: number;
  /** The user of Terraform's login. */
  readonly caller: "root@pam!admin" | "root@pam" | "terraform@pve";
  readonly steps: readonly Step[];
  /** Secrets that must not be in any log. */
  readonly secrets: readonly string[];
}

export function writeScript(seed: number): Script {
  const dice = new Dice(seed);
  const names = ["anna", "bert", "carl"].slice(0, dice.int(1, 3)).map((name) => `${name}-${seed}`);
  const secrets = names.map((name) => `s3cret-${name}`);
  const wishes = new Map(
    names.map((name, index) => [name, wishesOf(name, seed + index, new Dice(dice.int(1, 2 ** 31)))]),
  );
  const steps = Array.from({ length: dice.int(1, 3) }, (_, at): Step => {
    const present = names.filter(() => at === 0 || dice.chance(0.8));
    return {
      configs: Object.fromEntries(present.map((name) => [name, wishes.get(name)?.[at] ?? {}])),
      troubles: drawTroubles(dice, names),
      cut: drawCut(dice),
    };
  });
  return {
    seed,
    parallelism: dice.pick([1, 10]),
    caller: dice.pick(["root@pam!admin", "root@pam", "terraform@pve"]),
    steps,
    secrets,
  };
}

/** The configuration of one VM in each step. Its name, and its VMID if it was chosen, stay: they identify the VM. */
function wishesOf(name: string, seed: number, dice: Dice): Config[] {
  const fixed = {
    name,
    clone: { template: dice.pick(["ubuntu-24.04-cloud", "debian-13-cloud", "talos-1.11"]) },
    ...(dice.chance(0.5) && { vmid: 300 + (seed % 50) }),
  };
  const secret = `s3cret-${name}`;
  const fate = dice.pick(["detach", "delete"]);
  const grown: Record<string, object> = {};
  let hasFirst = true;
  return fc.sample(vmConfigs, { seed, numRuns: 3 }).map((sampled, at) => {
    const wish = withSecret(neverSmaller({ disks: grown as Input }, sampled), secret, at + 1);
    const asked = Object.entries((wish["disks"] ?? {}) as Record<string, object>);
    // Without the disk of the template, the configuration would have to say where a new one is.
    const disks = asked.filter(([slot]) => slot !== "scsi0" || hasFirst);
    if (wish["disks"] !== undefined && "scsi0" in grown) hasFirst = disks.some(([slot]) => slot === "scsi0");
    for (const [slot, disk] of disks) grown[slot] = { ...grown[slot], ...disk };
    return {
      ...fixed,
      power: dice.pick(["running", "stopped"]),
      // A disk that waits for a restart cannot be grown, so the next step might rightly be refused.
      restart_policy: "when_needed",
      ...(dice.chance(0.5) && { node: dice.pick(nodes) }),
      ...(dice.chance(0.3) && { pool: "crew" }),
      ...wish,
      ...(wish["disks"] !== undefined && { disks: withFate(disks, fate) }),
    };
  });
}

/** A secret: in the text, or as a password, depending on the kind of cloud-init. */
function withSecret(wish: Record<string, Input>, secret: string, version: number): Record<string, Input> {
  const cloudInit = wish["cloud_init"] as Record<string, Input> | undefined;
  if (cloudInit === undefined) return wish;
  const text = cloudInit["user_data"];
  const more =
    typeof text === "string" ? { user_data: `${text}# ${secret}\n` } : { password: secret, password_version: version };
  return { ...wish, cloud_init: { ...cloudInit, ...more } };
}

/** What happens to a disk that is removed from the configuration; the first one came with the template. */
const withFate = (disks: readonly (readonly [string, object])[], fate: string): Record<string, Input> =>
  Object.fromEntries(
    disks.map(([slot, disk]) => [slot, slot === "scsi0" ? disk : { ...disk, on_remove: fate }]),
  ) as Record<string, Input>;
