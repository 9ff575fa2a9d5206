import type { Config, Decimal, Desired, Found, Observed, PathOf, Planned, State } from "#framework";
import {
  bool,
  decimal,
  dynamic,
  int,
  type Json,
  list,
  map,
  nested,
  nullable,
  object,
  oneOf,
  set,
  string,
  timeouts,
  tuple,
} from "#framework";

/** Each is assignable to the other. */
type Alike<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const prove = <_T extends true>() => {};

const attributes = {
  id: { type: string(), mode: "required", doc: "" },
  label: { type: string(), mode: "optional", doc: "" },
  zone: { type: oneOf(["a", "b"]), mode: "optional_computed", doc: "" },
  serial: { type: int(), mode: "computed", doc: "" },
  address: { type: nullable(string()), mode: "computed", doc: "" },
  password: { type: string(), mode: "optional", writeOnly: { trigger: "id" }, doc: "" },
  pin: { type: string(), mode: "required", writeOnly: true, doc: "" },
  note: { type: string(), mode: "optional", local: true, doc: "" },
  disks: {
    type: map(
      nested({
        size: { type: string(), mode: "required", doc: "" },
        used: { type: int(), mode: "computed", doc: "" },
        on_remove: { type: oneOf(["keep", "drop"]), mode: "optional", local: true, doc: "" },
      }),
    ),
    mode: "optional",
    doc: "",
  },
} as const;
type A = typeof attributes;

// The user's configuration: nothing computed; undefined is "not known yet", null is "not given".
prove<
  Alike<
    Config<A>,
    {
      readonly id: string | undefined;
      readonly label: string | null | undefined;
      readonly zone: "a" | "b" | null | undefined;
      readonly password: string | null | undefined;
      readonly pin: string | undefined;
      readonly note: string | null | undefined;
      readonly disks:
        | Readonly<
            Record<
              string,
              { readonly size: string | undefined; readonly on_remove: "keep" | "drop" | null | undefined } | undefined
            >
          >
        | null
        | undefined;
    }
  >
>();

// The target of create and update: undefined is "leave it to the system".
prove<
  Alike<
    Desired<A>,
    {
      readonly id: string;
      readonly label: string | null;
      readonly zone: "a" | "b" | undefined;
      readonly password: string | null | undefined;
      readonly pin: string;
      readonly note: string | null;
      readonly disks: Readonly<
        Record<string, { readonly size: string; readonly on_remove: "keep" | "drop" | null }>
      > | null;
    }
  >
>();

// The result of read: all values on the server, of which only optional ones may be null.
prove<
  Alike<
    Observed<A>,
    {
      readonly id: string;
      readonly label: string | null;
      readonly zone: "a" | "b";
      readonly serial: number;
      readonly address: string | null;
      readonly disks: Readonly<Record<string, { readonly size: string; readonly used: number }>> | null;
    }
  >
>();

// The stored state: no write-only values, and computed ones may be missing.
prove<
  Alike<
    State<A>,
    {
      readonly id: string;
      readonly label: string | null;
      readonly zone: "a" | "b" | undefined;
      readonly serial: number | undefined;
      readonly address: string | null | undefined;
      readonly note: string | null;
      readonly disks: Readonly<
        Record<
          string,
          { readonly size: string; readonly used: number | undefined; readonly on_remove: "keep" | "drop" | null }
        >
      > | null;
    }
  >
>();

// The plan: anything may be unknown.
prove<Alike<Planned<A>["id"], string | undefined>>();
prove<Alike<Planned<A>["serial"], number | undefined>>();
prove<Alike<Planned<A>["label"], string | null | undefined>>();
prove<Alike<keyof Planned<A>, Exclude<keyof A, "password" | "pin">>>();

// The result of a data source: its computed attributes.
prove<Alike<Found<A>, { readonly zone: "a" | "b"; readonly serial: number; readonly address: string | null }>>();

// The other types, as authors see them.
const others = {
  any: { type: dynamic(), mode: "required", doc: "" },
  exact: { type: decimal(), mode: "required", doc: "" },
  flags: { type: list(bool()), mode: "required", doc: "" },
  gaps: { type: set(nullable(string())), mode: "required", doc: "" },
  pair: { type: tuple([string(), int()]), mode: "required", doc: "" },
  point: { type: object({ x: int(), y: nullable(int()) }), mode: "required", doc: "" },
} as const;
type B = typeof others;
prove<Alike<Observed<B>["any"], Json>>();
prove<Alike<Observed<B>["exact"], number | bigint | Decimal>>();
prove<Alike<Observed<B>["flags"], readonly boolean[]>>();
prove<Alike<Config<B>["flags"], readonly (boolean | undefined)[] | undefined>>();
prove<Alike<Observed<B>["gaps"], readonly (string | null)[]>>();
prove<Alike<Observed<B>["pair"], readonly [string, number]>>();
prove<Alike<Observed<B>["point"], { readonly x: number; readonly y: number | null }>>();

// Paths that a message can name.
const inner = {
  retention: { type: nested({ keep_all: { type: bool(), mode: "optional", doc: "" } }), mode: "optional", doc: "" },
} as const;
prove<Alike<PathOf<typeof inner>, "retention" | "retention.keep_all">>();
const path = (_path: PathOf<A> | PathOf<B>) => {};
path("disks.scsi0.size");
path("point.x");
path("flags.0");
// @ts-expect-error no such attribute
path("lable");
// @ts-expect-error a path cannot lead into a set
path("gaps.0");
// @ts-expect-error a list has numbers
path("flags.first");

// Mistakes in results.
const observed = (_value: Observed<A>) => {};
const good = { id: "", label: null, zone: "a", serial: 1, address: null, disks: null } as const;
observed(good);
// @ts-expect-error a computed attribute is never absent
observed({ ...good, serial: null });
// @ts-expect-error a required attribute is never absent
observed({ ...good, id: null });
// @ts-expect-error only these words
observed({ ...good, zone: "c" });
// @ts-expect-error every attribute must be returned
observed({ id: "", label: null, zone: "a", serial: 1, address: null });
// @ts-expect-error every nested attribute, too
observed({ ...good, disks: { scsi0: { size: "" } } });
// @ts-expect-error a local attribute is not read
observed({ id: "", label: null, zone: "a", serial: 1, address: null, disks: null, note: "" });
// @ts-expect-error neither is a write-only one
observed({ id: "", label: null, zone: "a", serial: 1, address: null, disks: null, pin: "" });

// Mistakes in the use of values.
const desired = (value: Desired<A>) => {
  // @ts-expect-error computed values are not desired
  value.serial;
  // @ts-expect-error it may be left to the system
  value.zone.length;
  // @ts-expect-error it may not be set
  value.label.length;
  // @ts-expect-error it is not to be changed
  value.id = "";
  return value.id.length;
};
const config = (value: Config<A>) => {
  // @ts-expect-error it may not be known yet
  value.id.length;
  // @ts-expect-error neither may an element
  value.disks?.["scsi0"].size;
};

// The timeouts attribute offers what its author offers.
const timed = { timeouts: timeouts({ create: "5m" }) };
prove<Alike<keyof Observed<typeof timed>, never>>();
prove<Alike<State<typeof timed>["timeouts"], { readonly create: string | null } | null>>();
void [desired, config, path];
