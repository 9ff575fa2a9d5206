import type { Around, Conversion } from "./conversions.ts";
import { asText, raw, same } from "./conversions.ts";
import { type Field, type Fields, memberFields, ownFields, type Place } from "./fields.ts";
import { attributeOf, type Block, type Body } from "./hcl/document.ts";
import { type Dynamic, dynamicOf, listed, mapped, optional } from "./hcl/dynamic.ts";
import { Expr, type Source } from "./hcl/expr.ts";
import { Obj, print, type Value } from "./hcl/output.ts";
import type { Node } from "./hcl/syntax.ts";
import { mergeLayer } from "./layers.ts";
import type { Notes } from "./notes.ts";
import type { Family, Shape } from "./shape.ts";
import type { Entry } from "./tables.ts";

/** What a translation works with. */
export interface Setting {
  readonly source: Source;
  readonly entry: Entry;
  readonly shape: Shape;
  readonly notes: Notes;
  readonly around: Around;
  /** `proxmox_virtual_environment_vm.web` */
  readonly address: string;
  /** Whether an expression names a resource that is gone. */
  isDropped(text: string): boolean;
}

/** The body of one resource or data source, translated. */
export class Translation {
  readonly out = new Obj();
  readonly body: Body;
  readonly setting: Setting;
  /** Values that lie over those of a map with the same keys. */
  readonly layers = new Map<string, Obj>();
  readonly #counts = new Map<string, { fixed: number; lengths: string[] }>();
  #waiting: readonly string[] = [];

  constructor(setting: Setting, body: Body) {
    this.setting = setting;
    this.body = body;
  }

  run(): Obj {
    const { shape } = this.setting;
    const place = { prefix: "", object: this.out, isClosed: false };
    this.#fields(
      "",
      ownFields(this.body, (node) => this.expr(node)),
      place,
    );
    for (const [name, layer] of this.layers) mergeLayer(this.out, name, layer);
    for (const { into, key } of Object.values(shape.families ?? {})) if (key === "list") this.#closeList(into);
    shape.finish?.(this);
    return this.out;
  }

  expr(node: Node): Expr {
    return new Expr(this.setting.source, node);
  }

  /** What the configuration gives for an argument, if it is not in a block. */
  given(name: string): Expr | undefined {
    const attribute = attributeOf(this.body, name);
    return attribute && this.expr(attribute.value);
  }

  note(level: "hand" | "left", line: number, path: string, todo: string): string {
    const { notes, address } = this.setting;
    return notes.add(level, line, path === "" ? address : `${address}: ${path}`, todo);
  }

  /** Entries that were collected by number become a list. */
  #closeList(into: string): void {
    const path = into.split(".");
    const name = path.pop() ?? "";
    const holder = path.length === 0 || this.out.entries.has(path[0] ?? "") ? this.out.at(path) : undefined;
    const items = holder?.entries.get(name);
    if (holder === undefined || items === undefined || !(items.value instanceof Obj)) return;
    const { entries, more, tail } = items.value;
    const list = [...entries.values()].map(({ value, before }) => {
      if (value instanceof Obj && before.length > 0) value.tail.unshift(...before);
      return value;
    });
    const parts = [...(list.length === 0 && more.length > 0 ? [] : [print(list, "  ")]), ...more];
    const value =
      parts.length === 1 && more.length === 0
        ? list
        : raw(parts.length === 1 ? (parts[0] ?? "") : `concat(${parts.join(", ")})`);
    holder.set(name, value, { before: [...items.before, ...tail], after: items.after });
  }

  #fields(path: string, { attributes, blocks, tail }: Fields, place: Place): void {
    for (const field of attributes) this.#attribute(path === "" ? field.name : `${path}.${field.name}`, field, place);
    for (const block of blocks) this.#block(path, block, place);
    for (const [name, value] of Object.entries(this.setting.shape.absent?.[path] ?? {})) {
      const target = this.#row(`${path}.${name}`)?.slice(1);
      if (target !== undefined && !attributes.some((given) => given.name === name))
        this.#put(place, target, raw(value), { before: [], after: undefined }, 0, path);
    }
    place.object.tail.push(...tail);
  }

  #row(path: string): string | undefined {
    const { entry, shape } = this.setting;
    const own = shape.rows?.[path];
    return own === undefined ? entry.rows[path] : `=${own}`;
  }

  #attribute(path: string, field: Field, place: Place): void {
    const { shape, around } = this.setting;
    const { before, after, line, value } = field;
    const put = (target: string, what: Value) => this.#put(place, target, what, { before, after }, line, path);
    const handler = shape.handlers?.[path];
    if (handler) {
      handler({ path, value, line, around, put }, this);
      return;
    }
    if (shape.quiet?.includes(path) || this.#isKey(path) || value.isNull) return;
    if (this.#nested(path, field, place)) return;
    const row = this.#row(path);
    const comment = this.#problem(path, row, line);
    if (comment !== undefined) place.object.tail.push(...before, comment);
    else {
      const converted = this.#conversion(path)(value, around);
      if (converted !== undefined) put(row?.slice(1) ?? path, converted);
    }
  }

  #conversion(path: string): Conversion {
    return this.setting.shape.conversions?.[path] ?? same;
  }

  /** Why an argument has no place here, as the comment that is left. */
  #problem(path: string, row: string | undefined, line: number): string | undefined {
    if (row === undefined)
      return this.note("hand", line, path, "this argument is not known; see the page of the resource");
    if (row.startsWith("-")) return this.note("left", line, path, row.slice(1));
    const target = row.slice(1);
    if (target.startsWith("proxmox_")) return this.note("hand", line, path, `write a resource \`${target}\` for it`);
    return undefined;
  }

  /** Attributes that name the entry, or are the whole entry, of a family. */
  #isKey(path: string): boolean {
    const [, outer = "", name = ""] = /^(.*)\.([^.]+)$/.exec(path) ?? [];
    const family = this.setting.shape.families?.[outer];
    const isSwitch = this.setting.shape.switches?.includes(path) ?? false;
    if (family === undefined) return isSwitch;
    const isNamed = typeof family.key === "object" && family.key.attribute === name;
    return isSwitch || isNamed || family.value?.attribute === name;
  }

  /** Objects that are written out: `cpu = { cores = 2 }`, `disk = { scsi0 = { … } }`, `map = [{ … }]`. */
  #nested(path: string, { value, line }: Field, place: Place): boolean {
    const { entry, shape } = this.setting;
    const family = shape.families?.[path];
    const isObject = Object.keys(entry.rows).some((name) => name.startsWith(`${path}.`));
    if (!isObject && family === undefined) return false;
    if (value.members !== undefined && family === undefined) this.#fields(path, memberFields(value), place);
    else if (value.members !== undefined && family?.key === "map")
      for (const [slot, one] of value.members)
        this.#finished(path, family, slot, memberFields(one), this.#slot(place, family.into, slot));
    else if (value.members !== undefined && family?.key === "list")
      this.#entry(path, family, memberFields(value), place);
    else if (value.items !== undefined && family !== undefined)
      for (const one of value.items) {
        if (one.members === undefined) return this.#unreadable(path, line, place);
        this.#entry(path, family, memberFields(one), place);
      }
    else if (this.#conversion(path) === same && this.#row(path)?.startsWith("=")) return false;
    else return this.#unreadable(path, line, place);
    return true;
  }

  #unreadable(path: string, line: number, place: Place): true {
    place.object.tail.push(this.note("hand", line, path, "write it out: its members have other names here"));
    return true;
  }

  #block(outer: string, block: Block, place: Place): void {
    const isDynamic = block.type === "dynamic";
    const path = [outer, isDynamic ? block.labels[0] : block.type].filter(Boolean).join(".");
    const { shape, entry } = this.setting;
    const family = shape.families?.[path];
    const isKnown =
      family !== undefined || Object.keys({ ...entry.rows, ...shape.rows }).some((name) => name.startsWith(`${path}.`));
    const row = this.#row(path);
    const handler = shape.blocks?.[path];
    if (handler) {
      const dynamic = isDynamic ? dynamicOf(block, (node) => this.expr(node)) : undefined;
      handler(block, this, dynamic);
      return;
    }
    if (!isKnown || row?.startsWith("-")) {
      const todo = row?.startsWith("-") ? row.slice(1) : "this block is not known; see the page of the resource";
      place.object.tail.push(...block.before, this.note(row ? "left" : "hand", block.node.line, path, todo));
      return;
    }
    if (block.before.length > 0) this.#waiting = block.before;
    if (isDynamic) this.#dynamic(path, block, place);
    else this.#plain(path, family, block, place);
    place.object.tail.push(...this.#waiting);
    this.#waiting = [];
  }

  #plain(path: string, family: Family | undefined, block: Block, place: Place): void {
    const isSwitched = this.setting.shape.switches?.includes(`${path}.enabled`) ?? false;
    const switched = isSwitched ? attributeOf(block.body, "enabled") : undefined;
    const value = switched && this.expr(switched.value);
    if (value?.boolean === false) return;
    if (family !== undefined) {
      if (value !== undefined && value.boolean === undefined)
        place.object.tail.push(this.note("hand", block.node.line, `${path}.enabled`, "make the entry conditional"));
      this.#entry(
        path,
        family,
        ownFields(block.body, (node) => this.expr(node)),
        place,
      );
    } else if (value === undefined || value.boolean === true)
      this.#fields(
        path,
        ownFields(block.body, (node) => this.expr(node)),
        place,
      );
    else this.#wrapped(path, block.body, place, (text) => `${value.text} ? ${text} : null`, block.node.line);
  }

  /** A body whose values only count under a condition. */
  #wrapped(path: string, body: Body, place: Place, wrap: (text: string) => string, line: number): void {
    const inner = new Translation(this.setting, body);
    inner.#fields(
      path,
      ownFields(body, (node) => this.expr(node)),
      { prefix: place.prefix, object: inner.out, isClosed: place.isClosed },
    );
    for (const [name, { value }] of inner.out.entries) {
      if (place.object.entries.has(name))
        place.object.tail.push(this.note("hand", line, path, `\`${name}\` is given twice: merge both`));
      else place.object.set(name, raw(wrap(print(value, "  "))), { before: this.#take() });
    }
    for (const [name, layer] of inner.layers) {
      const text = wrap(print(layer, "  ")).replace(/^one\((.*)\)$/s, "merge($1...)");
      this.#layer(name).more.push(text.endsWith(": null") ? `coalesce(${text}, {})` : text);
    }
    place.object.tail.push(...inner.out.tail);
  }

  #dynamic(path: string, block: Block, place: Place): void {
    const dynamic = dynamicOf(block, (node) => this.expr(node));
    const family = this.setting.shape.families?.[path];
    if (dynamic === undefined) {
      place.object.tail.push(this.note("hand", block.node.line, path, "the `dynamic` block is not complete"));
    } else if (family === undefined) {
      this.#wrapped(path, dynamic.content, place, (text) => optional(dynamic, text), block.node.line);
    } else this.#repeated(path, family, dynamic, place);
  }

  #repeated(path: string, family: Family, dynamic: Dynamic, place: Place): void {
    const object = new Obj();
    const fields = ownFields(dynamic.content, (node) => this.expr(node));
    this.#finished(path, family, "", fields, { prefix: `${family.into}.`, object, isClosed: true });
    const value = family.value ? this.#wholeOf(family, dynamic.content) : print(object, "    ");
    const target = family.isLayer ? this.#layer(family.into) : this.#target(place, family.into);
    target.tail.push(...this.#take());
    if (typeof family.key === "string") target.more.push(listed(dynamic, value));
    else if (family.key.attribute !== undefined && attributeOf(dynamic.content, family.key.attribute)) {
      const key = attributeOf(dynamic.content, family.key.attribute);
      const own = key ? this.expr(key.value).text : "";
      target.more.push(mapped(dynamic, family.key.prefix ? `"${family.key.prefix}\${${own}}"` : own, value));
    } else if (family.key.prefix === undefined) {
      target.more.push(mapped(dynamic, `"${family.key.otherwise ?? ""}"`, value));
    } else {
      const { fixed, lengths } = this.#counter(path);
      const terms = ["index", ...lengths, ...(fixed > 0 ? [String(fixed)] : [])].join(" + ");
      target.more.push(mapped(dynamic, `"${family.key.prefix}\${${terms}}"`, value, "index"));
      lengths.push(`length(${dynamic.items.text})`);
    }
  }

  #wholeOf({ value }: Family, content: Body): string {
    const given = attributeOf(content, value?.attribute ?? "");
    return given ? this.expr(given.value).text : `"${value?.otherwise}"`;
  }

  #entry(path: string, family: Family, fields: Fields, place: Place): void {
    const key = this.#keyOf(path, family, fields);
    if (key === "" && family.key !== "list") {
      place.object.tail.push(
        this.note("hand", fields.attributes[0]?.line ?? 1, path, "its slot is not given: write the entry"),
      );
      return;
    }
    const comments = { before: this.#take() };
    const whole = fields.attributes.find(({ name }) => name === family.value?.attribute);
    if (typeof family.key === "string") {
      const object = new Obj();
      this.#fields(path, fields, { prefix: `${family.into}.`, object, isClosed: true });
      const items = this.#target(place, family.into);
      items.set(String(items.entries.size), object, comments);
    } else if (family.value !== undefined) {
      const value = whole ? asText(whole.value, this.setting.around) : raw(`"${family.value.otherwise}"`);
      if (value !== undefined) this.#target(place, family.into).set(key, value, comments);
    } else {
      const map = family.isLayer ? this.#layer(family.into) : this.#target(place, family.into);
      const object = map.at([key]);
      if (comments.before.length > 0) map.set(key, object, comments);
      this.#finished(path, family, key, fields, { prefix: `${family.into}.`, object, isClosed: false });
    }
  }

  /** An entry of a family in a block that is named after its slot. */
  inSlot(path: string, slot: string, body: Body, before: readonly string[]): void {
    const family = this.setting.shape.families?.[path];
    if (family === undefined) return;
    const map = this.out.at([family.into]);
    const object = map.at([slot]);
    map.set(slot, object, { before });
    const fields = ownFields(body, (node) => this.expr(node));
    this.#finished(path, family, slot, fields, { prefix: `${family.into}.`, object, isClosed: false });
  }

  #finished(path: string, family: Family, slot: string, fields: Fields, place: Place): void {
    this.#fields(path, fields, place);
    family.finish?.(place.object, slot, fields, this);
  }

  #keyOf(path: string, { key }: Family, { attributes }: Fields): string {
    if (typeof key === "string") return "";
    const given = attributes.find(({ name }) => name === key.attribute)?.value;
    if (given !== undefined && key.prefix) {
      const number = given.number ?? (given.string === undefined ? undefined : Number.NaN);
      return number === undefined ? `("${key.prefix}\${${given.text}}")` : `${key.prefix}${number}`;
    }
    if (given?.number !== undefined && key.number) return `${key.number}${given.number}`;
    if (given !== undefined) return given.string ?? `(${given.text})`;
    return key.prefix === undefined ? (key.otherwise ?? "") : `${key.prefix}${this.next(path)}`;
  }

  /** The place of the next block of a path among its like. */
  next(path: string): number {
    return this.#counter(path).fixed++;
  }

  #slot(place: Place, into: string, slot: string): Place {
    return { prefix: `${into}.`, object: this.#target(place, into).at([slot]), isClosed: false };
  }

  #counter(path: string): { fixed: number; lengths: string[] } {
    const known = this.#counts.get(path) ?? { fixed: 0, lengths: [] };
    this.#counts.set(path, known);
    return known;
  }

  #layer(name: string): Obj {
    const known = this.layers.get(name) ?? new Obj();
    this.layers.set(name, known);
    return known;
  }

  #target(place: Place, target: string): Obj {
    const inner = target.startsWith(place.prefix) ? target.slice(place.prefix.length) : target;
    return (inner === target && place.prefix !== "" ? this.out : place.object).at(inner.split("."));
  }

  #take(): readonly string[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  #put(
    place: Place,
    target: string,
    value: Value,
    { before, after }: { before: readonly string[]; after: string | undefined },
    line: number,
    path: string,
  ): void {
    const isInside = target.startsWith(place.prefix);
    if (!isInside && place.isClosed) {
      place.object.tail.push(this.note("hand", line, path, `write \`${target}\` outside of the repeated block`));
      return;
    }
    const object = isInside ? place.object : this.out;
    const [first = "", ...inner] = (isInside ? target.slice(place.prefix.length) : target).split(".");
    const last = inner.pop();
    const holder = last === undefined ? object : object.at([first, ...inner]);
    if (holder.entries.has(last ?? first)) return;
    const waiting = last === undefined ? this.#take() : [];
    holder.set(last ?? first, value, { before: [...waiting, ...before], after });
    const outer = object.entries.get(first);
    const held = this.#take();
    if (outer && held.length > 0)
      object.set(first, outer.value, { before: [...held, ...outer.before], after: outer.after });
  }
}
