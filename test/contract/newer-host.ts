import { createHash } from "node:crypto";
import type { Simulator } from "#simulator";
import { Dice } from "../../programs/chaos/dice.ts";
import { type ParametersFacts, readFacts } from "../../schema/pve/facts.ts";
import { tamperAnswers } from "./tampered-answers.ts";

const facts = readFacts();

/** What a later release may add to an answer. */
export interface News {
  /** Members of every object. */
  readonly members?: boolean;
  /** Objects of an unknown type in every list of typed objects. */
  readonly objects?: boolean;
  /** Values of options that have a fixed choice, and states of what runs. */
  readonly values?: boolean;
}

export interface NewerHost {
  /** Calls that sent something that only this host knows. */
  readonly sent: readonly string[];
  restore(): void;
}

/** The id of every object of an unknown type. */
export const unknownId = "future1";
const unknownType = "future";
const isOfFuture = (value: unknown): boolean => /future/i.test(JSON.stringify(value) ?? "");

type Fields = Record<string, unknown>;

/** Makes a simulated cluster answer as one of a release that does not exist yet, until it is restored. */
export function makeNewer(simulator: Simulator, seed: number, news: News): NewerHost {
  const sent: string[] = [];
  const planted = new Map<string, Fields>();
  const restore = tamperAnswers(simulator, {
    instead(call, given) {
      if (!call.startsWith("GET ")) {
        if (isOfFuture(given)) sent.push(`${call} ${JSON.stringify(given)}`);
        return undefined;
      }
      const names = Object.entries(given).filter(([, value]) => value === unknownId);
      return names.length === 0 ? undefined : (planted.get(call) ?? []);
    },
    answer(call, answer) {
      if (!call.startsWith("GET ")) return answer;
      // A host does not change its release between two calls.
      const dice = new Dice(seed + createHash("sha1").update(call).digest().readUInt16BE());
      const read = news.values ? withValues(call, answer, dice) : answer;
      const listed = news.objects && Array.isArray(read) ? withObject(call, read as Fields[], planted, dice) : read;
      return news.members ? withMembers(call, listed, dice) : listed;
    },
  });
  return { sent, restore };
}

const scalars: readonly unknown[] = ["future", 7, 0, "1"];
const anything: readonly unknown[] = [...scalars, null, ["future"], [{ future: 1 }], { future: "future" }];

/** Answers whose members are options of a guest, which are plain values. */
const isGuestConfig = (call: string): boolean => /\/\{vmid\}\/config$|\/snapshot\/\{snapname\}\/config$/.test(call);

function withMembers(call: string, answer: unknown, dice: Dice): unknown {
  if (call === "GET /access/permissions") {
    const entries = Object.entries(answer as Record<string, Fields>);
    return Object.fromEntries(entries.map(([path, granted]) => [path, { ...granted, "Future.Audit": 1 }]));
  }
  const values = isGuestConfig(call) ? scalars : anything;
  // An object inside is a line of an option, or a map.
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== "object" || node === null) return node;
    const inside = Object.entries(node).map(([name, value]) => [name, Array.isArray(value) ? visit(value) : value]);
    return { ...Object.fromEntries(inside), [`x-future-${dice.int(1, 9)}`]: dice.pick(values) };
  };
  const seen = visit(answer);
  const isPending = /\/\{vmid\}\/pending$/.test(call);
  return isPending ? [...(seen as unknown[]), { key: "x-future", value: "future" }] : seen;
}

/** The members that tell the types of a list apart. */
const kinds = ["type", "protocol", "plugin"];

/** Lists of which a resource owns every line, those whose ids name the type, and those of one type only. */
const isOwned = (call: string): boolean =>
  /\/firewall\/(?:rules|groups\/\{group\})$|\/(?:lxc|qemu)$|\/replication$|\/ha\/resources$|\/realm-sync$|\/vnets$/.test(
    call,
  );

/** Whether objects of a list can be created with more than one type. */
function hasTypes(call: string, kind: string): boolean {
  const post = facts.get(call.replace("GET", "POST"));
  return (
    post === undefined ||
    JSON.stringify(post.parameters).includes(`"type-property":"${kind}"`) ||
    choicesIn(post.parameters).includes(kind)
  );
}

function withObject(call: string, list: readonly Fields[], planted: Map<string, Fields>, dice: Dice): Fields[] {
  const typed = list.filter((one) => kinds.some((kind) => typeof one?.[kind] === "string"));
  if (typed.length === 0 || isOwned(call)) return [...list];
  const child = [...facts.keys()].find(
    (one) => one.startsWith(`${call}/{`) && !one.slice(call.length + 2).includes("/"),
  );
  const id = /\{([^}]+)\}$/.exec(child ?? "")?.[1];
  const { vmid: _vmid, state: _state, pending: _pending, ...model } = dice.pick(typed);
  const kind = kinds.find((one) => typeof model[one] === "string") ?? "type";
  if (!hasTypes(call, kind)) return [...list];
  const names = ["id", "name", id ?? "id"].filter((name) => name in model || name === id);
  const object = { ...model, ...Object.fromEntries(names.map((name) => [name, unknownId])), [kind]: unknownType };
  if (child !== undefined) planted.set(child, object);
  return [...list, object];
}

/** An option of a guest that has sub-keys. */
const isLine = (value: unknown): boolean => typeof value === "string" && /^[^\n]*,\w+=[^\n]*$/.test(value);

const states = new Set(["status", "qmpstatus", "hastate", "state", "crm_state", "lock"]);

/** Options with a fixed choice get another one, and so do states; tasks go on. */
function withValues(call: string, answer: unknown, dice: Dice): unknown {
  if (call.includes("/tasks") || call.includes("/agent/")) return answer;
  const choices = choicesOf(call);
  const change = (object: unknown): unknown => {
    if (typeof object !== "object" || object === null || Array.isArray(object)) return object;
    return Object.fromEntries(
      Object.entries(object).map(([name, value]) => {
        const isOpen = choices.has(name) || states.has(name);
        if (isOpen && typeof value === "string" && dice.chance(0.4)) return [name, "future-value"];
        return [name, isGuestConfig(call) && isLine(value) ? `${value},x-future=7` : value];
      }),
    );
  };
  return Array.isArray(answer) ? answer.map(change) : change(answer);
}

/** Parameters with a fixed choice of the calls that write what this one reads. */
function choicesOf(call: string): ReadonlySet<string> {
  const path = call.replace(/^GET /, "");
  const writes = [...facts.values()].filter(
    (one) => one.method !== "GET" && (one.path === path || one.path.replace(/\/\{[^}]+\}$/, "") === path),
  );
  const all = writes.flatMap(({ parameters }) => choicesIn(parameters));
  return new Set(all.filter((name) => !kinds.includes(name)));
}

const choicesIn = ({ properties = {}, allOf = [], oneOf = [] }: ParametersFacts = {}): string[] => [
  ...Object.entries(properties).flatMap(([name, { enum: choice }]) => (choice ? [name] : [])),
  ...[...allOf, ...oneOf].flatMap(choicesIn),
];
