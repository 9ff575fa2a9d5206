import { defaultOf, type Field, type FieldType, type Message, mapEntry, type Values, wireOf } from "./message.ts";
import { MalformedMessage, Wire, WireReader } from "./wire-reader.ts";

/**
 * Decodes a message by proto3's rules: unknown fields are skipped, the last of several values wins, several pieces of
 * one nested message are merged. Throws `MalformedMessage` for anything else.
 */
export function decode<T extends object>(message: Message<T>, bytes: Uint8Array): T {
  try {
    const values = blank(message);
    readMessage(new WireReader(bytes), message, values);
    return values as T;
  } catch (error) {
    if (error instanceof MalformedMessage) throw new MalformedMessage(`malformed ${message.name}: ${error.message}`);
    throw error;
  }
}

/** The message of zero bytes. */
function blank(message: Message<object>): Values {
  const values: Values = {};
  for (const [, name, type, rule = "plain"] of message.fields) {
    if (rule === "repeated") values[name] = [];
    // Without a prototype, so that "__proto__" is an ordinary key.
    else if (rule === "map") values[name] = Object.create(null);
    else if (rule === "plain" && typeof type === "string") values[name] = defaultOf(type);
  }
  return values;
}

function readMessage(reader: WireReader, message: Message<object>, values: Values): void {
  while (!reader.atEnd) {
    const { number, wire } = reader.tag();
    const field = message.fields.find(([candidate]) => candidate === number);
    if (field && wire === wireOf(field[2])) readField(reader, message, field, values);
    else if (field?.[3] === "repeated" && wire === Wire.delimited) readPacked(reader, message, field, values);
    // Also a known number with another wire type: proto3 treats it as an unknown field.
    else reader.skip(number, wire);
  }
}

/** Numbers may be sent one by one or packed; a reader accepts both, whatever its schema prefers. */
function readPacked(reader: WireReader, message: Message<object>, field: Field, values: Values): void {
  reader.within(() => {
    while (!reader.atEnd) readField(reader, message, field, values);
  });
}

function readField(reader: WireReader, message: Message<object>, field: Field, values: Values): void {
  const [, name, type, rule = "plain", group] = field;
  if (rule === "repeated") {
    (values[name] as unknown[]).push(readValue(reader, type));
    return;
  }
  if (rule === "map") {
    const entry = readValue(reader, () => mapEntry(type)) as { key: string; value: unknown };
    (values[name] as Values)[entry.key] = entry.value ?? blank((type as () => Message<object>)());
    return;
  }
  const value = readValue(reader, type, values[name]);
  if (rule === "oneof") for (const other of message.fields) if (other[4] === group) delete values[other[1]];
  values[name] = value;
}

function readValue(reader: WireReader, type: FieldType, merged?: unknown): unknown {
  if (typeof type === "string") return reader[type === "enum" ? "int32" : type]();
  const message = type();
  const values = (merged ?? blank(message)) as Values;
  reader.within(() => readMessage(reader, message, values));
  return values;
}
