import type { Simulator, World } from "#simulator";
import type { Chronicle } from "./chronicle.ts";
import type { ClusterSeed } from "./cluster.ts";
import type { Dice } from "./dice.ts";
import type { Evidence, Finding } from "./judge.ts";
import type { Config, Configs } from "./script.ts";
import type { Held } from "./stack.ts";

/**
 * One kind of objects in a life. A life is composed of parts, and the checks ask each of them; `--parts` chooses them.
 * Objects, of this part or another, are referred to by `refer` (references.ts): they are then created first.
 */
export interface Part {
  readonly name: string;
  /** The cluster in which a life begins, with objects of this kind that are not managed. */
  crowd(seed: ClusterSeed): ClusterSeed;
  /** The objects of a life. The same dice and seed give the same ones. */
  cast(dice: Dice, seed: number): readonly Actor[];
  /** What may fail because of them. */
  readonly targets: Targets;
  /** Follows one life. */
  watch(chronicle: Chronicle): Watch;
  /** What exists of this kind besides guests and volumes, in a form that differs when it has changed. */
  possessions?(world: World): Iterable<readonly [what: string, is: string]>;
  /** The object that exists already, if the message of an error says how to import it. */
  finished?(message: string): { readonly address: string; readonly id: string } | undefined;
  /** What other clients do to this kind of objects, by name. */
  readonly meddlings?: Readonly<Record<string, Meddling>>;
  /** Does by hand what the message of an error asks for, if it does. */
  obey?(message: string, world: World): boolean;
}

/** Another client acts. The result ends it after the step, and says what was done against the will of that client. */
export type Meddling = (simulator: Simulator, chronicle: Chronicle) => () => string | undefined;

/** An object that is managed. */
export interface Actor {
  /** `proxmox_vm.anna-1`. */
  readonly address: string;
  /** Its configuration in each step; three at least. */
  readonly wishes: readonly Config[];
  /** Its name, if it is a guest: then others may move and lock it. */
  readonly guest?: string;
  /** A text that must not be in any log. */
  readonly secret?: string;
}

export interface Targets {
  /** Types of tasks. */
  readonly tasks: readonly string[];
  /** Calls that write, as the API description names them. */
  readonly writes: readonly string[];
  readonly privileges: readonly string[];
}

/** Knows what must be true of a part at the end. */
export interface Watch {
  /** Called before each apply, with its target. */
  plan(configs: Configs, held: ReadonlyMap<string, Held>): void;
  judge(evidence: Evidence): Finding[];
  /** Called at every call to the cluster. */
  look?(): void;
  /** Volumes that belong to objects of this part though no guest names them. */
  volumes?(evidence: Evidence): Iterable<string>;
}

/** The objects of one type of resource. */
export const ofType = <T>(type: string, objects: Iterable<readonly [string, T]>): [string, T][] =>
  [...objects].flatMap(([address, one]): [string, T][] => (address.startsWith(`${type}.`) ? [[address, one]] : []));

/** Objects that need staged networks in effect: before they are created or changed, what is staged so far is committed. */
export const usersOfNetworks = (configs: Configs): number =>
  Object.keys(configs).filter((address) => /^proxmox_(vm|container|sdn_ip)\./.test(address)).length;
