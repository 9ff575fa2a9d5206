import { type FieldType, type Message, mapEntry, type Values, wireOf } from "./message.ts";
import { Wire } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/**
 * The bytes of a message, fields in the order of the table. Throws `RangeError` for a number that the wire format
 * cannot represent.
 */
export function encode<T extends object>(message: Message<T>, value: T): Uint8Array {
  const writer = new WireWriter();
  writeMessage(writer, message, value as Values);
  return writer.finish();
}

function writeMessage(writer: WireWriter, message: Message<object>, values: Values): void {
  for (const [number, name, type, rule = "plain"] of message.fields.toReversed()) {
    const value = values[name];
    if (value === undefined) continue;
    if (rule === "repeated") writeRepeated(writer, number, type, value as unknown[]);
    else if (rule === "map") writeRepeated(writer, number, () => mapEntry(type), entriesOf(value as Values));
    else if (rule !== "plain" || !isDefault(value)) writeField(writer, number, type, value);
  }
}

function writeRepeated(writer: WireWriter, number: number, type: FieldType, values: unknown[]): void {
  if (wireOf(type) === Wire.delimited) {
    for (const value of values.toReversed()) writeField(writer, number, type, value);
  } else if (values.length > 0) {
    writeDelimited(writer, () => {
      for (const value of values.toReversed()) writeValue(writer, type, value);
    });
    writer.tag(number, Wire.delimited);
  }
}

function writeField(writer: WireWriter, number: number, type: FieldType, value: unknown): void {
  writeValue(writer, type, value);
  writer.tag(number, wireOf(type));
}

function writeValue(writer: WireWriter, type: FieldType, value: unknown): void {
  if (typeof type !== "string") writeDelimited(writer, () => writeMessage(writer, type(), value as Values));
  else if (type === "string") writer.string(value as string);
  else if (type === "bytes") writer.bytes(value as Uint8Array);
  else writer.varint(Number(value));
}

function writeDelimited(writer: WireWriter, write: () => void): void {
  const before = writer.length;
  write();
  writer.varint(writer.length - before);
}

function entriesOf(map: Values): { key: string; value: unknown }[] {
  return Object.entries(map).map(([key, value]) => ({ key, value }));
}

function isDefault(value: unknown): boolean {
  return value === 0 || value === "" || value === false || (value instanceof Uint8Array && value.length === 0);
}
