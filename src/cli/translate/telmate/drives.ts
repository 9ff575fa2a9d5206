import { flag, sizeText, text } from "../conversions.ts";
import { attributeOf, type Block, type Body, blocksOf } from "../hcl/document.ts";
import { type Dynamic, mapped } from "../hcl/dynamic.ts";
import type { Expr } from "../hcl/expr.ts";
import { Obj, print, type Value } from "../hcl/output.ts";
import type { Translation } from "../translation.ts";

const flags = new Set("backup discard emulatessd iothread readonly replicate ssd".split(" "));

/** `disks { scsi { scsi0 { disk { … } } } }` */
export function disks(block: Block, translation: Translation): void {
  for (const bus of block.body.items) {
    if (bus.kind !== "block") continue;
    if (bus.type === "dynamic") unclear(bus, translation);
    else for (const slot of bus.body.items) if (slot.kind === "block") inSlot(slot, translation);
  }
}

function unclear(block: Block, translation: Translation): void {
  const todo = "write `disks = { for … : slot => { … } }`: the slots of this block are not known here";
  translation.out.tail.push(translation.note("hand", block.node.line, "disks", todo));
}

function inSlot(slot: Block, translation: Translation): void {
  if (slot.type === "dynamic") unclear(slot, translation);
  else
    for (const content of slot.body.items) {
      if (content.kind === "block" && content.type === "dynamic") unclear(content, translation);
      else if (content.kind === "block")
        drive(slot.type, content.type, content.body, translation, [...slot.before, ...content.before]);
    }
}

/** `disk { slot = "scsi0" … }`, and `disk { type = "scsi", slot = 0 }` of 2.9. */
export function listedDisks(block: Block, translation: Translation, dynamic?: Dynamic): void {
  const body = dynamic?.content ?? block.body;
  const get = (name: string): Expr | undefined => {
    const attribute = attributeOf(body, name);
    return attribute && translation.expr(attribute.value);
  };
  const [slot, type, media] = [get("slot"), get("type"), get("media")];
  const isOld = type?.string !== undefined && /^(ide|sata|scsi|virtio)$/.test(type.string);
  const number = translation.next("disk");
  const key = isOld ? `${type.string}${slot?.text ?? number}` : (slot?.string ?? (slot && `(${slot.text})`));
  const kind = isOld ? (media?.string ?? "disk") : (type?.string ?? "disk");
  if (dynamic !== undefined) repeated(dynamic, slot, isOld ? type?.string : undefined, kind, translation);
  else if (key !== undefined) drive(key, kind, body, translation, block.before);
  else {
    const todo = "write it in `disks`, with its slot as the key";
    translation.out.tail.push(translation.note("hand", block.node.line, "disk", todo));
  }
}

function repeated(
  dynamic: Dynamic,
  slot: Expr | undefined,
  bus: string | undefined,
  kind: string,
  translation: Translation,
): void {
  const isDisk = kind === "disk";
  const key = bus === undefined ? slot?.text : `"${bus}\${${slot?.text ?? `${dynamic.iterator}.key`}}"`;
  if (!isDisk || key === undefined) {
    const todo = "write it in `disks`, with the slot of each as the key";
    translation.out.tail.push(translation.note("hand", dynamic.block.node.line, "disk", todo));
    return;
  }
  const object = new Obj();
  fill(object, dynamic.content, translation);
  translation.out.at(["disks"]).more.push(mapped(dynamic, key, print(object, "    ")));
}

/** What is in a slot: a disk, a medium, or cloud-init's drive. */
function drive(slot: string, kind: string, body: Body, translation: Translation, before: readonly string[]): void {
  const { out } = translation;
  const get = (name: string): Expr | undefined => {
    const attribute = attributeOf(body, name);
    return attribute && translation.expr(attribute.value);
  };
  if (kind === "ignore") return;
  if (kind === "cloudinit") {
    const cloudInit = out.at(["cloud_init"]);
    const storage = get("storage");
    if (storage) cloudInit.set("storage", storage.raw, { before });
    cloudInit.set("slot", text(slot));
  } else if (kind === "cdrom") {
    const [iso, isHost] = [get("iso"), get("passthrough")?.boolean];
    const file: Value = iso && iso.string !== "" ? iso.raw : text(isHost ? "cdrom" : "none");
    out.at(["cdroms", slot]).set("file", file, { before });
  } else {
    const disk = out.at(["disks", slot]);
    out.at(["disks"]).set(slot, disk, { before });
    fill(disk, body, translation, kind === "passthrough" || get("passthrough")?.boolean === true);
  }
}

function fill(disk: Obj, body: Body, translation: Translation, isPassedThrough = false): void {
  const rows = translation.setting.entry.rows;
  for (const item of body.items) {
    if (item.kind !== "attribute" || /^(slot|type|media|id|passthrough|key)$/.test(item.name)) continue;
    const value = translation.expr(item.value);
    const path = `disk.${item.name}`;
    const row = rows[path];
    if (isPassedThrough && (item.name === "size" || item.name === "storage")) continue;
    if (value.isNull) continue;
    if (row === undefined || row.startsWith("-")) {
      const todo = row?.slice(1) ?? "this argument is not known; see the page of the resource";
      disk.tail.push(translation.note(row ? "left" : "hand", item.node.line, path, todo));
      continue;
    }
    const place = row.slice("=disks.".length).split(".");
    const name = place.pop() ?? "";
    const converted =
      item.name === "size"
        ? sizeText(value, translation.setting.around)
        : flags.has(item.name)
          ? flag(value, translation.setting.around)
          : /^(iops|mbps)/.test(item.name) && value.number === 0
            ? undefined
            : value.raw;
    if (converted !== undefined) disk.at(place).set(name, converted, { before: item.before, after: item.after });
  }
  for (const inner of blocksOf(body, "dynamic")) unclear(inner, translation);
  disk.tail.push(...body.tail);
}
